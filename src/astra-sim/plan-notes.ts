import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { CollectivePlan } from './collective-plan.js';
import type { AskedCollective } from './asked-collective.js';

/** Findings about collectives that run otherwise than one may think. */
export class PlanNotes {
  readonly findings: Finding[] = [];

  customSplit(_asked: AskedCollective, _splits: number): void {
    void finding;
  }

  made(_plan: CollectivePlan, _asked: AskedCollective, _listed: number): void {
    // filled below
  }
}
