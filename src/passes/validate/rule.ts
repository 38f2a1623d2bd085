import type { FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import type { CollectivePairing } from '../../collectives/build-plan.js';
import type { ProcessGroup } from '../../trace/process-group.js';
import type { RankSubject } from './rank-subject.js';
import type { ValidationContext, ValidationSurvey } from './survey.js';

/** A check of one rank's trace. */
export interface RankRule {
  readonly scope: 'rank';
  /** Codes its findings can have. */
  readonly codes: readonly FindingCode[];
  check(subject: RankSubject): Finding[];
}

/** A check of what the ranks say together, from their surveys alone. */
export interface TracesetRule {
  readonly scope: 'traceset';
  readonly codes: readonly FindingCode[];
  check(subject: TracesetSubject): Finding[];
}

/** What a rule of the traceset looks at. */
export interface TracesetSubject {
  /** By ascending rank. */
  readonly surveys: readonly ValidationSurvey[];
  readonly context: ValidationContext;
  /** Every declared group, and those that names in use were resolved to. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  readonly groupFindings: readonly Finding[];
  /** Collectives of the whole traceset, the expanded ones too. */
  readonly plan: CollectivePairing;
}
