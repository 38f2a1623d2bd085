import { attributeRules } from './attributes.js';
import { collectiveRules } from './collectives.js';
import { dependencyRules } from './dependencies.js';
import { groupRules } from './groups.js';
import { pointToPointRules } from './point-to-point.js';
import { rankRules } from './ranks.js';
import type { RankRule, TracesetRule } from './rule.js';
import { shapeRules } from './shape.js';
import { sizeEvidenceRules } from './size-evidence.js';
import { stallRules } from './stalls.js';
import type { Target } from './target.js';
import { astraSimRules } from './targets/astra-sim.js';
import { feederRules } from './targets/feeder.js';

/** Every rule of `validate`. A new one is an entry in the list of its area. */
const RULES: readonly (RankRule | TracesetRule)[] = [
  ...rankRules,
  ...shapeRules,
  ...dependencyRules,
  ...attributeRules,
  ...sizeEvidenceRules,
  ...groupRules,
  ...collectiveRules,
  ...stallRules,
  ...pointToPointRules,
];

/** What each target demands besides. */
const TARGET_RULES: Readonly<Record<Target, readonly (RankRule | TracesetRule)[]>> = {
  'astra-sim': astraSimRules,
  feeder: feederRules,
};

/** The rules to run; those of a target come last. */
export function rulesFor(target: Target | undefined): readonly (RankRule | TracesetRule)[] {
  return target === undefined ? RULES : [...RULES, ...TARGET_RULES[target]];
}
