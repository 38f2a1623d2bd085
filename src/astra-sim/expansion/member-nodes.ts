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
  readonly #byInstance: MemberNode[][];

  constructor({ instances, ranks, surveys }: PlannedCollectives) {
    this.#byInstance = instances.map(() => []);
    for (const survey of surveys) {
      const { node, instance } = ranks[survey.rank];
      let place = 0;
      for (let at = 0; at < node.length; at++) {
        // Both are in ascending id; the plan leaves some out.
        while (survey.node[place] !== node[at]) place++;
        this.#byInstance[instance[at]].push(memberNode(survey, place));
      }
    }
  }

  /** Nodes of the members of a collective, in ascending rank. */
  of(instance: number): readonly MemberNode[] {
    return this.#byInstance[instance];
  }

  /** @throws PrepError `SYSTEM_COLLECTIVE` where members name different dimensions */
  involved(instance: CollectiveInstance): readonly boolean[] | undefined {
    const [first, ...others] = this.of(instance.place);
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
    const [first, ...others] = this.of(instance.place);
    const other = others.find(({ id }) => byNode.get(id) !== byNode.get(first.id));
    if (other === undefined) return first.id;
    const text = ({ id, label }: MemberNode): string =>
      `${byNode.get(id) ?? 'no implementation of its own'} on ${label}`;
    throw traceError('SYSTEM_CUSTOM', `${nameOf(instance)} has ${text(first)}, ${text(other)}; expected one on all`);
  }
}

function memberNode(survey: CollectiveSurvey, place: number): MemberNode {
  const low = survey.idLow[place];
  const high = idHighOf(survey, place);
  return {
    rank: survey.rank,
    id: (BigInt(high) << 32n) | BigInt(low),
    label: `rank ${survey.rank} node ${formatId(low, high)}`,
    involved: survey.involvedDimensions?.get(place),
  };
}

function nameOf({ group, type, instance }: CollectiveInstance): string {
  return `${group.name}: ${collectiveName(type)} ${instance}`;
}
