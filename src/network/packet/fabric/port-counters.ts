/** What was counted at each port of a run, beside what its record counts: [ports] each, and by class where it says so [ports × 2]. */
export class PortCounters {
  /** Packets that found no room at the egress, by class. */
  readonly egressDrops: Float64Array;
  /** Packets that found no room in the headroom of the ingress, by class. */
  readonly ingressDrops: Float64Array;
  /** Frames, and their bytes, lost on the way to this port. */
  readonly losses: Float64Array;
  readonly bytesLost: Float64Array;
  readonly trims: Float64Array;
  readonly marks: Float64Array;
  /** PFC frames by class. */
  readonly xoffsSent: Float64Array;
  readonly xonsSent: Float64Array;
  readonly xoffsReceived: Float64Array;
  readonly xonsReceived: Float64Array;
  /** Time for which the egress has been stopped, ps, by class; without the pause that lasts. */
  readonly pausedPs: Float64Array;
  /** When the pause that lasts began, ps, by class; −1 for none. */
  readonly pausedSincePs: Float64Array;
  /** The most bytes in the headroom of the ingress, by class. */
  readonly peakHeadroomBytes: Float64Array;

  constructor(ports: number) {
    const column = (): Float64Array => new Float64Array(ports);
    const byClass = (): Float64Array => new Float64Array(2 * ports);
    this.egressDrops = byClass();
    this.ingressDrops = byClass();
    this.losses = column();
    this.bytesLost = column();
    this.trims = column();
    this.marks = column();
    this.xoffsSent = byClass();
    this.xonsSent = byClass();
    this.xoffsReceived = byClass();
    this.xonsReceived = byClass();
    this.pausedPs = byClass();
    this.pausedSincePs = byClass().fill(-1);
    this.peakHeadroomBytes = byClass();
  }
}
