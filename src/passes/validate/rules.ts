import { attributeRules } from './attributes.js';
import { collectiveRules } from './collectives.js';
import { dependencyRules } from './dependencies.js';
import { groupRules } from './groups.js';
import { pointToPointRules } from './point-to-point.js';
import type { RankRule, TracesetRule } from './rule.js';
import { shapeRules } from './shape.js';
import { stallRules } from './stalls.js';

/** Every rule of `validate`. A new one is an entry in the list of its area. */
export const RULES: readonly (RankRule | TracesetRule)[] = [
  ...shapeRules,
  ...dependencyRules,
  ...attributeRules,
  ...groupRules,
  ...collectiveRules,
  ...stallRules,
  ...pointToPointRules,
];
