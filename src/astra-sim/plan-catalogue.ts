import { traceError } from '../base/errors.js';
import { CollectiveType, collectiveName } from '../trace/collective-type.js';
import { planCollective, SYSTEM_COLLECTIVE_OF, type CollectivePlan } from './collective-plan.js';
import type { AskedCollective } from './asked-collective.js';
import { groupDimension, wholeDimension } from './logical-dimension.js';
import { Pattern } from './phase-shape.js';
import type { PlanNotes } from './plan-notes.js';
import type { SystemRun } from './system-run.js';
import type { Implementation, SystemCollective } from './system-configuration.js';

const KEY_OF: Readonly<Record<SystemCollective, string>> = {
  allReduce: 'all-reduce',
  allGather: 'all-gather',
  reduceScatter: 'reduce-scatter',
  allToAll: 'all-to-all',
};

/** The plans of the collectives of a run, each made once. */
export class PlanCatalogue {
  readonly plans: CollectivePlan[] = [];
  /** Names of the groups that collectives run in, by the index that plans have. */
  readonly groups: string[] = [];
  readonly #run: SystemRun;
  readonly #notes: PlanNotes;
  readonly #byKey = new Map<string, number>();
  /** Groups that are a proper part of all ranks, with their members once more as a set. */
  readonly #parts = new Map<string, { readonly ranks: readonly number[]; readonly members: ReadonlySet<number> }>();

  constructor(run: SystemRun, notes: PlanNotes) {
    this.#run = run;
    this.#notes = notes;
    for (const [name, { ranks }] of run.groups) {
      const members = new Set(ranks);
      if (name !== '0' && members.size < run.rankCount) this.#parts.set(name, { ranks, members });
    }
  }

  /**
   * Number of the plan of a collective.
   * @throws PrepError `SYSTEM_COLLECTIVE` for a kind that the system does not run, `SYSTEM_IMPLEMENTATION` for an algorithm that
   *   cannot run there, `GROUP_UNDECLARED`
   */
  numberOf(asked: AskedCollective, rank: number): number {
    const { system } = this.#run;
    const collective = SYSTEM_COLLECTIVE_OF[asked.type];
    if (collective === undefined) {
      throw traceError(
        'SYSTEM_COLLECTIVE',
        `${asked.label}: ${collectiveName(asked.type)} is not run by the system layer; expected AllReduce, AllGather, ReduceScatter or AllToAll`,
      );
    }
    const custom = system.customByNode.get(asked.id) ?? system.customImplementations[collective];
    const group = this.#groupOf(asked.group);
    const key = [asked.type, asked.bytes, group, asked.involved?.map(Number).join('') ?? '', custom ?? ''].join(':');
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.plans.push(this.#make(asked, collective, group, custom)) - 1;
      this.#byKey.set(key, number);
    }
    this.#demandMember(asked, rank);
    return number;
  }

  #make(
    asked: AskedCollective,
    collective: SystemCollective,
    group: number,
    custom: string | undefined,
  ): CollectivePlan {
    const { system, rankCount, network } = this.#run;
    const { type, bytes, involved, label } = asked;
    const ranks = this.#parts.get(asked.group)?.ranks;
    if (custom !== undefined) {
      if (system.datasetSplits !== 1) this.#notes.customSplit(asked, system.datasetSplits);
      return {
        group,
        type,
        bytes,
        chunks: 1,
        chunkBytes: bytes,
        orders: [[]],
        endpointDelayNs: 0,
        isInGroup: ranks !== undefined,
        members: ranks === undefined ? wholeDimension(rankCount) : groupDimension(ranks, rankCount),
        groupSize: ranks?.length ?? rankCount,
        algorithm: custom,
        custom,
      };
    }
    const implementations = this.#implementations(collective);
    const key = `${KEY_OF[collective]}-implementation`;
    if (implementations === undefined) {
      throw traceError('SYSTEM_IMPLEMENTATION', `${label}: ${system.file} has no ${key}`, undefined, `add "${key}"`);
    }
    const { length: dimensions } = network.dimensions;
    if (implementations.length > dimensions) {
      throw traceError(
        'SYSTEM_IMPLEMENTATION',
        `${system.file}: ${key} has ${implementations.length} entries, the network has ${dimensions} dimensions; expected as many or fewer`,
      );
    }
    if (collective === 'allGather' && bytes === 0) {
      throw traceError('SYSTEM_IMPLEMENTATION', `${label}: AllGather of 0 bytes; expected 1 byte or more`);
    }
    const plan = planCollective(this.#run, collective, { type, bytes, group, ranks, involved, implementations });
    this.#demandRunnable(plan, asked, key);
    this.#notes.made(plan, asked, implementations.length);
    return plan;
  }

  /** Ring in every dimension where the extension names `hierarchicalRing`. */
  #implementations(collective: SystemCollective): readonly Implementation[] | undefined {
    const { system, network } = this.#run;
    if (system.extensions?.hierarchicalRing.has(collective) !== true) return system.implementations[collective];
    return network.dimensions.map(() => ({ algorithm: 'ring', whole: false }));
  }

  /** Where the program stalls, crashes or exits (section 18). */
  #demandRunnable({ orders: [phases] }: CollectivePlan, { label, type }: AskedCollective, key: string): void {
    const { network } = this.#run;
    for (const { shape, dimension } of phases) {
      const isHalving = shape.pattern === Pattern.halvingDoubling;
      if (!isHalving && shape.pattern !== Pattern.doubleBinaryTree) continue;
      const where = `${label}: ${key} ${isHalving ? 'halvingDoubling' : 'doubleBinaryTree'}`;
      if (isHalving && type === CollectiveType.allToAll) {
        throw traceError(
          'SYSTEM_IMPLEMENTATION',
          `${where}: halving-doubling has no AllToAll; expected ring or direct`,
        );
      }
      const { count, distances, sends } = shape;
      if ((count & (count - 1)) === 0) continue;
      // An all-gather ends where everyone has a partner in every step.
      const steps = distances.subarray(0, sends);
      if (isHalving && shape.kind === 'allGather' && steps.every((distance) => count % (2 * distance) === 0)) continue;
      throw traceError(
        'SYSTEM_IMPLEMENTATION',
        `${where} over ${shape.count} ranks of ${network.dimensions.length > 1 ? `dimension ${dimension}` : 'the network'}; expected a power of two`,
        undefined,
        'use ring or direct there',
      );
    }
  }

  #demandMember({ group, label }: AskedCollective, rank: number): void {
    if (this.#parts.get(group)?.members.has(rank) ?? true) return;
    throw traceError('SYSTEM_COLLECTIVE', `${label}: rank ${rank} is no member of its group ${JSON.stringify(group)}`);
  }

  /** Index of a group, −1 for all ranks under no name. */
  #groupOf(name: string): number {
    if (name === '' || name === '0') return -1;
    if (!this.#run.groups.has(name)) {
      throw traceError('SYSTEM_COLLECTIVE', `group ${JSON.stringify(name)} is declared nowhere`);
    }
    const index = this.groups.indexOf(name);
    return index >= 0 ? index : this.groups.push(name) - 1;
  }
}
