import type { RankRule, TracesetRule } from '../rule.js';
import { astraCommunicationRules } from './astra-communication.js';
import { astraFileRules } from './astra-files.js';
import { astraGroupRules } from './astra-groups.js';
import { astraNodeRules } from './astra-nodes.js';
import { astraTransferRules } from './astra-transfers.js';
import { danglingControl, noFreeNode, vanishing } from './feeder-v3.js';

/**
 * What ASTRA-sim (March 2026, analytical back ends) demands of a traceset: docs/targets.md, from chakra-format sections
 * 1, 15, 17 to 19 and astra-sim-semantics sections 1, 3, 9, 11, 18, 19.
 */
export const astraSimRules: readonly (RankRule | TracesetRule)[] = [
  ...astraFileRules,
  {
    scope: 'rank',
    codes: ['ASTRA_NO_FREE_NODE'],
    check: (subject) => noFreeNode(subject, 'ASTRA_NO_FREE_NODE', 'ASTRA-sim'),
  },
  {
    scope: 'rank',
    codes: ['ASTRA_DEPENDENCY_DANGLING'],
    check: (subject) => danglingControl(subject, 'ASTRA_DEPENDENCY_DANGLING', 'ASTRA-sim'),
  },
  { scope: 'rank', codes: ['ASTRA_CYCLE'], check: (subject) => vanishing(subject, 'ASTRA_CYCLE', 'ASTRA-sim') },
  ...astraNodeRules,
  ...astraCommunicationRules,
  ...astraTransferRules,
  ...astraGroupRules,
];
