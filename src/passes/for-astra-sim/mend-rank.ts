import { NodeType } from '../../trace/node-type.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { NodeFlag, type RankTrace, type TraceMetadata } from '../../trace/rank-trace.js';
import { withPass } from '../pass-names.js';
import { mendAttributes } from './attributes.js';
import { noAstraChanges, type AstraChanges } from './changes.js';
import { inFileOrder, placesOf } from './file-order.js';
import { withoutUnrunnable } from './left-out.js';
import type { AstraPlan } from './plan.js';

/** A rank as ASTRA-sim runs it, as far as it can be mended, and what that took. */
export interface MendedRank {
  readonly trace: RankTrace;
  readonly changes: AstraChanges;
}

/**
 * Mends one rank for ASTRA-sim (docs/targets.md); the trace given is left alone. What is mended is not changed again.
 * What would be a guess stays, for the check of what is written.
 * @param renumber whether nodes may get other ids; without it they are named as before
 */
export function mendForAstraSim(trace: RankTrace, plan: AstraPlan, renumber = true): MendedRank {
  const changes = noAstraChanges();
  const places = placesOf(trace);
  const without = withoutUnrunnable(trace, plan, changes);
  const kept = (values: Uint32Array): Uint32Array => Uint32Array.from(without.kept, (node) => values[node]);
  const placesLeft = { low: kept(places.low), high: kept(places.high) };
  const ordered = inFileOrder(mendAttributes(without, plan, changes), placesLeft, renumber);
  changes.moved += ordered.moved;
  changes.ids += ordered.numbered;
  const { trace: runnable } = ordered;
  const metadata = withPass(runnable.metadata, 'astra-sim');
  if (runnable.length > 0) return { trace: { ...runnable, metadata }, changes };
  changes.idleRanks++;
  return { trace: idle(trace, metadata), changes };
}

/** A rank must have a node that is free: one of compute without duration, which takes 1 ns there. */
function idle({ rank, file }: RankTrace, metadata: TraceMetadata): RankTrace {
  const builder = new RankTraceBuilder(rank, file);
  builder.addNode(0, 0, NodeType.compute, NodeFlag.cpuGiven | NodeFlag.workMade);
  return builder.finish(metadata, undefined);
}
