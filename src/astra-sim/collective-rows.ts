import { traceError } from '../base/errors.js';
import { WORLD } from '../trace/process-group.js';
import type { CollectivePlan } from './collective-plan.js';
import type { SystemCollectiveOutcome } from './outcome.js';
import { Role, type SystemNodes } from './system-nodes.js';
import type { Turns } from './turn-counters.js';

/** What a member begins. */
export interface Member {
  readonly rank: number;
  readonly plan: CollectivePlan;
  /** Place of its node by id among the collectives of the group on the rank, from 0. */
  readonly ordinal: number;
}

/** The j-th collective of a group, over its members. */
export class CollectiveRow {
  endNs = NaN;
  messages = 0;
  bytes = 0;
  /** The first member seen that runs something else as its j-th, or a node of another place by id. */
  other: Member | undefined;
  /** The first member seen that had begun another number of chunks, of all groups, before; −1 for none. */
  apart = -1;
  /** Of the member that began first; absent where a collective takes no turns. */
  turns: Turns | undefined;
  /** Who has begun it; only where several collectives of a rank are in flight. */
  begunBy: Set<number> | undefined;

  constructor(
    readonly plan: CollectivePlan,
    readonly instance: number,
    readonly startNs: number,
    /** Who began it first, and the chunks of all groups that it had begun before. */
    readonly first: Member,
    readonly chunksBefore: number,
  ) {}

  /** What a member has sent. */
  add(messages: number, bytes: number): void {
    this.messages += messages;
    this.bytes += bytes;
  }
}

/**
 * Numbers the collectives of every group on every rank, and so the tags of their chunks: ranks that begin the same collectives in the same
 * order give them the same tags (astra-sim-semantics sections 6 and 9). Chunks over all ranks and those of each group are
 * numbered apart, also where the program lets collectives of a group advance the numbers of all ranks (section 19).
 */
export class CollectiveRows {
  /** Tag of the first chunk of the collective begun last. */
  firstTag = 0;
  readonly #nodes: SystemNodes;
  readonly #plans: readonly CollectivePlan[];
  readonly #groupNames: readonly string[];
  readonly #groups: number; // and all ranks, at place 0
  readonly #firstTag: Float64Array; // [groups]
  /** By rank × groups + group: a rank is in few of many groups. */
  readonly #begun = new Map<number, { instances: number; chunks: number }>();
  readonly #allChunks: Float64Array; // [ranks] begun, of all groups
  readonly #rows: CollectiveRow[][] = []; // by group, then instance
  /** Numbers by ascending node id instead of by begin; only where several collectives of a rank are in flight. */
  readonly #byId: NumbersById | undefined;

  /** @param byId whether a rank's collectives of a group are numbered by their ids, not in the order in which they begin */
  constructor(nodes: SystemNodes, plans: readonly CollectivePlan[], groupNames: readonly string[], byId: boolean) {
    this.#nodes = nodes;
    this.#plans = plans;
    this.#groupNames = groupNames;
    const { rankCount } = nodes;
    this.#groups = groupNames.length + 1;
    this.#firstTag = firstTags(nodes, plans, this.#groups);
    this.#allChunks = new Float64Array(rankCount);
    for (let group = 0; group < this.#groups; group++) this.#rows.push([]);
    this.#byId = byId ? numbersById(nodes, plans) : undefined;
  }

  /** A rank begins a collective: gives its row, and in {@link firstTag} the tag of its first chunk. */
  begin(rank: number, node: number, nowNs: number): CollectiveRow {
    const plan = this.#plans[this.#nodes.partner[node]];
    const group = plan.group + 1;
    const begun = this.#begunOf(rank, group);
    const instance = this.#byId?.instance[node] ?? begun.instances;
    const chunksBefore = this.#byId?.chunksBefore[node] ?? begun.chunks;
    begun.instances++;
    begun.chunks += plan.chunks;
    this.firstTag = this.#firstTag[group] + chunksBefore;
    const allBefore = this.#allChunks[rank];
    this.#allChunks[rank] += plan.chunks;
    const member = { rank, plan, ordinal: this.#nodes.amount[node] };
    const rows = this.#rows[group];
    let row = rows[instance] as CollectiveRow | undefined;
    if (row === undefined) {
      row = new CollectiveRow(plan, instance, nowNs, member, allBefore);
      rows[instance] = row;
    } else {
      if (row.plan !== plan || row.first.ordinal !== member.ordinal) row.other ??= member;
      // By id, the order in which they begin says nothing of what the program does.
      if (row.apart < 0 && row.chunksBefore !== allBefore && this.#byId === undefined) row.apart = rank;
    }
    if (this.#byId !== undefined) (row.begunBy ??= new Set()).add(rank);
    return row;
  }

  /**
   * The collectives by start, group and instance.
   * @param standsFor ranks that each rank stands for
   */
  outcomes(standsFor: number): SystemCollectiveOutcome[] {
    const outcomes: SystemCollectiveOutcome[] = [];
    this.#forEach((group, { plan, instance, startNs, endNs, messages, bytes }) => {
      outcomes.push({
        group,
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
      });
    });
    return outcomes.sort((one, other) => one.startNs - other.startNs);
  }

  /** Collectives that members pair with another one: they begin them in different orders. */
  forEachCrossed(visit: (group: string, row: CollectiveRow, other: Member) => void): void {
    this.#forEach((group, row) => {
      if (row.other !== undefined) visit(group, row, row.other);
    });
  }

