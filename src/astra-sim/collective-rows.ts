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
  /** Member that began it first, and the chunks of all collectives that it had begun before. */
  readonly first: Member;
  readonly chunksBefore: number;
  startNs: number;
  endNs: number;
  messages: number;
  bytes: number;
  /** A member that runs something else as its j-th, or a node of another place by id: the first seen. */
  other: Member | undefined;
  /** A member that had begun another number of chunks before: the first seen. */
  apart: number;
}

/** What a member begins. */
export interface Member {
  readonly rank: number;
  readonly plan: CollectivePlan;
  /** Place of its node by id among the collectives of the group on the rank, from 0. */
  readonly ordinal: number;
}

/**
 * Numbers the collectives of every group on every rank, and so the tags of their chunks: ranks that begin the same collectives in the same
 * order give them the same tags (astra-sim-semantics sections 6 and 9). Chunks over all ranks and those of each group are
 * numbered apart, also where the program lets collectives of a group advance the numbers of all ranks (section 19).
 */
export class CollectiveRows {
  readonly #nodes: SystemNodes;
  readonly #plans: readonly CollectivePlan[];
  readonly #groupNames: readonly string[];
  readonly #transport: Transport;
  readonly #groups: number; // and all ranks, at place 0
  readonly #firstTag: Float64Array; // [groups]
  readonly #chunks: Int32Array; // [ranks × groups] begun
  readonly #instances: Int32Array; // [ranks × groups] begun
  readonly #allChunks: Float64Array; // [ranks] begun, of all groups
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
    this.#nodes = nodes;
    this.#plans = plans;
    this.#groupNames = groupNames;
    this.#transport = transport;
    const { rankCount } = nodes;
    this.#groups = groupNames.length + 1;
    this.#firstTag = numbered(nodes, plans, this.#groups);
    this.#chunks = new Int32Array(rankCount * this.#groups);
    this.#instances = new Int32Array(rankCount * this.#groups);
    this.#allChunks = new Float64Array(rankCount);
    for (let group = 0; group < this.#groups; group++) this.#rows.push([]);
    this.#current = new Array<undefined>(rankCount).fill(undefined);
    this.#messages = new Float64Array(rankCount);
    this.#bytes = new Float64Array(rankCount);
  }

  /** A rank begins the collective of a node: gives the tag of its first chunk. */
  begin(rank: number, node: number, nowNs: number): number {
    const plan = this.#plans[this.#nodes.partner[node]];
    const ordinal = this.#nodes.tag[node];
    const group = plan.group + 1;
    const place = rank * this.#groups + group;
    const instance = this.#instances[place]++;
    const rows = this.#rows[group];
    const chunksBefore = this.#allChunks[rank];
    this.#allChunks[rank] += plan.chunks;
    let row = rows[instance];
    if (row === undefined) {
      const counts = { startNs: nowNs, endNs: NaN, messages: 0, bytes: 0 };
      const first = { rank, plan, ordinal };
      row = { plan, instance, first, chunksBefore, ...counts, other: undefined, apart: -1 };
      rows[instance] = row;
    } else {
      if (row.plan !== plan || row.first.ordinal !== ordinal) row.other ??= { rank, plan, ordinal };
      if (row.chunksBefore !== chunksBefore && row.apart < 0) row.apart = rank;
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

  /** The collectives by start, group and instance; those in flight with what they have sent. */
  outcomes(): SystemCollectiveOutcome[] {
    for (const [rank, row] of this.#current.entries()) if (row !== undefined) this.#addSent(rank, row);
    return this.#rows
      .flatMap((rows, group) =>
        rows.map(({ plan, instance, startNs, endNs, messages, bytes }) => ({
          group: this.groupName(group - 1),
          type: plan.type,
          instance,
          algorithm: plan.algorithm,
          size: plan.bytes,
          groupSize: plan.groupSize,
          chunks: plan.chunks,
          startNs,
          endNs,
          messages,
          bytes,
        })),
      )
      .sort((one, other) => one.startNs - other.startNs);
  }

  /** Collectives that members pair with another one: they begin them in different orders. */
  forEachCrossed(visit: (group: string, instance: number, one: Member, other: Member) => void): void {
    for (const [group, rows] of this.#rows.entries()) {
      for (const { instance, first, other } of rows) {
        if (other !== undefined) visit(this.groupName(group - 1), instance, first, other);
      }
    }
  }

  /**
   * The first collective over all ranks before which they have begun different numbers of chunks: the program, which counts those of
   * groups with them, never ends it (astra-sim-semantics section 19).
   */
  firstApart(): { readonly instance: number; readonly rank: number; readonly other: number } | undefined {
    const [world, ...groups] = this.#rows;
    const row = groups.some(({ length }) => length > 0) ? world.find(({ apart }) => apart >= 0) : undefined;
    return row && { instance: row.instance, rank: row.first.rank, other: row.apart };
  }

  /** Place of the collective in flight on a rank among those of its group, −1 for none. */
  instanceOf(rank: number): number {
    return this.#current[rank]?.instance ?? -1;
  }

  /** Whether a rank has begun a collective of a group, which is the index that plans have. */
  hasBegun(rank: number, group: number, instance: number): boolean {
    return this.#instances[rank * this.#groups + group + 1] > instance;
  }

  groupName(group: number): string {
    return group < 0 ? WORLD : this.#groupNames[group];
  }

  #addSent(rank: number, row: Row): void {
    row.messages += this.#transport.messagesSent[rank] - this.#messages[rank];
    row.bytes += this.#transport.bytesSent[rank] - this.#bytes[rank];
  }
}

/**
 * Numbers the collectives of each group on each rank by id, in `tag`, and gives the first tag of each group.
 * @throws PrepError `NUMBER_TOO_LARGE`
 */
function numbered(nodes: SystemNodes, plans: readonly CollectivePlan[], groups: number): Float64Array {
  const { offset, role, partner, tag, rankCount } = nodes;
  const most = new Float64Array(groups);
  const ofRank = new Float64Array(groups); // chunks
  const ordinals = new Int32Array(groups);
  for (let rank = 0; rank < rankCount; rank++) {
    ofRank.fill(0);
    ordinals.fill(0);
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (role[node] !== Role.collective) continue;
      const { group, chunks } = plans[partner[node]];
      ofRank[group + 1] += chunks;
      tag[node] = ordinals[group + 1]++;
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
