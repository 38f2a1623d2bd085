import type { ByteSource } from '../base/byte-source.js';
import type { Finding } from '../base/finding.js';
import { RankTraceBuilder } from '../trace/rank-trace-builder.js';
import type { RankTrace, TraceMetadata } from '../trace/rank-trace.js';
import type { TraceWindows } from '../trace/trace-windows.js';
import { AttributeTally } from './et/attribute-tally.js';
import { NodeDecoder, NumberRefused } from './et/decode-node.js';
import { numberRefused, type TracePlace } from './et/et-windows.js';
import { encodeMetadata, newMetadata } from './et/metadata.js';
import { writeFeederFrame } from './feeder-json/feeder-frame.js';
import { FeederKeptNodes, withoutLength } from './feeder-json/feeder-kept-nodes.js';
import type { FeederJsonNode } from './feeder-json/feeder-node.js';
import { FeederNodes } from './feeder-json/feeder-nodes.js';
import { ByteWriter } from './jsonl/byte-writer.js';
import { idForJson } from '../base/ids.js';

/*
 * Feeder JSON, {"workload_graph": [...]} (chakra-format section 11). A node becomes the frame of schema 0.0.4 that says
 * the same, and the decoder of `.et` takes it from there: what is absent stays absent, `runtime` is whole µs, `ctrlDeps`
 * are control dependencies.
 */

/** The nodes of a feeder JSON file, some at a time. Frames of its traces are the nodes' JSON objects. */
export class FeederJsonWindows implements TraceWindows {
  readonly metadata: TraceMetadata = newMetadata();
  readonly #where: TracePlace;
  readonly #nodes: FeederNodes;
  readonly #builder: RankTraceBuilder;
  readonly #tally = new AttributeTally();
  readonly #decoder: NodeDecoder;
  readonly #kept: FeederKeptNodes;
  readonly #frame = new ByteWriter();
  #begun = false;

  /** @param lookBack where names and rare attributes are looked up later */
  constructor(source: ByteSource, where: TracePlace, lookBack: ByteSource = source) {
    this.#where = where;
    this.#nodes = new FeederNodes(source, where.file);
    this.#builder = new RankTraceBuilder(where.rank, where.file);
    this.#decoder = new NodeDecoder(this.#builder, this.#tally);
    this.#kept = new FeederKeptNodes(lookBack);
  }

  /** @throws PrepError `JSON_MALFORMED` (exit status 3), `NUMBER_TOO_LARGE` (exit status 1), with node and byte */
  next(mostNodes: number): RankTrace | undefined {
    const builder = this.#builder;
    if (this.#begun) {
      builder.beginAgain();
      this.#decoder.beginAgain();
      this.#nodes.refresh();
    }
    this.#begun = true;
    while (builder.length < mostNodes) {
      const node = this.#nodes.next();
      if (node === undefined) break;
      this.#add(node);
    }
    const { idLow, idHigh } = builder;
    this.#tally.settle((node) => idForJson(idLow[node], idHigh[node]));
    return builder.length === 0 ? undefined : builder.finishWindow(this.metadata, this.#kept);
  }

  findings(): Finding[] {
    const { rank, file } = this.#where;
    return [...this.#nodes.tally.findings(), ...this.#tally.findings()].map((found) => ({ ...found, rank, file }));
  }

  #add(node: FeederJsonNode): void {
    const builder = this.#builder;
    const frame = this.#frame;
    const at = builder.length;
    frame.length = 0;
    writeFeederFrame(frame, node);
    const message = withoutLength(frame.bytes);
    try {
      const view = new DataView(message.buffer, message.byteOffset, message.length);
      this.#decoder.decode(message, view, 0, message.length, node.offset);
    } catch (error) {
      if (!(error instanceof NumberRefused)) throw error;
      const id = BigInt(node.id);
      const place = { ...this.#where, byteOffset: node.offset };
      throw numberRefused(error, Number(id & 0xffffffffn), Number(id >> 32n), place);
    }
    builder.frameLength[at] = node.length;
  }
}

/**
 * The `.et` file that says what a feeder JSON file says, and what was found in it.
 * @throws PrepError `JSON_MALFORMED` (exit status 3) with node and byte
 */
export function feederJsonToEt(source: ByteSource, where: TracePlace): { bytes: Uint8Array; findings: Finding[] } {
  const nodes = new FeederNodes(source, where.file);
  const writer = new ByteWriter(Math.max(256, source.length >> 2));
  const metadata = encodeMetadata(newMetadata());
  writer.delimited(() => writer.append(metadata));
  for (let node = nodes.next(); node !== undefined; node = nodes.next()) writeFeederFrame(writer, node);
  const { rank, file } = where;
  return { bytes: writer.bytes, findings: nodes.tally.findings().map((found) => ({ ...found, rank, file })) };
}
