import { grown } from '../base/grown.js';

/**
 * One row per transfer, as columns of which the first `length` entries are in use. Times are ps; a time that was not reached within the run is NaN or lies beyond its
 * limit.
 */
export class TransferLog {
  length = 0;
  sender = new Int32Array(0);
  receiver = new Int32Array(0);
  /**
   * Place of the send among the nodes of its rank in ascending id. Transfers of a collective that was not expanded
   * continue behind the last node, in the order expansion numbers them (design 2.3).
   */
  sendPlace = new Float64Array(0);
  bytes = new Float64Array(0); // as sent, after scaling
  traceBytes = new Float64Array(0); // as the trace says, before scaling
  tag = new Float64Array(0);
  start = new Float64Array(0);
  sent = new Float64Array(0);
  received = new Float64Array(0);
  acknowledged = new Float64Array(0);
  collective = new Int32Array(0); // number in the run's collectives, −1 for point-to-point
  addedSync = new Uint8Array(0); // 1 for a transfer of an added barrier

  add(
    sender: number,
    receiver: number,
    sendPlace: number,
    bytes: number,
    traceBytes: number,
    tag: number,
    collective: number,
    addedSync: boolean,
  ): number {
    if (this.length === this.sender.length) this.#grow();
    const row = this.length++;
    this.sender[row] = sender;
    this.receiver[row] = receiver;
    this.sendPlace[row] = sendPlace;
    this.bytes[row] = bytes;
    this.traceBytes[row] = traceBytes;
    this.tag[row] = tag;
    this.collective[row] = collective;
    this.addedSync[row] = addedSync ? 1 : 0;
    return row;
  }

  setTimes(row: number, start: number, sent: number, received: number, acknowledged: number): void {
    this.start[row] = start;
    this.sent[row] = sent;
    this.received[row] = received;
    this.acknowledged[row] = acknowledged;
  }

  /** Rows acknowledged by `stopPs`, in order of acknowledgment; ties by sender, then node. */
  acknowledgedRows(stopPs: number): Int32Array {
    const { acknowledged, sender, sendPlace } = this;
    let count = 0;
    const rows = new Int32Array(this.length);
    for (let row = 0; row < this.length; row++) if (acknowledged[row] <= stopPs) rows[count++] = row;
    return rows
      .subarray(0, count)
      .sort((a, b) => acknowledged[a] - acknowledged[b] || sender[a] - sender[b] || sendPlace[a] - sendPlace[b]);
  }

  #grow(): void {
    const capacity = Math.max(64, 2 * this.sender.length);
    this.sender = grown(this.sender, capacity);
    this.receiver = grown(this.receiver, capacity);
    this.sendPlace = grown(this.sendPlace, capacity);
    this.bytes = grown(this.bytes, capacity);
    this.traceBytes = grown(this.traceBytes, capacity);
    this.tag = grown(this.tag, capacity);
    this.start = grown(this.start, capacity);
    this.sent = grown(this.sent, capacity);
    this.received = grown(this.received, capacity);
    this.acknowledged = grown(this.acknowledged, capacity);
    this.collective = grown(this.collective, capacity);
    this.addedSync = grown(this.addedSync, capacity);
  }
}
