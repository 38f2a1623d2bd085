import { PACKET_KINDS } from '../fabric/packet-record.js';

/** What the NICs of a run counted, by node id of the host: [nodes] each. */
export class HostCounters {
  /** [nodes × kinds] packets whose serialisation has ended, and packets that have arrived. */
  readonly packetsSent: Float64Array;
  readonly packetsReceived: Float64Array;
  readonly retransmissions: Float64Array;
  readonly timeouts: Float64Array;
  /** Packets that had arrived before. */
  readonly duplicates: Float64Array;
  /** Packets that arrived while an earlier one of their message was missing. */
  readonly outOfOrder: Float64Array;
  /** Data packets that found no room in the receive pool (NIC-4); they have not arrived. */
  readonly poolDrops: Float64Array;
  readonly messagesPosted: Float64Array;
  /** Acknowledged. */
  readonly messagesCompleted: Float64Array;
  /** From the end of a packet's serialisation to the acknowledgment that it drew, ps. */
  readonly rtt: Samples;
  /** Window in bytes, or rate in Gbit/s, whenever it changes. */
  readonly pace: Samples;

  constructor(nodes: number) {
    this.packetsSent = new Float64Array(nodes * PACKET_KINDS);
    this.packetsReceived = new Float64Array(nodes * PACKET_KINDS);
    this.retransmissions = new Float64Array(nodes);
    this.timeouts = new Float64Array(nodes);
    this.duplicates = new Float64Array(nodes);
    this.outOfOrder = new Float64Array(nodes);
    this.poolDrops = new Float64Array(nodes);
    this.messagesPosted = new Float64Array(nodes);
    this.messagesCompleted = new Float64Array(nodes);
    this.rtt = new Samples(nodes);
    this.pace = new Samples(nodes);
  }
}

/** Least, mean and greatest of values since the start or the last {@link clear}: [nodes] each. */
export class Samples {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;

  constructor(nodes: number) {
    this.count = new Float64Array(nodes);
    this.sum = new Float64Array(nodes);
    this.least = new Float64Array(nodes).fill(Infinity);
    this.greatest = new Float64Array(nodes).fill(-Infinity);
  }

  add(node: number, value: number): void {
    this.count[node]++;
    this.sum[node] += value;
    if (value < this.least[node]) this.least[node] = value;
    if (value > this.greatest[node]) this.greatest[node] = value;
  }

  clear(node: number): void {
    this.count[node] = 0;
    this.sum[node] = 0;
    this.least[node] = Infinity;
    this.greatest[node] = -Infinity;
  }
}
