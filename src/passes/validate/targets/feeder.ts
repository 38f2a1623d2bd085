import type { RankRule } from '../rule.js';
import { feederAttributeRules } from './feeder-attributes.js';
import { feederFileRules } from './feeder-files.js';
import { feederJsonRules } from './feeder-json.js';
import { feederDependencyRules } from './feeder-dependencies.js';

/**
 * What the feeders demand of a traceset: v1 of mlcommons/chakra, v3 of the astra-sim fork, and WrapperNode for feeder
 * JSON; docs/targets.md, from chakra-format sections 1, 4, 5, 11, 18 and the measured feeder-behaviour.json.
 */
export const feederRules: readonly RankRule[] = [
  ...feederFileRules,
  ...feederDependencyRules,
  ...feederAttributeRules,
  ...feederJsonRules,
];
