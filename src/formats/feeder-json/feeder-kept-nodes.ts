import { MemorySource, type ByteSource } from '../../base/byte-source.js';
import type { KeptNodes } from '../../trace/rank-trace.js';
import { EtKeptNodes } from '../et/kept-nodes.js';
import { JsonScanner } from '../json-scan.js';
import { ByteWriter } from '../jsonl/byte-writer.js';
import { writeFeederFrame } from './feeder-frame.js';
import { readFeederNode } from './feeder-node.js';

/** Reads what has no column from the node's JSON object, by way of the frame that says the same. */
export class FeederKeptNodes implements KeptNodes {
  readonly #writer = new ByteWriter();
  #offset = -1;
  #nodes: EtKeptNodes | undefined;

  constructor(readonly source: ByteSource) {}

  name(offset: number, length: number): string {
    const nodes = this.#at(offset, length);
    return nodes.name(0, nodes.source.length);
  }

  inputValues(): string {
    return '';
  }

  givesDuration(offset: number, length: number): boolean {
    const nodes = this.#at(offset, length);
    return nodes.givesDuration(0, nodes.source.length);
  }

  forEachAttribute(
    offset: number,
    length: number,
    visit: (name: string, arm: string, integer: number | undefined) => void,
  ): void {
    const nodes = this.#at(offset, length);
    nodes.forEachAttribute(0, nodes.source.length, visit);
  }

  forEachOtherArm(
    offset: number,
    length: number,
    visit: (attribute: string, arm: string, usualArm: string) => void,
  ): void {
    const nodes = this.#at(offset, length);
    nodes.forEachOtherArm(0, nodes.source.length, visit);
  }

  flagList(): undefined {
    return undefined;
  }

  /** The message of the node whose object is at `offset`; one node is usually asked for several things. */
  #at(offset: number, length: number): EtKeptNodes {
    if (this.#nodes === undefined || this.#offset !== offset) {
      const scan = new JsonScanner(new MemorySource(this.source.read(offset, length), this.source.name));
      scan.next();
      const writer = this.#writer;
      writer.length = 0;
      writeFeederFrame(writer, readFeederNode(scan));
      this.#nodes = new EtKeptNodes(new MemorySource(withoutLength(writer.bytes), this.source.name));
      this.#offset = offset;
    }
    return this.#nodes;
  }
}

/** The message of a frame. */
export function withoutLength(frame: Uint8Array): Uint8Array {
  let start = 0;
  while (frame[start++] > 127);
  return frame.subarray(start);
}
