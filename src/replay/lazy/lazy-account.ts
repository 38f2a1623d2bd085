import type { CollectiveTotals } from '../collective-totals.js';
import type { RankTotals } from '../rank-totals.js';
import type { TransferLog } from '../transfer-log.js';

/** What the transfers of all collectives of a run count into. */
export interface LazyRun {
  readonly totals: RankTotals;
  readonly collectives: CollectiveTotals;
  readonly log: TransferLog | undefined;
  /** Last instant of the run, ps; what lies beyond is not counted. */
  readonly stopPs: number;
}

/**
 * Counts the transfers of one collective, or of the barrier before it, exactly as a replay of the expanded traces counts
 * them.
 */
export class LazyAccount {
  /** Whether each transfer must be reported; otherwise those of a whole evaluation may be counted together. */
  readonly wantsEach: boolean;
  readonly stopPs: number;
  readonly #run: LazyRun;
  readonly #ranks: readonly number[];
  readonly #collective: number;
  readonly #addedSync: boolean;
  readonly #tag: number;
  readonly #firstPlace: Float64Array | undefined;

  /**
   * @param ranks by position
   * @param collective number in the run's collectives
   * @param tag of the transfer with index 0
   * @param firstPlace by position: place of the first send or receive of the share, for the log
   */
  constructor(
    run: LazyRun,
    ranks: readonly number[],
    collective: number,
    addedSync: boolean,
    tag: number,
    firstPlace: Float64Array | undefined,
  ) {
    this.#run = run;
    this.#ranks = ranks;
    this.#collective = collective;
    this.#addedSync = addedSync;
    this.#tag = tag;
    this.#firstPlace = firstPlace;
    this.wantsEach = run.log !== undefined;
    this.stopPs = run.stopPs;
  }

  /** Everything the member sends and receives may start. */
  memberStarts(timePs: number): void {
    if (!this.#addedSync && timePs <= this.stopPs) this.#run.collectives.memberStarts(this.#collective, timePs);
  }

  /** All sends and receives of a member have finished. */
  memberFinishes(timePs: number): void {
    if (!this.#addedSync && timePs <= this.stopPs) this.#run.collectives.rows[this.#collective].membersFinished++;
  }

  /** A transfer between two positions; `place` is that of the send in its share. */
  send(
    from: number,
    to: number,
    bytes: number,
    index: number,
    place: number,
    start: number,
    sent: number,
    received: number,
    acknowledged: number,
  ): void {
    const until = this.stopPs;
    if (start > until) return;
    const { totals, collectives, log } = this.#run;
    const sender = this.#ranks[from];
    const receiver = this.#ranks[to];
    totals.reaches(sender, acknowledged);
    totals.reaches(receiver, acknowledged);
    if (!this.#addedSync) {
      if (sent <= until) {
        totals.sends[sender]++;
        totals.bytesSent[sender] += bytes;
        const row = collectives.rows[this.#collective];
        row.transfers++;
        row.bytes += bytes;
      }
      if (acknowledged <= until) {
        totals.acknowledged[sender]++;
        collectives.reaches(this.#collective, acknowledged);
      }
    }
    if (log !== undefined) {
      const first = this.#firstPlace![from];
      const row = log.add(
        sender,
        receiver,
        first + place,
        bytes,
        bytes,
        this.#tag + index,
        this.#collective,
        this.#addedSync,
      );
      log.setTimes(row, start, sent, received, acknowledged);
    }
  }

  /** Receives of a position that finish, the last of them at `timePs`; Infinity when they never do. */
  receive(at: number, count: number, bytes: number, timePs: number): void {
    if (count === 0 || timePs === Infinity) return;
    const { totals, collectives } = this.#run;
    const rank = this.#ranks[at];
    totals.reaches(rank, timePs);
    if (timePs > this.stopPs || this.#addedSync) return;
    totals.receives[rank] += count;
    totals.bytesReceived[rank] += bytes;
    collectives.reaches(this.#collective, timePs);
  }

  /** A position has done `count` sends and as many receives, all within the run. */
  sendsAndReceives(at: number, count: number, bytes: number, lastAcknowledged: number, lastReceived: number): void {
    const { totals, collectives } = this.#run;
    const rank = this.#ranks[at];
    totals.reaches(rank, lastAcknowledged);
    if (this.#addedSync) return;
    totals.sends[rank] += count;
    totals.receives[rank] += count;
    totals.acknowledged[rank] += count;
    totals.bytesSent[rank] += bytes;
    totals.bytesReceived[rank] += bytes;
    const row = collectives.rows[this.#collective];
    row.transfers += count;
    row.bytes += bytes;
    collectives.reaches(this.#collective, lastAcknowledged);
    collectives.reaches(this.#collective, lastReceived);
  }
}
