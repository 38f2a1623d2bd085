import type { PlanCatalogue } from './plan-catalogue.js';
import type { SystemEngine } from './system-engine.js';
import type { SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

/** A run that is over, or stopped. */
export interface RanSystem {
  readonly run: SystemRun;
  readonly catalogue: PlanCatalogue;
  readonly engine: SystemEngine;
  /** Those that the engine ran: of all ranks, or of rank 0. */
  readonly nodes: SystemNodes;
  /** Ranks that each rank of the engine stands for. */
  readonly standsFor: number;
}
