import { finding, type FindingCode } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { collectiveId, type CollectiveSurvey } from './survey.js';

/** Nodes named in one finding; the count tells how many there are. */
const NODES_NAMED = 16;

/** Findings about collectives, one for each code, group and rank (or group alone) however often it occurs. */
export class FoldedFindings {
  readonly #folded = new Map<string, Finding>();

  /**
   * About the collective at `place` of one rank's survey. `message` is asked for the first occurrence only.
   * @param kind tells apart what is not to be folded together under one code
   */
  addOnRank(
    code: FindingCode,
    group: string,
    survey: CollectiveSurvey,
    place: number,
    message: () => string,
    kind = '',
  ): void {
    this.#add(`${code}${kind} ${survey.rank} ${group}`, code, group, survey, place, message);
  }

  /** About an instance of a group, pointing at one member's node. */
  addOnGroup(code: FindingCode, group: string, survey: CollectiveSurvey, place: number, message: () => string): void {
    this.#add(`${code} ${group}`, code, group, survey, place, message);
  }

  /** About several collectives of one rank at once; the message tells how many. */
  addAllOnRank(
    code: FindingCode,
    group: string,
    survey: CollectiveSurvey,
    places: readonly number[],
    message: string,
  ): void {
    const { rank } = survey;
    const nodes = places.slice(0, NODES_NAMED).map((place) => collectiveId(survey, place));
    const count = places.length > 1 ? { count: places.length } : {};
    this.#folded.set(`${code} ${rank} ${group}`, finding(code, message, { rank, nodes, group, ...count }));
  }

  /** About a group as a whole. */
  addGroup(code: FindingCode, group: string, message: string, facts: Partial<Finding> = {}): void {
    this.#folded.set(`${code} ${group}`, finding(code, message, { group, ...facts }));
  }

  /** About the traceset as a whole; the first message of a code stays. */
  addTraceset(code: FindingCode, message: string): void {
    if (!this.#folded.has(code)) this.#folded.set(code, finding(code, message));
  }

  list(): Finding[] {
    return [...this.#folded.values()];
  }

  #add(
    key: string,
    code: FindingCode,
    group: string,
    survey: CollectiveSurvey,
    place: number,
    message: () => string,
  ): void {
    const id = collectiveId(survey, place);
    const known = this.#folded.get(key);
    if (known === undefined) {
      this.#folded.set(key, finding(code, message(), { rank: survey.rank, nodes: [id], group }));
      return;
    }
    known.count = (known.count ?? 1) + 1;
    // Ids of another rank would be read as ids of the finding's rank.
    if (known.rank === survey.rank && known.nodes!.length < NODES_NAMED) known.nodes!.push(id);
  }
}
