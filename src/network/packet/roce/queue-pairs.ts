import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 64;

/** Queue pairs, one way each: what the sender and the receiver of each know. −1 stands for no message. */
export class QueuePairs {
  count = 0;
  /** Node ids of the hosts. */
  source = new Int32Array(FIRST_CAPACITY);
  destination = new Int32Array(FIRST_CAPACITY);
  /** UDP source port. */
  entropy = new Int32Array(FIRST_CAPACITY);
  /** Port of the sending host. */
  port = new Int32Array(FIRST_CAPACITY);
  /** Sender: the oldest packet that is not acknowledged, the next one to send, the one behind the last that was ever sent. */
  oldest = new Int32Array(FIRST_CAPACITY);
  next = new Int32Array(FIRST_CAPACITY);
  fresh = new Int32Array(FIRST_CAPACITY);
  /** Behind the last packet of all messages that were posted. */
  end = new Int32Array(FIRST_CAPACITY);
  /** Messages: the oldest that is not acknowledged, that of the next packet, the last. */
  oldestMessage = new Int32Array(FIRST_CAPACITY);
  nextMessage = new Int32Array(FIRST_CAPACITY);
  lastMessage = new Int32Array(FIRST_CAPACITY);
  /** When the oldest packet is given up, ps, Infinity where none is outstanding, and when somebody looks next. */
  timeoutPs = new Float64Array(FIRST_CAPACITY);
  timeoutLookPs = new Float64Array(FIRST_CAPACITY);
  /** The earliest start of the next packet, ps, and when somebody looks next. */
  pacedUntilPs = new Float64Array(FIRST_CAPACITY);
  paceLookPs = new Float64Array(FIRST_CAPACITY);
  /** Rate at the last start, Gbit/s, 0 before it was ever reduced. */
  gbps = new Float64Array(FIRST_CAPACITY);
  /** 1 from the post to an idle queue pair until it may join the ring. */
  isStarting = new Uint8Array(FIRST_CAPACITY);
  /** Receiver: the packet it expects and its message, packets held back from acknowledgment, 1 after a NAK. */
  expected = new Int32Array(FIRST_CAPACITY);
  expectedMessage = new Int32Array(FIRST_CAPACITY);
  held = new Int32Array(FIRST_CAPACITY);
  isRefused = new Uint8Array(FIRST_CAPACITY);
  /** When held packets are acknowledged at the latest, ps, Infinity for none, and when somebody looks next. */
  holdPs = new Float64Array(FIRST_CAPACITY);
  holdLookPs = new Float64Array(FIRST_CAPACITY);
  /** Port of the receiving host at which the first of the packets that are held back arrived. */
  arrivalPort = new Int32Array(FIRST_CAPACITY);
  /** When the last CNP was sent, ps. */
  cnpPs = new Float64Array(FIRST_CAPACITY);

  /** A new queue pair, its number. */
  add(source: number, destination: number, entropy: number, port: number): number {
    if (this.count === this.source.length) this.#grow();
    const pair = this.count++;
    this.source[pair] = source;
    this.destination[pair] = destination;
    this.entropy[pair] = entropy;
    this.port[pair] = port;
    this.oldestMessage[pair] = -1;
    this.nextMessage[pair] = -1;
    this.lastMessage[pair] = -1;
    this.expectedMessage[pair] = -1;
    this.timeoutPs[pair] = Infinity;
    this.timeoutLookPs[pair] = Infinity;
    this.paceLookPs[pair] = Infinity;
    this.holdPs[pair] = Infinity;
    this.holdLookPs[pair] = Infinity;
    this.cnpPs[pair] = -Infinity;
    return pair;
  }

  #grow(): void {
    const length = 2 * this.count;
    for (const [name, column] of Object.entries(this) as [keyof this, unknown][]) {
      if (ArrayBuffer.isView(column)) this[name] = grown(column as Int32Array, length) as this[keyof this];
    }
  }
}