  /**
   * The first collective over all ranks before which they have begun different numbers of chunks: the program, which counts those of
   * groups with them, never ends it (astra-sim-semantics section 19).
   */
  firstApart(): CollectiveRow | undefined {
    const [world, ...groups] = this.#rows;
    if (groups.every(({ length }) => length === 0)) return undefined;
    return world.find((row) => row?.apart >= 0);
  }

  /** Whether a rank has begun a collective of a group, which is the index that plans have. */
  hasBegun(rank: number, group: number, instance: number): boolean {
    if (this.#byId !== undefined) return this.#rows[group + 1].at(instance)?.begunBy?.has(rank) === true;
    return (this.#begun.get(rank * this.#groups + group + 1)?.instances ?? 0) > instance;
  }

  groupName(group: number): string {
    return group < 0 ? WORLD : this.#groupNames[group];
  }

  #begunOf(rank: number, group: number): { instances: number; chunks: number } {
    const place = rank * this.#groups + group;
    let begun = this.#begun.get(place);
    if (begun === undefined) {
      begun = { instances: 0, chunks: 0 };
      this.#begun.set(place, begun);
    }
    return begun;
  }

  #forEach(visit: (group: string, row: CollectiveRow) => void): void {
    for (const [group, rows] of this.#rows.entries()) {
      // Numbered by id, a later one may have begun before one that has not.
      for (const row of rows) if (row) visit(this.groupName(group - 1), row);
    }
  }
}

interface NumbersById {
  readonly instance: Int32Array; // [n]
  readonly chunksBefore: Int32Array; // [n]
}

function numbersById(nodes: SystemNodes, plans: readonly CollectivePlan[]): NumbersById {
  const instance = new Int32Array(nodes.length);
  const chunksBefore = new Int32Array(nodes.length);
  const before = new Map<number, { instances: number; chunks: number }>(); // by group
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    before.clear();
    for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
      if (nodes.role[node] !== Role.collective) continue;
      const { group, chunks } = plans[nodes.partner[node]];
      const begun = before.get(group) ?? { instances: 0, chunks: 0 };
      before.set(group, begun);
      instance[node] = begun.instances++;
      chunksBefore[node] = begun.chunks;
      begun.chunks += chunks;
    }
  }
  return { instance, chunksBefore };
}

/** @throws PrepError `NUMBER_TOO_LARGE` */
function firstTags(nodes: SystemNodes, plans: readonly CollectivePlan[], groups: number): Float64Array {
  const { offset, role, partner, rankCount } = nodes;
  const most = new Float64Array(groups);
  for (let rank = 0; rank < rankCount; rank++) {
    const ofRank = new Map<number, number>();
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (role[node] !== Role.collective) continue;
      const { group, chunks } = plans[partner[node]];
      ofRank.set(group + 1, (ofRank.get(group + 1) ?? 0) + chunks);
    }
    for (const [group, chunks] of ofRank) most[group] = Math.max(most[group], chunks);
  }
  const first = new Float64Array(groups);
  for (let group = 1; group < groups; group++) first[group] = first[group - 1] + most[group - 1];
  const all = first[groups - 1] + most[groups - 1];
  if (all > 1_000_000_000) {
    throw traceError('NUMBER_TOO_LARGE', `${all} chunks of collectives; the run takes at most 1,000,000,000`);
  }
  return first;
}
