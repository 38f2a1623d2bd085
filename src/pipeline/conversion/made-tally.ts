import { AttributeTally } from '../../formats/et/attribute-tally.js';
import { NodeDecoder } from '../../formats/et/decode-node.js';
import { FrameCutter } from '../../formats/jsonl/frames.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { addNodes, type RankTally } from './rank-tally.js';

/** Counts the nodes of `.et` bytes on their way into a file, piece by piece. */
export class MadeTally {
  readonly kinds: RankTally = {};
  readonly #builder: RankTraceBuilder;
  readonly #oddities = new AttributeTally();
  readonly #decoder: NodeDecoder;
  readonly #cutter = new FrameCutter((frame, messageStart) => this.#add(frame, messageStart));
  #metadata = true; // the first frame

  constructor(rank: number) {
    this.#builder = new RankTraceBuilder(rank, '');
    this.#decoder = new NodeDecoder(this.#builder, this.#oddities);
  }

  push(bytes: Uint8Array): void {
    this.#cutter.push(bytes);
    addNodes(this.kinds, this.#builder);
    this.#oddities.settle(() => 0); // nobody asks for them: the nodes are ours
    this.#builder.beginAgain();
    this.#decoder.beginAgain();
  }

  #add(frame: Uint8Array, messageStart: number): void {
    if (this.#metadata) this.#metadata = false;
    else {
      const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
      this.#decoder.decode(frame, view, messageStart, frame.length, 0);
    }
  }
}
