import { ARM_READING, ARM_WIRE, integerOf, Reading } from '../formats/et/attribute-arms.js';
import { FieldWalk, halves, readText, Wire } from '../formats/et/wire.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';

/** Fields of a node's message (chakra-format section 2). */
const NAME = 2;
const START = 6;
const ATTRIBUTE = 10;

const NO_BYTES = new Uint8Array(0);

/**
 * What a picture tells of a node. One object is filled again for each node; numbers are NaN where the trace does not say
 * them.
 */
export class NodeFacts {
  rank = 0;
  idLow = 0;
  idHigh = 0;
  /** 0; of a node whose id others before it have, how many. */
  copy = 0;
  /** NodeType. */
  type = 0;
  /** UTF-8 of the name: `[nameStart, nameEnd)` of `bytes`, valid until the next node. */
  bytes: Uint8Array = NO_BYTES;
  nameStart = 0;
  nameEnd = 0;
  /** µs, 0 where there is none. */
  durationMicros = 0;
  /** µs. */
  startMicros = NaN;
  /** Size of a communication, of a tensor elsewhere. */
  sizeBytes = NaN;
  /** CollectiveType, or what the column has for none. */
  commType = 0;
  group: string | undefined;
  /** Partner rank, −1 for none. */
  peer = -1;
  tag = NaN;
  root = NaN;
  stream = NaN;
  thread = NaN;
  operations = NaN;
  /** Whether it is said to run on the host; `undefined` where it is not said. */
  onHost: boolean | undefined;

  readonly #fields = new FieldWalk(NO_BYTES);
  readonly #parts = new FieldWalk(NO_BYTES);

  get name(): string {
    return readText(this.bytes, this.nameStart, this.nameEnd);
  }

  /** @param copy nodes before it with the same id */
  read(trace: RankTrace, node: number, copy: number): this {
    const { flags, group, groupNames, kept } = trace;
    this.rank = trace.rank;
    this.idLow = trace.idLow[node];
    this.idHigh = trace.idHigh[node];
    this.copy = copy;
    this.type = trace.type[node];
    this.durationMicros = trace.durationMicros[node];
    this.commType = trace.commType[node];
    this.group = group[node] < 0 ? undefined : groupNames[group[node]];
    this.peer = trace.peer[node];
    this.tag = trace.commTag[node];
    this.root = trace.root.size === 0 ? NaN : (trace.root.get(node) ?? NaN);
    this.onHost = (flags[node] & NodeFlag.cpuGiven) === 0 ? undefined : (flags[node] & NodeFlag.cpu) !== 0;
    this.startMicros = NaN;
    this.stream = NaN;
    this.thread = NaN;
    this.operations = NaN;
    this.sizeBytes = NaN; // of the tensor, as long as the frame is read
    this.bytes = NO_BYTES;
    this.nameStart = 0;
    this.nameEnd = 0;
    if (kept !== undefined && trace.frameOffset[node] >= 0) {
      this.#frame(kept.source.read(trace.frameOffset[node], trace.frameLength[node]));
    }
    if (!Number.isNaN(trace.commSize[node])) this.sizeBytes = trace.commSize[node];
    return this;
  }

  #frame(bytes: Uint8Array): void {
    this.bytes = bytes;
    const fields = this.#fields.over(bytes, 0, bytes.length);
    while (fields.next()) {
      if (fields.number === ATTRIBUTE && fields.wire === Wire.delimited) {
        this.#attribute(bytes, fields.start, fields.end);
      } else if (fields.number === NAME && fields.wire === Wire.delimited) {
        this.nameStart = fields.start;
        this.nameEnd = fields.end;
      } else if (fields.number === START && fields.wire === Wire.varint) {
        fields.number64();
        this.startMicros = integerOf(Reading.unsigned64, halves[0], halves[1]);
      }
    }
  }

  /** Of equal names the first counts. */
  #attribute(bytes: Uint8Array, start: number, end: number): void {
    // Nearly every attribute begins with its name; those of another length are not looked into.
    if (bytes[start] === 10) {
      const length = bytes[start + 1];
      if (length !== 6 && length !== 3 && length !== 7 && length !== 11) return;
    }
    const parts = this.#parts.over(bytes, start, end);
    let nameStart = 0;
    let nameEnd = 0;
    let value = NaN;
    while (parts.next()) {
      if (parts.number === 1 && parts.wire === Wire.delimited) {
        nameStart = parts.start;
        nameEnd = parts.end;
      } else if (parts.number < 256 && ARM_WIRE[parts.number] === parts.wire) {
        value = NaN;
        if (ARM_READING[parts.number] !== Reading.none) {
          parts.number64();
          value = integerOf(ARM_READING[parts.number], halves[0], halves[1]);
        }
      }
    }
    if (Number.isNaN(value)) return;
    if (is(bytes, nameStart, nameEnd, 'stream')) this.stream = first(this.stream, value);
    else if (is(bytes, nameStart, nameEnd, 'tid')) this.thread = first(this.thread, value);
    else if (is(bytes, nameStart, nameEnd, 'num_ops')) this.operations = first(this.operations, value);
    else if (is(bytes, nameStart, nameEnd, 'tensor_size')) this.sizeBytes = first(this.sizeBytes, value);
  }
}

function first(known: number, value: number): number {
  return Number.isNaN(known) ? value : known;
}

function is(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name.charCodeAt(at)) return false;
  return true;
}
