import { CATALOGUE } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { requestError, traceError } from '../base/errors.js';
import { rankList } from '../base/rank-runs.js';
import { CollectiveType, collectiveName } from '../trace/collective-type.js';
import { nameOf, planCollective, SYSTEM_COLLECTIVE_OF, type CollectivePlan, type Phase } from './collective-plan.js';
import type { AskedCollective } from './asked-collective.js';
import { groupDimension, wholeDimension } from './logical-dimension.js';
import type { NodePlace } from './node-place.js';
import { Pattern } from './phase-shape.js';
import type { CollectiveSetting } from './system-run.js';
import type { Implementation, SystemCollective } from './system-configuration.js';

/** Keys of the system file that say how collectives run. */
export const IMPLEMENTATION_KEY: Readonly<Record<SystemCollective, string>> = {
  allReduce: 'all-reduce-implementation',
  allGather: 'all-gather-implementation',
  reduceScatter: 'reduce-scatter-implementation',
  allToAll: 'all-to-all-implementation',
};

/** Who asks for the collectives of a plan. */
export interface PlanUse {
  readonly first: NodePlace;
  readonly collective: SystemCollective;
  /** Whether the first node names dimensions. */
  readonly namesDimensions: boolean;
  /** Nodes, one a member. */
  nodes: number;
}

/** The plans of the collectives of a run, each made once. */
export class PlanCatalogue {
  readonly plans: CollectivePlan[] = [];
  /** [plans] */
  readonly uses: PlanUse[] = [];
  /** Names of the groups that collectives run in, by the index that plans have. */
  readonly groups: string[] = [];
  readonly #run: CollectiveSetting;
  readonly #byKey = new Map<string, number>();
  /** Groups that are a proper part of all ranks, with their members once more as a set. */
  readonly #parts = new Map<string, { readonly ranks: readonly number[]; readonly members: ReadonlySet<number> }>();

  constructor(run: CollectiveSetting) {
    this.#run = run;
    for (const [name, { ranks }] of run.groups) {
      const members = new Set(ranks);
      if (name !== '0' && members.size < run.rankCount) this.#parts.set(name, { ranks, members });
    }
  }

  /**
   * Number of the plan of a collective.
   * @throws PrepError `ASTRA_COLLECTIVE_TYPE` for a kind that the system does not run, `SYSTEM_IMPLEMENTATION` for an algorithm
   *   that cannot run there, `ASTRA_SIZE_ZERO`, `GROUP_UNDECLARED`, `RANK_OUTSIDE_GROUP`
   */
  numberOf(asked: AskedCollective, rank: number): number {
    const { system } = this.#run;
    const collective = SYSTEM_COLLECTIVE_OF[asked.type];
    if (collective === undefined) {
      const expected = 'expected AllReduce, AllGather, ReduceScatter, AllToAll or Broadcast';
      throw traceError(
        'ASTRA_COLLECTIVE_TYPE',
        `${asked.place().label}: ${collectiveName(asked.type)}; ${expected}, ASTRA-sim runs no other`,
        [],
        CATALOGUE.ASTRA_COLLECTIVE_TYPE.advice,
      );
    }
    const custom = system.customByNode.get(asked.id) ?? system.customImplementations[collective];
    const group = this.#groupOf(asked.group);
    const key = [asked.type, asked.bytes, group, asked.involved?.map(Number).join('') ?? '', custom ?? ''].join(':');
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.plans.push(this.#make(asked, collective, group, custom)) - 1;
      this.#byKey.set(key, number);
      const namesDimensions = asked.involved !== undefined;
      this.uses.push({ first: asked.place(), collective, namesDimensions, nodes: 0 });
    }
    this.uses[number].nodes++;
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
    const { type, bytes, involved } = asked;
    const ranks = this.#parts.get(asked.group)?.ranks;
    if (custom !== undefined) {
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
    const implementations = this.implementations(collective);
    const key = IMPLEMENTATION_KEY[collective];
    if (implementations === undefined) {
      throw requestError(
        'SYSTEM_IMPLEMENTATION',
        `${asked.place().label}: ${system.file} has no ${key}`,
        `add "${key}"`,
      );
    }
    const { length: dimensions } = network.dimensions;
    if (implementations.length > dimensions) {
      const entries = `${key} has ${implementations.length} entries`;
      throw requestError(
        'SYSTEM_IMPLEMENTATION',
        `${system.file}: ${entries}, the network ${counted(dimensions, 'dimension')}; expected as many or fewer`,
        'take out the entries that have no dimension',
      );
    }
    if (collective === 'allGather' && bytes === 0) {
      const message = `${asked.place().label}: AllGather of 0 bytes; expected 1 byte or more`;
      throw traceError('ASTRA_SIZE_ZERO', message, [], CATALOGUE.ASTRA_SIZE_ZERO.advice);
    }
    const plan = planCollective(this.#run, collective, { type, bytes, group, ranks, involved, implementations });
    for (const phase of plan.orders[0]) this.#demandRunnable(phase, asked, collective);
    return plan;
  }

  /** What the system file lists; ring in every dimension where the extension names `hierarchicalRing`. */
  implementations(collective: SystemCollective): readonly Implementation[] | undefined {
    const { system, network } = this.#run;
    if (system.extensions?.hierarchicalRing.has(collective) !== true) return system.implementations[collective];
    return network.dimensions.map(() => ({ algorithm: 'ring', whole: false }));
  }

  /** Where the program stalls, crashes or exits (section 18). */
  #demandRunnable(
    { shape, implementation }: Phase,
    { place, type }: AskedCollective,
    collective: SystemCollective,
  ): void {
    const { pattern, count, distances, sends } = shape;
    const isHalving = pattern === Pattern.halvingDoubling;
    if (!isHalving && pattern !== Pattern.doubleBinaryTree) return;
    const where = `${place().label}: ${IMPLEMENTATION_KEY[collective]} ${nameOf(implementation)}`;
    if (isHalving && type === CollectiveType.allToAll) {
      const message = `${where}: halving-doubling has no AllToAll; expected ring or direct`;
      throw requestError('SYSTEM_IMPLEMENTATION', message, 'use ring or direct there');
    }
    if ((count & (count - 1)) === 0) return;
    // An all-gather ends where everyone has a partner in every step.
    const steps = distances.subarray(0, sends);
    if (isHalving && shape.kind === 'allGather' && steps.every((distance) => count % (2 * distance) === 0)) return;
    throw requestError(
      'SYSTEM_IMPLEMENTATION',
      `${where} over ${count} ranks; expected a power of two`,
      'use ring or direct there',
    );
  }

  #demandMember({ group, place }: AskedCollective, rank: number): void {
    const part = this.#parts.get(group);
    if (part === undefined || part.members.has(rank)) return;
    const { ranks } = part;
    const message = `${place().label}: rank ${rank} is no member of group ${JSON.stringify(group)} (${rankList(ranks)})`;
    throw traceError('RANK_OUTSIDE_GROUP', message, [], CATALOGUE.RANK_OUTSIDE_GROUP.advice);
  }

  /** Index of a group, −1 for all ranks under no name. */
  #groupOf(name: string): number {
    if (name === '' || name === '0') return -1;
    if (!this.#run.groups.has(name)) {
      throw traceError('GROUP_UNDECLARED', `group ${JSON.stringify(name)} is declared nowhere`);
    }
    const index = this.groups.indexOf(name);
    return index >= 0 ? index : this.groups.push(name) - 1;
  }
}
