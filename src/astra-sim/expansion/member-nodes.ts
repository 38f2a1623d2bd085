import { traceError } from '../../base/errors.js';
import { formatId } from '../../base/ids.js';
import type { PlannedCollectives } from '../../collectives/algorithm-choice.js';
import type { CollectiveInstance } from '../../collectives/plan.js';
import { idHighOf, type CollectiveSurvey } from '../../collectives/survey.js';
import { collectiveName } from '../../trace/collective-type.js';

/** The node of one member of a collective. */
export interface MemberNode {
  readonly rank: number;
  readonly id: bigint;
  /** `rank 3 node 7`. */
  readonly label: string;
  /** `involved_dim`. */
  readonly involved: readonly boolean[] | undefined;
}

/** The nodes that collectives consist of, and what all members of one have to agree on for the system layer. */
export class MemberNodes {
  readonly #surveys: readonly CollectiveSurvey[];
  readonly #start: Int32Array; // [instances + 1] first member of each
  readonly #survey: Int32Array; // [members] place in surveys
  readonly #place: Int32Array; // [members] place in the survey
  readonly #namesDimensions: boolean;

  constructor({ instances, ranks, surveys }: PlannedCollectives) {
    this.#surveys = surveys;
    this.#namesDimensions = surveys.some(({ involvedDimensions }) => (involvedDimensions?.size ?? 0) > 0);
    const start = new Int32Array(instances.length + 1);
    for (const { rank } of surveys) for (const place of ranks[rank].instance) start[place + 1]++;
    for (let place = 0; place < instances.length; place++) start[place + 1] += start[place];
    this.#start = start;
    this.#survey = new Int32Array(start[instances.length]);
    this.#place = new Int32Array(start[instances.length]);
    const next = start.slice();
    for (const [index, { rank, node: surveyed }] of surveys.entries()) {
      const { node, instance } = ranks[rank];
      let place = 0;
      for (let at = 0; at < node.length; at++) {
        // Both are in ascending id; the plan leaves some out.
        while (surveyed[place] !== node[at]) place++;
        const member = next[instance[at]]++;
        this.#survey[member] = index;
        this.#place[member] = place;
      }
    }
  }

  /** Node of the member with the lowest rank. */
  first(instance: number): MemberNode {
    return this.#node(this.#start[instance]);
  }

  /** Ranks of the members, ascending. */
  ranks(instance: number): number[] {
    const members = this.#survey.subarray(this.#start[instance], this.#start[instance + 1]);
    return Array.from(members, (index) => this.#surveys[index].rank);
  }

  /** @throws PrepError `SYSTEM_COLLECTIVE` where members name different dimensions */
  involved(instance: CollectiveInstance): readonly boolean[] | undefined {
    if (!this.#namesDimensions) return undefined;
    const [first, ...others] = this.#nodes(instance.place);
    const text = ({ involved }: MemberNode): string => JSON.stringify(involved ?? 'none');
    const other = others.find((member) => text(member) !== text(first));
    if (other === undefined) return first.involved;
    throw traceError(
      'SYSTEM_COLLECTIVE',
      `${nameOf(instance)} has involved_dim ${text(first)} on ${first.label}, ${text(other)} on ${other.label}`,
    );
  }

  /**
   * A node of the collective that stands for all in the implementations of single nodes.
   * @throws PrepError `SYSTEM_CUSTOM` where these make members run different algorithms
   */
  customNode(instance: CollectiveInstance, byNode: ReadonlyMap<bigint, string>): bigint {
    if (byNode.size === 0) return this.first(instance.place).id;
    const [first, ...others] = this.#nodes(instance.place);
    const other = others.find(({ id }) => byNode.get(id) !== byNode.get(first.id));
    if (other === undefined) return first.id;
    const text = ({ id, label }: MemberNode): string =>
      `${byNode.get(id) ?? 'no implementation of its own'} on ${label}`;
    throw traceError('SYSTEM_CUSTOM', `${nameOf(instance)} has ${text(first)}, ${text(other)}; expected one on all`);
  }

  #nodes(instance: number): MemberNode[] {
    const nodes: MemberNode[] = [];
    for (let member = this.#start[instance]; member < this.#start[instance + 1]; member++) {
      nodes.push(this.#node(member));
    }
    return nodes;
  }

  #node(member: number): MemberNode {
    const survey = this.#surveys[this.#survey[member]];
    const place = this.#place[member];
    const low = survey.idLow[place];
    const high = idHighOf(survey, place);
    return {
      rank: survey.rank,
      id: (BigInt(high) << 32n) | BigInt(low),
      label: `rank ${survey.rank} node ${formatId(low, high)}`,
      involved: survey.involvedDimensions?.get(place),
    };
  }
}

function nameOf({ group, type, instance }: CollectiveInstance): string {
  return `${group.name}: ${collectiveName(type)} ${instance}`;
}
