import { CATALOGUE } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import { traceError, type PrepError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import type { AlgorithmChoice, ChosenAlgorithms, PlannedCollectives } from '../../collectives/algorithm-choice.js';
import type { Algorithm } from '../../collectives/algorithm.js';
import type { CollectiveInstance } from '../../collectives/plan.js';
import { collectiveName } from '../../trace/collective-type.js';
import { NodeType, nodeTypeName } from '../../trace/node-type.js';
import { WORLD, type ProcessGroup } from '../../trace/process-group.js';
import type { AskedCollective } from '../asked-collective.js';
import { SYSTEM_COLLECTIVE_OF, type CollectivePlan } from '../collective-plan.js';
import { readAlgorithm } from '../custom-collectives.js';
import type { NodePlace } from '../node-place.js';
import { PlanCatalogue } from '../plan-catalogue.js';
import type { CollectiveSetting, SystemRun } from '../system-run.js';
import { firstTurns, takesTurns, TurnCounters, type Turns } from '../turn-counters.js';
import { beginOrder } from './begin-order.js';
import { customScript } from './custom-script.js';
import { ExpansionNotes } from './expansion-notes.js';
import { MemberNodes, type MemberNode } from './member-nodes.js';
import { phasedScript } from './phased-script.js';
import { scriptAlgorithm } from './script-algorithm.js';
import { turnsKey } from './turns-key.js';

/** What an expansion by the system layer's algorithms follows from. */
export type ExpansionSetting = CollectiveSetting &
  Pick<SystemRun, 'withCustomTrace'> & {
    /** `--num-queues-per-dim`. */
    readonly queuesPerDimension: number;
    /** Dependencies that count in traces of custom collectives. */
    readonly deps: 'both' | 'data';
  };

/**
 * Gives collectives the transfers that ASTRA-sim's system layer makes of them, as far as a static graph can carry them; those that it
 * does not run keep the algorithms of their types. Ranks are taken to begin their collectives in ascending node id.
 */
export class SystemChoice implements AlgorithmChoice {
  readonly #setting: ExpansionSetting;

  constructor(setting: ExpansionSetting) {
    this.#setting = setting;
  }

  /**
   * @throws PrepError what {@link PlanCatalogue.numberOf} throws, `SYSTEM_COLLECTIVE`, `SYSTEM_CUSTOM`, and `ASTRA_GROUP_ZERO` for a group `0` of a few
   *   ranks, whose collectives ASTRA-sim runs over all
   */
  choose(planned: PlannedCollectives): ChosenAlgorithms {
    return new Choosing(this.#setting, planned).chosen();
  }
}

class Choosing {
  readonly #setting: ExpansionSetting;
  readonly #planned: PlannedCollectives;
  readonly #members: MemberNodes;
  readonly #catalogue: PlanCatalogue;
  readonly #notes = new ExpansionNotes();
  /** Each script once, by all that it follows from. */
  readonly #algorithms = new Map<string, Algorithm>();

  constructor(setting: ExpansionSetting, planned: PlannedCollectives) {
    this.#setting = setting;
    this.#planned = planned;
    this.#members = new MemberNodes(planned);
    this.#catalogue = new PlanCatalogue(setting);
  }

  chosen(): ChosenAlgorithms {
    const { instances, expanded } = this.#planned;
    const planNumbers = instances.map((instance) => (expanded[instance.place] === 1 ? -1 : this.#planNumber(instance)));
    const turns = this.#turns(planNumbers);
    const algorithms = instances.map((instance) => {
      const number = planNumbers[instance.place];
      return number < 0 ? undefined : this.#algorithm(instance, number, turns[instance.place]);
    });
    return { algorithms, findings: this.#findings(planNumbers) };
  }

  #findings(planNumbers: readonly number[]): Finding[] {
    if (planNumbers.some((number) => number >= 0)) this.#notes.timesLeftOut(this.#setting.system);
    return this.#notes.findings();
  }

  /** Number of the plan of a collective, −1 where the system layer does not run it. */
  #planNumber(instance: CollectiveInstance): number {
    const { type, group, size, splits } = instance;
    const first = this.#members.first(instance.place);
    if (SYSTEM_COLLECTIVE_OF[type] === undefined) {
      this.#notes.ownAlgorithm(instance, first);
      return -1;
    }
    if (group.name === '0' && group.ranks.length < this.#setting.rankCount) throw notTheWorld(group, first);
    if (splits !== undefined) this.#notes.splitsUnused(instance, first);
    const asked: AskedCollective = {
      type,
      bytes: size,
      group: group.name === WORLD ? '' : group.name,
      involved: this.#members.involved(instance),
      id: this.#members.customNode(instance, this.#setting.system.customByNode),
      place: () => placeOfMember(first),
    };
    return this.#catalogue.numberOf(asked, group.ranks[0]);
  }

  /**
   * The turns of each collective: those of the member with the lowest rank, where members are in different ones; all are in the
   * same turn after it.
   */
  #turns(planNumbers: readonly number[]): Turns[] {
    const { instances, ranks } = this.#planned;
    const { queuesPerDimension, network } = this.#setting;
    const counters = new TurnCounters(ranks.length, network.dimensions.length);
    const turns = new Array<Turns>(instances.length);
    const order = beginOrder(
      ranks.map(({ instance }) => [...instance]),
      instances.length,
    );
    for (const place of order) {
      const plan = this.#plan(planNumbers[place]);
      if (plan === undefined) continue;
      if (!takesTurns(plan, queuesPerDimension)) {
        turns[place] = firstTurns(plan);
        continue;
      }
      const members = this.#members.ranks(place);
      const chosen = counters.turns(members[0], plan);
      const key = turnsKey(plan, chosen, queuesPerDimension);
      const isOther = (rank: number): boolean => turnsKey(plan, counters.turns(rank, plan), queuesPerDimension) !== key;
      const other = members.find(isOther);
      if (other !== undefined) this.#notes.turnsDiffer(instances[place], members[0], other);
      for (const rank of members) counters.pass(rank, plan, chosen);
      turns[place] = chosen;
    }
    return turns;
  }

  #plan(number: number): CollectivePlan | undefined {
    return number < 0 ? undefined : this.#catalogue.plans[number];
  }

  #algorithm(instance: CollectiveInstance, number: number, turns: Turns): Algorithm {
    const plan = this.#catalogue.plans[number];
    const key = `${number} ${instance.group.name} ${turnsKey(plan, turns, this.#setting.queuesPerDimension)}`;
    let algorithm = this.#algorithms.get(key);
    if (algorithm === undefined) {
      algorithm =
        plan.custom === undefined
          ? scriptAlgorithm(phasedScript(this.#setting, plan, turns, instance.group.ranks))
          : this.#custom(instance, plan);
      this.#algorithms.set(key, algorithm);
    }
    return algorithm;
  }

  /** A custom collective knows its members by position in a proper group, and by rank elsewhere. */
  #custom({ group, type }: CollectiveInstance, { custom = '', isInGroup }: CollectivePlan): Algorithm {
    const { ranks } = group;
    const nameOf = (position: number): number => (isInGroup ? position : ranks[position]);
    const positionOf = new Map(ranks.map((_, position) => [nameOf(position), position]));
    const { deps, withCustomTrace } = this.#setting;
    const positions = ranks.map((_, position) => {
      const name = nameOf(position);
      const nodes = withCustomTrace(custom, name, (trace) => readAlgorithm(trace, name, ranks.length, deps));
      for (let node = 0; node < nodes.length; node++) nodes.partner[node] = positionOf.get(nodes.partner[node]) ?? -1;
      return nodes;
    });
    const { script, computations } = customScript(`astra-sim:${lastName(custom)}`, custom, positions);
    if (computations > 0) this.#notes.computationLeftOut(collectiveName(type), custom, computations);
    return scriptAlgorithm(script);
  }
}

function notTheWorld({ ranks }: ProcessGroup, { label }: MemberNode): PrepError {
  const message = `${label}: group "0" has ${counted(ranks.length, 'rank')}, and ASTRA-sim takes it for all`;
  return traceError('ASTRA_GROUP_ZERO', message, [], CATALOGUE.ASTRA_GROUP_ZERO.advice);
}

/** `ring` of `custom/ring`. */
function lastName(prefix: string): string {
  return prefix.slice(prefix.lastIndexOf('/') + 1);
}

function placeOfMember({ rank, id, label }: MemberNode): NodePlace {
  const number = Number(id);
  return {
    rank,
    id: Number.isSafeInteger(number) ? number : String(id),
    name: '',
    type: nodeTypeName(NodeType.collective),
    short: String(id),
    label,
  };
}
