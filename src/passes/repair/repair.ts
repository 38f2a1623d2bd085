import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { IdIndex } from '../../base/ids.js';
import { nodeId } from '../../trace/listed-ids.js';
import { nodeName } from '../../trace/node-label.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { reordered } from '../../trace/reordered.js';
import { Occurrences } from '../occurrences.js';
import { repairArms, repairSides } from './attributes.js';
import { ChangeTally, type Change } from './change.js';
import { repairDependencies } from './dependencies.js';
import { parentsFirst, type ParentsFirst } from './parents-first.js';

/** A rank with everything repaired that can be without a guess. */
export interface RepairedRank {
  /** The trace given itself where nothing was to be repaired. */
  readonly trace: RankTrace;
  readonly changes: readonly Change[];
  /** What stands in the way of a repair. */
  readonly left: readonly Finding[];
}

/**
 * Repairs one rank (docs/fix.md): drops dependencies that cannot be meant, writes `is_cpu_op` where it is absent, moves
 * integers to the oneof arms that other readers look in, and puts nodes behind those they depend on. Ids stay, and
 * everything that is not named in a change is written as it was read. A repaired rank is not changed again.
 */
export function repairRank(trace: RankTrace): RepairedRank {
  const flags = trace.flags.slice();
  const dependencies = repairDependencies(trace, flags);
  const changes = [...dependencies.changes, ...repairSides(trace, flags), ...repairArms(trace, flags)];
  const mended = changes.length === 0 ? trace : { ...dependencies.trace, flags };
  const first = parentsFirst(mended);
  if (first.order === undefined) return { trace: mended, changes, left: leftInCycles(mended, first) };
  const twins = withOneId(mended);
  if (twins.count > 0) return { trace: mended, changes, left: [leftForTwins(mended, twins)] };
  const ordered = reordered(mended, first.order);
  return { trace: ordered, changes: [...changes, ...moves(ordered, first)], left: leftInCycles(mended, first) };
}

function moves(trace: RankTrace, { drawn }: ParentsFirst): Change[] {
  const moved = new ChangeTally(trace);
  for (const place of drawn) moved.add(place, nodeId(trace, place + 1));
  return moved.changes(
    'parents-first',
    (count, places) =>
      `${counted(count, 'node')} moved forward, before what waits for ${count === 1 ? 'it' : 'them'}: ${places}`,
  );
}

function leftInCycles(trace: RankTrace, { cycles }: ParentsFirst): Finding[] {
  if (cycles === undefined) return [];
  const kept = occurrences(trace, cycles.member);
  const { rank, file } = trace;
  const circles = cycles.count === 1 ? 'one circle' : counted(cycles.count, 'circle');
  return kept.finding(
    'NOT_REPAIRED',
    (places, count) =>
      `rank ${rank}: ${counted(count, 'node')} in ${circles} of dependencies, of which none can come first, ` +
      `left in the order of the file: ${places}`,
    { rank, file, repair: 'parents-first' },
  );
}

/** Nodes with an id that an earlier node has. */
function withOneId(trace: RankTrace): Occurrences {
  const { length, idLow, idHigh } = trace;
  const index = new IdIndex(idLow, idHigh, length);
  const later: number[] = [];
  for (let node = 0; node < length; node++) if (index.indexOf(idLow[node], idHigh[node]) !== node) later.push(node);
  return occurrences(trace, later);
}

function leftForTwins({ rank, file }: RankTrace, twins: Occurrences): Finding {
  const message =
    `rank ${rank}: every node left in the order of the file, since it says which of several nodes with one id a ` +
    `dependency means: ${twins.places} came later`;
  return finding('NOT_REPAIRED', message, {
    rank,
    file,
    nodes: twins.ids,
    count: twins.count,
    repair: 'parents-first',
  });
}

function occurrences(trace: RankTrace, nodes: Iterable<number>): Occurrences {
  const found = new Occurrences();
  for (const node of nodes) {
    found.add(nodeId(trace, node), () => nodeName(trace, node));
  }
  return found;
}
