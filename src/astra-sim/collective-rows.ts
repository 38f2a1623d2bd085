import { traceError } from '../base/errors.js';
import { WORLD } from '../trace/process-group.js';
import type { CollectivePlan } from './collective-plan.js';
import type { SystemCollectiveOutcome } from './outcome.js';
import { Role, type SystemNodes } from './system-nodes.js';
import type { Transport } from './transport.js';

/** The j-th collective of a group, over its members. */
interface Row {
  readonly plan: CollectivePlan;
  readonly instance: number;
  startNs: number;
  endNs: number;
  messages: number;
  bytes: number;
  /** A member that runs something else as its j-th: the first seen. */
  other: { readonly rank: number; readonly plan: CollectivePlan } | undefined;
}

/**
 * Numbers the collectives of every group on every rank, and so the tags of their chunks: ranks that begin the same collectives in the same
 * order give them the same tags (astra-sim-semantics sections 6 and 9). Chunks over all ranks and those of each group are
 * numbered apart, also where the program lets collectives of a group advance the numbers of all ranks (section 19).
 */
export class CollectiveRows {
  readonly #plans: readonly CollectivePlan[];
  readonly #groupNames: readonly string[];
  readonly #transport: Transport;
  readonly #groups: number; // and all ranks, at place 0
  readonly #firstTag: Float64Array; // [groups]
  readonly #chunks: Int32Array; // [ranks × groups] begun
  readonly #instances: Int32Array; // [ranks × groups] begun
  readonly #rows: Row[][] = []; // by group, then instance
  readonly #current: (Row | undefined)[]; // [ranks]
  readonly #messages: Float64Array; // [ranks] sent before the collective in flight
  readonly #bytes: Float64Array; // [ranks]

  constructor(
    nodes: SystemNodes,
    plans: readonly CollectivePlan[],
    groupNames: readonly string[],
    transport: Transport,
  ) {
    this.#plans = plans;
    this.#groupNames = groupNames;
    this.#transport = transport;
    const { rankCount } = nodes;
    this.#groups = groupNames.length + 1;
    this.#firstTag = firstTags(nodes, plans, this.#groups);
    this.#chunks = new Int32Array(rankCount * this.#groups);
    this.#instances = new Int32Array(rankCount * this.#groups);
    for (let group = 0; group < this.#groups; group++) this.#rows.push([]);
    this.#current = new Array<undefined>(rankCount).fill(undefined);
    this.#messages = new Float64Array(rankCount);
    this.#bytes = new Float64Array(rankCount);
  }

  /** A rank begins a collective: gives the tag of its first chunk. */
  begin(rank: number, planNumber: number, nowNs: number): number {
    const plan = this.#plans[planNumber];
    const group = plan.group + 1;
    const place = rank * this.#groups + group;
    const instance = this.#instances[place]++;
    const rows = this.#rows[group];
    let row = rows[instance];
    if (row === undefined) {
      row = { plan, instance, startNs: nowNs, endNs: NaN, messages: 0, bytes: 0, other: undefined };
      rows[instance] = row;
    } else if (row.plan !== plan) {
      row.other ??= { rank, plan };
    }
    this.#current[rank] = row;
    this.#messages[rank] = this.#transport.messagesSent[rank];
    this.#bytes[rank] = this.#transport.bytesSent[rank];
    const tag = this.#firstTag[group] + this.#chunks[place];
    this.#chunks[place] += plan.chunks;
    return tag;
  }

  end(rank: number, nowNs: number): void {
    const row = this.#current[rank];
    if (row === undefined) return;
    row.endNs = nowNs;
    this.#addSent(rank, row);
    this.#current[rank] = undefined;
  }

  /**
   * The collectives by start, group and instance; those in flight with what they have sent.
   * @param standsFor ranks that each rank stands for
   */
  outcomes(standsFor: number): SystemCollectiveOutcome[] {
    for (const [rank, row] of this.#current.entries()) if (row !== undefined) this.#addSent(rank, row);
    return this.#rows
      .flatMap((rows, group) =>
        rows.map(({ plan, instance, startNs, endNs, messages, bytes }) => ({
          group: group === 0 ? WORLD : this.#groupNames[group - 1],
          type: plan.type,
          instance,
          algorithm: plan.algorithm,
          size: plan.bytes,
          groupSize: plan.groupSize,
          chunks: plan.chunks,
          startNs,
          endNs,
          messages: standsFor * messages,
          bytes: standsFor * bytes,
        })),
      )
      .sort((one, other) => one.startNs - other.startNs);
  }

  /** Collectives that members pair with another one: they begin them in different orders. */
  forEachCrossed(
    visit: (
      group: string,
      instance: number,
      plan: CollectivePlan,
      other: { rank: number; plan: CollectivePlan },
    ) => void,
  ): void {
    for (const [group, rows] of this.#rows.entries()) {
      for (const { plan, instance, other } of rows) {
        if (other !== undefined) visit(group === 0 ? WORLD : this.#groupNames[group - 1], instance, plan, other);
      }
    }
  }

  #addSent(rank: number, row: Row): void {
    row.messages += this.#transport.messagesSent[rank] - this.#messages[rank];
    row.bytes += this.#transport.bytesSent[rank] - this.#bytes[rank];
  }
}

/** @throws PrepError `NUMBER_TOO_LARGE` */
function firstTags(nodes: SystemNodes, plans: readonly CollectivePlan[], groups: number): Float64Array {
  const { offset, role, partner, rankCount } = nodes;
  const most = new Float64Array(groups);
  const ofRank = new Float64Array(groups);
  for (let rank = 0; rank < rankCount; rank++) {
    ofRank.fill(0);
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (role[node] === Role.collective) ofRank[plans[partner[node]].group + 1] += plans[partner[node]].chunks;
    }
    for (let group = 0; group < groups; group++) most[group] = Math.max(most[group], ofRank[group]);
  }
  const first = new Float64Array(groups);
  for (let group = 1; group < groups; group++) first[group] = first[group - 1] + most[group - 1];
  const all = first[groups - 1] + most[groups - 1];
  if (all > 1_000_000_000) {
    throw traceError('NUMBER_TOO_LARGE', `${all} chunks of collectives; the run takes at most 1,000,000,000`);
  }
  return first;
}
