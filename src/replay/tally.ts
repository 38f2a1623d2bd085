import { NodeType } from '../trace/node-type.js';
import { NodeFlag } from '../trace/rank-trace.js';
import type { CollectiveTotals } from './collective-totals.js';
import { NodeKind, type NodeTable } from './node-table.js';
import type { RankTotals } from './rank-totals.js';
import type { TransferLog } from './transfer-log.js';

/** What the nodes of a run count into, once it is over. */
export interface TallyInto {
  readonly totals: RankTotals;
  readonly collectives: CollectiveTotals;
  readonly log: TransferLog | undefined;
  /** Arrival of every send's transfer; there when the log is. */
  readonly arrival: Float64Array | undefined;
  readonly stopPs: number;
}

/**
 * Counts what happened up to the limit from the times of all nodes, so that the run itself counts nothing. Sets `start` of
 * nodes that did not start to NaN.
 */
export function tallyNodes(nodes: NodeTable, into: TallyInto): void {
  for (let rank = 0; rank < nodes.rankCount; rank++) tallyRank(nodes, rank, into);
}

function tallyRank(nodes: NodeTable, rank: number, { totals, collectives, log, arrival, stopPs }: TallyInto): void {
  const trace = nodes.traces[rank];
  const order = nodes.traceIndex[rank];
  const first = nodes.offset[rank];
  const members = new MembersOfRank(trace.collectives, collectives);
  for (let node = first; node < nodes.offset[rank + 1]; node++) {
    const index = order === undefined ? node - first : order[node - first];
    const started = nodes.waiting(node) < 0;
    if (!started) nodes.setStart(node, NaN);
    const kind = nodes.kind(node);
    const finishPs = nodes.finish(node);
    const finished = finishPs <= stopPs;
    if (finished) totals.nodesFinished[rank]++;
    totals.reaches(rank, finishPs);
    if (kind !== NodeKind.send && kind !== NodeKind.receive) {
      if (finished && trace.type[index] === NodeType.compute) {
        totals.computations[rank]++;
        totals.computationMicros[rank] += trace.durationMicros[index];
      }
      continue;
    }
    const addedSync = (trace.flags[index] & NodeFlag.addedSync) !== 0;
    const member = addedSync ? -1 : trace.collective[index];
    if (member >= 0) members.node(member, nodes.start(node), finished);
    if (kind === NodeKind.receive) {
      if (!finished || addedSync) continue;
      totals.receives[rank]++;
      totals.bytesReceived[rank] += nodes.amount(nodes.pair(node));
      if (member >= 0) collectives.reaches(members.row[member], finishPs);
      continue;
    }
    if (!started) continue;
    // A limit may cut a transfer off before the network has told of its acknowledgment.
    const acknowledgedPs = Number.isNaN(nodes.acknowledged(node)) ? Infinity : nodes.acknowledged(node);
    totals.reaches(rank, acknowledgedPs);
    totals.reaches(nodes.peer(node), acknowledgedPs);
    if (!addedSync) {
      if (finished) {
        totals.sends[rank]++;
        totals.bytesSent[rank] += nodes.amount(node);
        if (member >= 0) {
          collectives.rows[members.row[member]].transfers++;
          collectives.rows[members.row[member]].bytes += nodes.amount(node);
        }
      }
      if (acknowledgedPs <= stopPs) {
        totals.acknowledged[rank]++;
        if (member >= 0) collectives.reaches(members.row[member], acknowledgedPs);
      }
    }
    if (log !== undefined) {
      const of = trace.collective[index] < 0 ? -1 : members.row[trace.collective[index]];
      const row = log.add(
        rank,
        nodes.peer(node),
        node - first,
        nodes.amount(node),
        nodes.amount(node),
        nodes.tag(node),
        of,
        addedSync,
      );
      log.setTimes(row, nodes.start(node), finishPs, arrival![node], acknowledgedPs);
    }
  }
  members.finish();
}

/** The shares that one rank has in expanded collectives. */
class MembersOfRank {
  /** By number in the trace: number in the run. */
  readonly row: Int32Array;
  readonly #firstStart: Float64Array;
  readonly #left: Int32Array; // sends and receives not finished, −1 while none was seen
  readonly #collectives: CollectiveTotals;

  constructor(
    identities: readonly { group: string; type: number; instance: number; size: number; algorithm?: string }[],
    collectives: CollectiveTotals,
  ) {
    this.#collectives = collectives;
    this.row = new Int32Array(identities.length);
    this.#firstStart = new Float64Array(identities.length).fill(Infinity);
    this.#left = new Int32Array(identities.length).fill(-1);
    for (const [number, { group, type, instance, size, algorithm }] of identities.entries()) {
      const row = collectives.row(group, type, instance, size);
      this.row[number] = row;
      if (algorithm !== undefined) collectives.rows[row].algorithm = algorithm;
    }
  }

  node(member: number, startPs: number, finished: boolean): void {
    if (startPs < this.#firstStart[member]) this.#firstStart[member] = startPs;
    if (this.#left[member] < 0) this.#left[member] = 0;
    if (!finished) this.#left[member]++;
  }

  finish(): void {
    for (let member = 0; member < this.row.length; member++) {
      // Without a share of its own: a group of one, or a collective of which only the barrier has been expanded.
      if (this.#left[member] < 0) continue;
      this.#collectives.rows[this.row[member]].groupSize++;
      if (this.#firstStart[member] < Infinity) {
        this.#collectives.memberStarts(this.row[member], this.#firstStart[member]);
      }
      if (this.#left[member] === 0) this.#collectives.rows[this.row[member]].membersFinished++;
    }
  }
}
