import { grown } from '../../base/grown.js';

/** Bytes of source that a node takes, in small traces; columns grow where it takes fewer. */
const BYTES_OF_NODE = 600;

/** Columns of a HostTrace while nodes are added. */
export class HostColumns {
  length = 0;
  id: Float64Array;
  parent: Float64Array;
  name: Int32Array;
  recordId: Float64Array;
  thread: Int32Array;
  forwardThread: Int32Array;
  sequence: Float64Array;
  offset: Float64Array;
  objectLength: Uint32Array;

  /** @param bytes length of the source */
  constructor(bytes: number) {
    const capacity = 16 + Math.ceil(bytes / BYTES_OF_NODE);
    this.id = new Float64Array(capacity);
    this.parent = new Float64Array(capacity);
    this.name = new Int32Array(capacity);
    this.recordId = new Float64Array(capacity);
    this.thread = new Int32Array(capacity);
    this.forwardThread = new Int32Array(capacity);
    this.sequence = new Float64Array(capacity);
    this.offset = new Float64Array(capacity);
    this.objectLength = new Uint32Array(capacity);
  }

  /** Makes room for one more node. */
  reserve(): void {
    if (this.length < this.id.length) return;
    const capacity = 2 * this.length;
    this.id = grown(this.id, capacity);
    this.parent = grown(this.parent, capacity);
    this.name = grown(this.name, capacity);
    this.recordId = grown(this.recordId, capacity);
    this.thread = grown(this.thread, capacity);
    this.forwardThread = grown(this.forwardThread, capacity);
    this.sequence = grown(this.sequence, capacity);
    this.offset = grown(this.offset, capacity);
    this.objectLength = grown(this.objectLength, capacity);
  }

  /** The columns as they are, without the room behind them. */
  finish() {
    const { length } = this;
    return {
      length,
      id: this.id.slice(0, length),
      parent: this.parent.slice(0, length),
      name: this.name.slice(0, length),
      recordId: this.recordId.slice(0, length),
      thread: this.thread.slice(0, length),
      forwardThread: this.forwardThread.slice(0, length),
      sequence: this.sequence.slice(0, length),
      offset: this.offset.slice(0, length),
      objectLength: this.objectLength.slice(0, length),
    };
  }
}
