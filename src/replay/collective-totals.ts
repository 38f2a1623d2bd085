/** Which collective a row of {@link CollectiveTotals} is about. */
export interface CollectiveRow {
  readonly group: string;
  /** A CollectiveType number. */
  readonly type: number;
  readonly instance: number;
  algorithm: string;
  /** `comm_size`, bytes. */
  readonly size: number;
  /** Members of the group that take part. */
  groupSize: number;
  /** Transfers sent, and their bytes. */
  transfers: number;
  bytes: number;
  /** Over the members that have started: their first starts, the earliest and the latest, ps; NaN while none has. */
  earliestStartPs: number;
  latestStartPs: number;
  /** Latest acknowledgment or finished receive, ps; NaN while there is none. */
  endPs: number;
  /** Members all of whose sends and receives have finished. */
  membersFinished: number;
}

/** The collectives of a run; added barriers do not count. */
export class CollectiveTotals {
  readonly rows: CollectiveRow[] = [];
  readonly #known = new Map<string, number>();

  /** Number of a collective; group, type and instance say which it is. */
  row(group: string, type: number, instance: number, size: number): number {
    const key = `${instance} ${type} ${group}`;
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.rows.length;
      this.#known.set(key, number);
      this.rows.push({
        group,
        type,
        instance,
        algorithm: '',
        size,
        groupSize: 0,
        transfers: 0,
        bytes: 0,
        earliestStartPs: NaN,
        latestStartPs: NaN,
        endPs: NaN,
        membersFinished: 0,
      });
    }
    return number;
  }

  /** A member's first transfer starts. */
  memberStarts(number: number, timePs: number): void {
    const row = this.rows[number];
    if (!(row.earliestStartPs <= timePs)) row.earliestStartPs = timePs;
    if (!(row.latestStartPs >= timePs)) row.latestStartPs = timePs;
  }

  /** An acknowledgment or a finished receive. */
  reaches(number: number, timePs: number): void {
    const row = this.rows[number];
    if (!(row.endPs >= timePs)) row.endPs = timePs;
  }
}
