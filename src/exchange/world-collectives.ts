import { counted } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import type { ReadableJob } from '../formats/conversion.js';
import { collectiveName } from '../trace/collective-type.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { nodePlace, type SizesMissing } from './demands.js';

/** A collective on one rank. */
export interface MemberNode {
  /** In the numbering of the job. */
  readonly node: number;
  readonly type: number;
  readonly bytes: number;
  /** Rank of the job; 0 where the trace names none. */
  readonly root: number;
}

const EXPAND = 'expand the traces first: chakra-prep expand <in> -o <dir>';

/**
 * The collectives of a job that stay collectives: those over all ranks, of a size that is the same for each. The j-th of a group
 * on a rank belongs to the j-th on the others, in the order of issue where all of the group have one, else by ascending id.
 */
export class WorldCollectives {
  /** [instance] its node on each rank. */
  readonly instances: MemberNode[][] = [];
  readonly #job: ReadableJob;
  readonly #title: string;
  readonly #sizes: SizesMissing;
  /** By group: those of each rank, in their order. */
  readonly #groups = new Map<string, MemberNode[][]>();
  readonly #instanceOf = new Map<number, number>();

  constructor(job: ReadableJob, title: string, sizes: SizesMissing) {
    this.#job = job;
    this.#title = title;
    this.#sizes = sizes;
  }

  /** Takes the collectives of the next rank. */
  add(trace: RankTrace, nodeOf: (index: number) => number): void {
    const { rank, length, type, group, groupNames, idLow, idHigh, issueOrder } = trace;
    const byGroup = new Map<string, number[]>();
    for (let index = 0; index < length; index++) {
      if (type[index] !== NodeType.collective) continue;
      const name = group[index] < 0 ? '' : groupNames[group[index]];
      const known = byGroup.get(name);
      if (known === undefined) byGroup.set(name, [index]);
      else known.push(index);
    }
    for (const [name, indices] of byGroup) {
      const recorded = indices.every((index) => issueOrder.has(index));
      const before = (a: number, b: number): number =>
        recorded ? issueOrder.get(a)! - issueOrder.get(b)! : idHigh[a] - idHigh[b] || idLow[a] - idLow[b];
      let ranks = this.#groups.get(name);
      if (ranks === undefined) {
        this.#demandWorld(trace, name, indices[0]);
        this.#groups.set(name, (ranks = Array.from({ length: this.#job.rankCount }, () => [])));
      }
      ranks[rank] = indices.sort(before).map((index) => this.#member(trace, index, nodeOf(index)));
    }
  }

  /** Pairs them when all ranks are there. @throws PrepError `COLLECTIVE_COUNT`, `COLLECTIVE_TYPE` */
  pair(): void {
    for (const [name, ranks] of this.#groups) {
      const what = name === '' ? 'collectives without a group' : `collectives of process group "${name}"`;
      const [{ length }] = ranks;
      const other = ranks.findIndex((members) => members.length !== length);
      if (other >= 0) {
        const message = `${what}: rank 0 has ${length}, rank ${other} has ${ranks[other].length}`;
        throw traceError('COLLECTIVE_COUNT', message, [], 'validate tells which are missing');
      }
      for (let place = 0; place < length; place++) {
        const members = ranks.map((list) => list[place]);
        const differs = members.findIndex(({ type }) => type !== members[0].type);
        if (differs >= 0) {
          const names = [members[0], members[differs]].map(({ type }) => collectiveName(type));
          const message = `${what}, number ${place + 1}: ${names[0]} on rank 0, ${names[1]} on rank ${differs}`;
          throw traceError('COLLECTIVE_TYPE', message, [], 'validate tells where they part');
        }
        for (const { node } of members) this.#instanceOf.set(node, this.instances.length);
        this.instances.push(members);
      }
    }
  }

  /** Instance that a node belongs to. */
  instance(node: number): number {
    return this.#instanceOf.get(node)!;
  }

  /** Nodes in all, for a count. */
  get count(): string {
    return counted(this.#instanceOf.size, 'collective');
  }

  #member(trace: RankTrace, index: number, node: number): MemberNode {
    const type = trace.commType[index];
    if (type < 0 || trace.splits.has(index)) {
      const what = type < 0 ? 'a collective without a known type' : 'an all-to-all with sizes of its own for each rank';
      throw traceError(
        'COLLECTIVE_NOT_EXPANDED',
        `${nodePlace(trace, index)} is ${what}, for which ${this.#title} has no action`,
        [],
        EXPAND,
      );
    }
    return { node, type, bytes: this.#sizes.bytes(trace, index), root: trace.root.get(index) ?? 0 };
  }

  #demandWorld(trace: RankTrace, name: string, index: number): void {
    const { rankCount, groups } = this.#job;
    const members = name === '' ? undefined : groups.get(name);
    // A group that nobody declares is over all ranks if all ranks have collectives of it; pairing shows that.
    if (members === undefined || new Set(members).size === rankCount) return;
    const message = `${nodePlace(trace, index)} is a collective of process group "${name}", which has ${members.length} of ${rankCount} ranks; ${this.#title} has collectives over all ranks only`;
    throw traceError('COLLECTIVE_NOT_EXPANDED', message, [], EXPAND);
  }
}
