import { CATALOGUE } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { requestError, traceError } from '../base/errors.js';
import { rankList } from '../base/rank-runs.js';
import { collectiveName } from '../trace/collective-type.js';
import { planCollective, SYSTEM_COLLECTIVE_OF, type CollectivePlan } from './collective-plan.js';
import type { AskedCollective } from './asked-collective.js';
import { groupDimension, positionOf, wholeDimension, type LogicalDimension } from './logical-dimension.js';
import type { NodePlace } from './node-place.js';
import { demandRunnable } from './runnable-phase.js';
import type { CollectiveSetting } from './system-run.js';
import { implementationKey, type Implementation, type SystemCollective } from './system-configuration.js';

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
  readonly #groupIndex = new Map<string, number>();
  /** Groups that are a proper part of all ranks. */
  readonly #parts = new Map<string, LogicalDimension>();

  constructor(run: CollectiveSetting) {
    this.#run = run;
    for (const [name, { ranks }] of run.groups) {
      if (name !== '0' && new Set(ranks).size < run.rankCount) this.#parts.set(name, groupDimension(ranks));
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
    const part = this.#parts.get(asked.group);
    if (custom !== undefined) {
      return {
        group,
        type,
        bytes,
        chunks: 1,
        chunkBytes: bytes,
        orders: [[]],
        endpointDelayNs: 0,
        isInGroup: part !== undefined,
        members: part ?? wholeDimension(rankCount),
        groupSize: part?.count ?? rankCount,
        algorithm: custom,
        custom,
      };
    }
    const implementations = this.implementations(collective);
    const key = implementationKey(collective);
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
    if (collective === 'allGather' && bytes === 0 && (part?.count ?? rankCount) > 1) {
      const message = `${asked.place().label}: AllGather of 0 bytes; expected 1 byte or more`;
      throw traceError('ASTRA_SIZE_ZERO', message, [], CATALOGUE.ASTRA_SIZE_ZERO.advice);
    }
    const plan = planCollective(this.#run, collective, { type, bytes, group, part, involved, implementations });
    for (const phase of plan.orders[0]) demandRunnable(phase, asked, collective);
    return plan;
  }

  /** What the system file lists; ring in every dimension where the extension names `hierarchicalRing`. */
  implementations(collective: SystemCollective): readonly Implementation[] | undefined {
    const { system, network } = this.#run;
    if (system.extensions?.hierarchicalRing.has(collective) !== true) return system.implementations[collective];
    return network.dimensions.map(() => ({ algorithm: 'ring', whole: false }));
  }

  #demandMember({ group, place }: AskedCollective, rank: number): void {
    const part = this.#parts.get(group);
    if (part?.members === undefined || positionOf(part, rank) >= 0) return;
    const ranks = Array.from(part.members);
    const message = `${place().label}: rank ${rank} is no member of group ${JSON.stringify(group)} (${rankList(ranks)})`;
    throw traceError('RANK_OUTSIDE_GROUP', message, [], CATALOGUE.RANK_OUTSIDE_GROUP.advice);
  }

  /** Index of a group, −1 for all ranks under no name. */
  #groupOf(name: string): number {
    if (name === '' || name === '0') return -1;
    if (!this.#run.groups.has(name)) {
      throw traceError('GROUP_UNDECLARED', `group ${JSON.stringify(name)} is declared nowhere`);
    }
    let index = this.#groupIndex.get(name);
    if (index === undefined) {
      index = this.groups.push(name) - 1;
      this.#groupIndex.set(name, index);
    }
    return index;
  }
}
