import type { CollectiveTotals } from './collective-totals.js';
import type { NodeGathering } from './gather-nodes.js';
import { NodeKind, NodeProcessor, type NodeTable } from './node-table.js';
import type { RankTotals } from './rank-totals.js';
import type { TransferLog } from './transfer-log.js';

/** What the nodes of a run count into, once it is over. */
export interface TallyInto {
  readonly totals: RankTotals;
  readonly log: TransferLog | undefined;
  /** Arrival of every send's transfer; there when the log is. */
  readonly arrival: Float64Array | undefined;
  /** By send: arrival of a transfer that no receive has claimed, ps. */
  readonly unclaimed: ReadonlyMap<number, number>;
  readonly stopPs: number;
  /** Whether the stop came with things left to do: what has no time then lies beyond it. Otherwise it never comes. */
  readonly cutOff: boolean;
  /** Whether a pair of ranks is joined by a scale-up fabric: its receptions hold no rank up (R-140 c). */
  readonly isScaleUp: (source: number, destination: number) => boolean;
}

/**
 * Counts what happened up to the stop from the times of all nodes, so that the run itself counts nothing. Sets `start` of
 * nodes that did not start to NaN.
 */
export function tallyNodes(gathered: NodeGathering, into: TallyInto): void {
  const { nodes, collectives } = gathered;
  const members = new MembersOfRank(collectives);
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    tallyRank(gathered, rank, members, into);
    members.finishRank();
  }
  tallyUnclaimed(gathered.nodes, into);
}

/**
 * A transfer that nobody claims holds its receiver up only if it arrives before the rank has ended, since a rank that has ended
 * never opens again.
 */
function tallyUnclaimed(nodes: NodeTable, { totals, unclaimed, isScaleUp, cutOff }: TallyInto): void {
  const arrivals = [...unclaimed].filter(([send]) => !isScaleUp(nodes.rank(send), nodes.peer(send)));
  arrivals.sort(([first, a], [second, b]) => a - b || first - second);
  for (const [send, arrivedPs] of arrivals) {
    const peer = nodes.peer(send);
    const ended = totals.nodesFinished[peer] === nodes.offset[peer + 1] - nodes.offset[peer];
    if (!ended || arrivedPs <= totals.lastPs[peer]) totals.acknowledges(peer, acknowledgment(nodes, send, cutOff));
  }
}

/** ps; Infinity where a stop came before the network told of it, NaN where it never comes. */
function acknowledgment(nodes: NodeTable, send: number, cutOff: boolean): number {
  const timePs = nodes.acknowledged(send);
  return cutOff && Number.isNaN(timePs) ? Infinity : timePs;
}

function tallyRank(
  gathered: NodeGathering,
  rank: number,
  members: MembersOfRank,
  { totals, log, arrival, stopPs, cutOff, isScaleUp }: TallyInto,
): void {
  const { nodes, collectives } = gathered;
  const first = nodes.offset[rank];
  for (let node = first; node < nodes.offset[rank + 1]; node++) {
    const started = nodes.waiting(node) < 0;
    if (started) totals.nodesStarted[rank]++;
    else nodes.setStart(node, NaN);
    const kind = nodes.kind(node);
    const finishPs = nodes.finish(node);
    const finished = finishPs <= stopPs;
    if (finished) totals.nodesFinished[rank]++;
    totals.reaches(rank, finishPs);
    if (kind !== NodeKind.send && kind !== NodeKind.receive) {
      if (finished && isCompute(nodes, node)) {
        totals.computations[rank]++;
        totals.computationMicros[rank] += nodes.amount(node) / 1e6;
      }
      continue;
    }
    const addedSync = nodes.isAddedSync(node);
    const collective = nodes.collective(node);
    const member = addedSync ? -1 : collective;
    if (member >= 0) members.node(member, nodes.start(node), finished);
    if (kind === NodeKind.receive) {
      if (!finished || addedSync) continue;
      totals.receives[rank]++;
      totals.bytesReceived[rank] += nodes.amount(nodes.pair(node));
      if (member >= 0) collectives.reaches(member, finishPs);
      continue;
    }
    if (!started) continue;
    const acknowledgedPs = acknowledgment(nodes, node, cutOff);
    const peer = nodes.peer(node);
    totals.acknowledges(rank, acknowledgedPs);
    if (nodes.pair(node) >= 0 && !isScaleUp(rank, peer)) totals.acknowledges(peer, acknowledgedPs);
    if (!addedSync) {
      if (finished) {
        totals.sends[rank]++;
        totals.bytesSent[rank] += nodes.amount(node);
        if (member >= 0) {
          collectives.rows[member].transfers++;
          collectives.rows[member].bytes += nodes.amount(node);
        }
      }
      if (acknowledgedPs <= stopPs) {
        totals.acknowledged[rank]++;
        if (member >= 0) collectives.reaches(member, acknowledgedPs);
      }
    }
    if (log !== undefined) {
      const row = log.add(
        rank,
        peer,
        node - first,
        nodes.amount(node),
        gathered.traceBytes(node),
        nodes.tag(node),
        collective,
        addedSync,
      );
      log.setTimes(row, nodes.start(node), finishPs, arrival![node], acknowledgedPs);
    }
  }
}

/** Whether a node is a COMP_NODE, on the NPU or the CPU. */
export function isCompute(nodes: NodeTable, node: number): boolean {
  const processor = nodes.processor(node);
  return processor === NodeProcessor.npu || processor === NodeProcessor.cpu;
}

/** The shares that one rank after another has in expanded collectives. */
class MembersOfRank {
  readonly #collectives: CollectiveTotals;
  readonly #firstStart: Float64Array; // [collectives] ps, Infinity while nothing has started
  readonly #left: Int32Array; // [collectives] sends and receives not finished, −1 while none was seen
  readonly #seen: number[] = [];

  constructor(collectives: CollectiveTotals) {
    this.#collectives = collectives;
    this.#firstStart = new Float64Array(collectives.rows.length).fill(Infinity);
    this.#left = new Int32Array(collectives.rows.length).fill(-1);
  }

  node(collective: number, startPs: number, finished: boolean): void {
    if (this.#left[collective] < 0) {
      this.#left[collective] = 0;
      this.#seen.push(collective);
    }
    if (startPs < this.#firstStart[collective]) this.#firstStart[collective] = startPs;
    if (!finished) this.#left[collective]++;
  }

  finishRank(): void {
    for (const collective of this.#seen) {
      const row = this.#collectives.rows[collective];
      row.groupSize++;
      if (this.#firstStart[collective] < Infinity) {
        this.#collectives.memberStarts(collective, this.#firstStart[collective]);
      }
      if (this.#left[collective] === 0) row.membersFinished++;
      this.#firstStart[collective] = Infinity;
      this.#left[collective] = -1;
    }
    this.#seen.length = 0;
  }
}
