/**
 * What each rank has done, one entry a rank. Transfers of added barriers count nowhere here but in `lastPs`, because their
 * acknowledgments hold up the rank's end.
 */
export class RankTotals {
  readonly nodesStarted: Float64Array;
  readonly nodesFinished: Float64Array;
  readonly sends: Float64Array;
  readonly receives: Float64Array;
  readonly acknowledged: Float64Array;
  readonly bytesSent: Float64Array; // of finished sends
  readonly bytesReceived: Float64Array; // of finished receives, as their senders state it
  readonly computations: Float64Array;
  readonly computationMicros: Float64Array; // sum of trace durations
  /** Latest finish of a node, or acknowledgment of a transfer the rank sent or received, ps; may lie beyond the limit. */
  readonly lastPs: Float64Array;
  /** Transfers the rank sent or received whose acknowledgment never comes: the network is stuck. */
  readonly unacknowledged: Float64Array;

  /** @param startPs when the ranks start */
  constructor(ranks: number, startPs = 0) {
    this.nodesStarted = new Float64Array(ranks);
    this.nodesFinished = new Float64Array(ranks);
    this.sends = new Float64Array(ranks);
    this.receives = new Float64Array(ranks);
    this.acknowledged = new Float64Array(ranks);
    this.bytesSent = new Float64Array(ranks);
    this.bytesReceived = new Float64Array(ranks);
    this.computations = new Float64Array(ranks);
    this.computationMicros = new Float64Array(ranks);
    this.lastPs = new Float64Array(ranks).fill(startPs);
    this.unacknowledged = new Float64Array(ranks);
  }

  /** Something of the rank ends at `timePs`. */
  reaches(rank: number, timePs: number): void {
    if (timePs > this.lastPs[rank]) this.lastPs[rank] = timePs;
  }

  /** A transfer that the rank sent or received is acknowledged at `timePs`; NaN for never. */
  acknowledges(rank: number, timePs: number): void {
    if (Number.isNaN(timePs)) this.unacknowledged[rank]++;
    else this.reaches(rank, timePs);
  }
}
