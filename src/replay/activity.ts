/**
 * For how long each rank computed, communicated, and communicated without computing: lengths of unions of intervals, kept
 * up as the run goes. A communication whose end is known when it starts counts through `extend`, one whose end is not
 * known is open.
 */
export class Activity {
  readonly computePs: Float64Array; // [ranks]
  readonly communicationPs: Float64Array; // [ranks]
  readonly exposedPs: Float64Array; // [ranks] communication while no compute or memory node ran
  readonly #computing: Int32Array; // [ranks] compute and memory nodes running
  readonly #open: Int32Array; // [ranks] communications running whose end is not known
  readonly #until: Float64Array; // [ranks] latest known end of a communication, ps
  readonly #counted: Float64Array; // [ranks] everything before is in the sums, ps

  /** @param startPs when the ranks start */
  constructor(ranks: number, startPs = 0) {
    this.computePs = new Float64Array(ranks);
    this.communicationPs = new Float64Array(ranks);
    this.exposedPs = new Float64Array(ranks);
    this.#computing = new Int32Array(ranks);
    this.#open = new Int32Array(ranks);
    this.#until = new Float64Array(ranks).fill(startPs);
    this.#counted = new Float64Array(ranks).fill(startPs);
  }

  computeStarts(rank: number, now: number): void {
    this.advance(rank, now);
    this.#computing[rank]++;
  }

  computeEnds(rank: number, now: number): void {
    this.advance(rank, now);
    this.#computing[rank]--;
  }

  opens(rank: number, now: number): void {
    this.advance(rank, now);
    this.#open[rank]++;
  }

  /** An open communication ends at `end`, now or later. */
  closes(rank: number, now: number, end: number): void {
    this.extend(rank, now, end);
    this.#open[rank]--;
  }

  /** A communication runs from `now` to `end`. */
  extend(rank: number, now: number, end: number): void {
    this.advance(rank, now);
    if (end > this.#until[rank]) this.#until[rank] = end;
  }

  /** Brings the sums of a rank up to `now`. */
  advance(rank: number, now: number): void {
    const since = this.#counted[rank];
    if (now <= since) return;
    this.#counted[rank] = now;
    const end = this.#open[rank] > 0 || this.#until[rank] > now ? now : this.#until[rank];
    const communication = end > since ? end - since : 0;
    this.communicationPs[rank] += communication;
    if (this.#computing[rank] > 0) this.computePs[rank] += now - since;
    else this.exposedPs[rank] += communication;
  }
}
