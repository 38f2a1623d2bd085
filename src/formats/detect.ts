import type { ByteSource } from '../base/byte-source.js';
import { JsonScanner, JsonSyntaxError } from './json-scan.js';

/** Every shape of file that is told apart; chakra-format sections 1, 11 to 16. */
export const FORMATS = {
  'chakra-et': { name: 'a Chakra trace (protobuf)', about: 'one rank of a traceset' },
  'chakra-jsonl': { name: 'a Chakra trace in JSON lines', about: 'one rank of a traceset, in the form people read' },
  'annotated-json': {
    name: 'an annotated trace in JSON',
    about: 'what annotation writes beside a trace; the trace itself is the .et file of the same name',
  },
  'feeder-json': {
    name: 'a feeder JSON trace ("workload_graph")',
    about: 'one rank of a traceset, in the form of the JSON feeder of mlcommons/chakra',
  },
  'stage-json': {
    name: 'a STAGE JSON trace ("nodes" with "node_type")',
    about: 'one rank of a traceset, as the JSON backend of STAGE writes it',
  },
  'jsonizer-json': {
    name: 'the output of chakra_jsonizer (protobuf JSON, objects back to back)',
    about: 'one rank of a traceset, as chakra_jsonizer prints it',
  },
  'pytorch-host-json': {
    name: 'a PyTorch host execution trace',
    about:
      'chakra-prep link --host FILE --device KINETO -o DIR makes Chakra traces of it and the Kineto trace of the rank',
  },
  'linked-json': {
    name: 'a linked PyTorch trace (host and device)',
    about: 'written by chakra_trace_link; chakra-prep link takes the host and the device trace that it was made from',
  },
  'kineto-json': {
    name: 'a Kineto device trace (Chrome trace events)',
    about: 'chakra-prep link --host HOST --device FILE -o DIR makes Chakra traces of it and the host trace of the rank',
  },
  'comm-group': { name: 'a process group file', about: 'goes with a traceset: --groups comm_group.json' },
  'text-workload': {
    name: 'a text workload (ASTRA-sim 1.0, SimAI)',
    about: 'layers of a model, one a line; chakra-prep convert FILE --to et -o DIR makes the traces of all ranks',
  },
  'msccl-xml': {
    name: 'an MSCCL program (XML)',
    about: 'steps of one collective on all ranks; chakra-prep convert FILE --to et -o DIR makes their traces',
  },
  'msccl-plan': {
    name: 'an MSCCL++ execution plan (JSON)',
    about: 'steps of one collective on all ranks; chakra-prep convert FILE --to et -o DIR makes their traces',
  },
  'goal-text': {
    name: 'a GOAL schedule (text)',
    about: 'operations of all ranks; chakra-prep convert FILE --to et -o DIR makes their traces',
  },
  'goal-binary': {
    name: 'a GOAL schedule (binary)',
    about: 'operations of all ranks; chakra-prep convert FILE --to et -o DIR makes their traces',
  },
  'other-xml': { name: 'XML of another kind', about: 'its root is not <algo>, as that of an MSCCL program is' },
  'mapping-json': { name: 'a mapping file', about: 'places ranks on servers: --mapping' },
  'other-json': { name: 'JSON of another kind', about: 'no trace format has this shape' },
  gzip: { name: 'gzip data', about: 'compressed more than once' },
  empty: { name: 'an empty file', about: 'it has no bytes, not even a metadata frame' },
  unknown: {
    name: 'of no known format',
    about: 'neither Chakra protobuf, JSON or XML, nor a workload or schedule in text',
  },
} as const satisfies Record<string, { name: string; about: string }>;

export type Format = keyof typeof FORMATS;

/** What a file is, as its bytes say. */
export interface Detected {
  readonly format: Format;
  /** For messages, as in "host_0.json is <name>". */
  readonly name: string;
  /** What such a file is for, one line. */
  readonly about: string;
}

const UTF8_BOM = [0xef, 0xbb, 0xbf];
/** Bytes that decide between text and protobuf. */
const TEXT_SAMPLE = 4096;
/** Bytes of a JSON file that are looked at; a PyTorch host trace shows its linked nodes far earlier. */
const SCAN_LIMIT = 4 << 20;
const WORKLOADS =
  /^(MICRO|DATA|MODEL|HYBRID_DATA_MODEL|HYBRID_MODEL_DATA|HYBRID_DLRM|HYBRID_DLRM_ENHANCED|HYBRID_TRANSFORMER|HYBRID_TRANSFORMER_FWD_IN_BCKWD|HYBRID_CUSTOMIZED)\b[^\n]*\n\s*[0-9]+\s*(\n|$)/;
/** Behind comments, as the reference converter skips them. */
const GOAL = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*num_ranks\b/;
/** The first element of an XML document, behind what may stand before it. */
const XML_ROOT = /^\s*(?:<\?[^]*?\?>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<([A-Za-z_][\w.:-]*)/;
/** First eight bytes of GOAL binary, little-endian: as it is made, and as a simulator leaves it (exchange-formats section 2.1). */
const GOAL_BINARY: readonly bigint[] = [4223n, 2342n];
const JSON_LINES_SCHEMA = 'chakra-prep/trace/1';

/**
 * Tells what a file is from its (unzipped) bytes; its name plays no part, because producers write protobuf into
 * `*.json` and people rename device traces to host traces. Looks at 4 MiB at most. For `chakra-et` the reader
 * tells the schema version.
 */
export function detectFormat(source: ByteSource): Detected {
  const format = formatOf(source);
  return { format, ...FORMATS[format] };
}

function formatOf(source: ByteSource): Format {
  if (source.length === 0) return 'empty';
  const sample = source.read(0, Math.min(TEXT_SAMPLE, source.length)).slice();
  if (sample[0] === 0x1f && sample[1] === 0x8b) return 'gzip';
  const bom = UTF8_BOM.every((byte, index) => sample[index] === byte) ? 3 : 0;
  const text = Buffer.from(sample.subarray(bom)).toString('latin1');
  const first = /\S/.exec(text)?.[0];
  if (first === '{' || first === '[') {
    // "{" may also be the length of a first frame; then it is no JSON for long.
    const shape = jsonShape(source, bom);
    if (shape !== 'unknown') return shape;
  }
  if (bom > 0 || isText(sample)) return textShape(text);
  if (sample.length >= 8) {
    const magic = Buffer.from(sample.buffer, sample.byteOffset, 8).readBigUInt64LE(0);
    if (GOAL_BINARY.includes(magic)) return 'goal-binary';
  }
  return isFrame(sample, source.length) ? 'chakra-et' : 'unknown';
}

/** @param text beginning of the file */
function textShape(text: string): Format {
  if (WORKLOADS.test(text)) return 'text-workload';
  if (GOAL.test(text)) return 'goal-text';
  const root = XML_ROOT.exec(text)?.[1];
  if (root !== undefined) return root === 'algo' ? 'msccl-xml' : 'other-xml';
  return /^\s*<[?!]/.test(text) ? 'other-xml' : 'unknown';
}

/** No control character but tab and line ends. Every frame with an id, a name or a type has one. */
function isText(sample: Uint8Array): boolean {
  return sample.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** Whether the bytes begin like a length and a message of the first fields of some Chakra schema. */
function isFrame(sample: Uint8Array, total: number): boolean {
  let length = 0;
  let position = 0;
  for (;;) {
    const byte = sample[position];
    if (byte === undefined || position === 5) return false;
    length += (byte & 0x7f) * 2 ** (7 * position++);
    if (byte < 0x80) break;
  }
  if (length === 0 || position === total) return true;
  // 1 varint: id of a node without metadata; 1 bytes: version or attribute; 2 bytes: name or attributes; the others
  // begin a node that has neither id nor name.
  const tag = sample[position];
  return [0x08, 0x0a, 0x12, 0x18, 0x20, 0x22, 0x2a, 0x30, 0x38, 0x42, 0x4a, 0x52].includes(tag);
}

function jsonShape(source: ByteSource, start: number): Format {
  const shape = new JsonShape();
  const scan = new JsonScanner(source, { start, limit: SCAN_LIMIT, keepBytes: 200 });
  try {
    for (;;) {
      const token = scan.next();
      const format = shape.take(token, scan);
      if (format !== undefined) return format;
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return shape.conclude(false);
  }
}

/** Collects what tells the JSON shapes apart, and answers as soon as one is certain. */
class JsonShape {
  #documents = 0;
  /** Keys of the first document. */
  readonly #keys = new Set<string>();
  /** Keys of the documents after the first. */
  readonly #laterKeys = new Set<string>();
  /** Keys of the objects in the list `nodes`. */
  readonly #nodeKeys = new Set<string>();
  /** Keys of the objects in the list `ranks`. */
  readonly #rankKeys = new Set<string>();
  /** Keys of the objects in the list `gpus`. */
  readonly #gpuKeys = new Set<string>();
  #topIsList = false;
  #key = '';
  #nodeType = false;
  #idIsText = false;
  /** Whether every value so far is a list of integers, and whether there is one. */
  #listsOfIntegers = true;
  #lists = 0;

  take(token: string, scan: JsonScanner): Format | undefined {
    if (token === 'end' || token === 'cut') return this.conclude(true);
    const { depth, text } = scan;
    if (depth === 1 && (token === 'beginObject' || token === 'beginArray')) {
      this.#documents++;
      if (this.#documents === 1) this.#topIsList = token === 'beginArray';
      return undefined;
    }
    if (this.#topIsList) {
      // The Chrome trace format allows the bare list of events.
      if (token === 'key' && depth === 2 && text === 'ph') return 'kineto-json';
      return undefined;
    }
    if (token === 'key') return this.#takeKey(depth, text);
    if (depth === 1) {
      if (token === 'string') {
        if (this.#key === 'schema' && text === JSON_LINES_SCHEMA) return 'chakra-jsonl';
        if (this.#key === 'id') this.#idIsText = true;
        if (this.#key === 'type' && text.endsWith('_NODE')) this.#nodeType = true;
      }
      if (token !== 'endArray' && token !== 'endObject') this.#listsOfIntegers = false;
    } else if (depth === 2) {
      if (token === 'beginArray') this.#lists++;
      else if (token !== 'number' || !/^-?[0-9]+$/.test(text)) this.#listsOfIntegers = false;
    } else if (depth > 2) {
      this.#listsOfIntegers = false;
    }
    // A node of a back-to-back listing is complete: two of them tell enough.
    if (token === 'endObject' && depth === 0 && this.#documents >= 2 && this.#nodeType) return this.conclude(true);
    return undefined;
  }

  #takeKey(depth: number, key: string): Format | undefined {
    if (depth === 1) {
      this.#key = key;
      (this.#documents === 1 ? this.#keys : this.#laterKeys).add(key);
      if (key === 'traceEvents') return 'kineto-json';
      if (key === 'workload_graph') return 'feeder-json';
    } else if (depth === 3 && this.#key === 'nodes') {
      this.#nodeKeys.add(key);
      if (key === 'node_type') return 'stage-json';
      if (key === 'cat' || key === 'inclusive_dur' || key === 'exclusive_dur' || key === 'inter_thread_dep') {
        return 'linked-json';
      }
    } else if (depth === 3 && this.#key === 'ranks') {
      this.#rankKeys.add(key);
    } else if (depth === 3 && this.#key === 'gpus') {
      this.#gpuKeys.add(key);
      if (key === 'threadblocks') return 'msccl-plan';
    }
    return undefined;
  }

  /** The shape by what was seen. @param sound whether that was JSON to its end or to the limit */
  conclude(sound: boolean): Format {
    const keys = this.#keys;
    if (this.#topIsList) return sound ? 'other-json' : 'unknown';
    if (this.#nodeType) return this.#idIsText || isMetadata(keys) ? 'jsonizer-json' : 'annotated-json';
    if (keys.has('nodes')) {
      const node = this.#nodeKeys;
      if (keys.has('schema') || node.has('ctrl_deps') || node.has('rf_id')) return 'pytorch-host-json';
    }
    if (keys.has('deviceProperties') || keys.has('distributedInfo')) return 'kineto-json';
    if (keys.has('gpus') && (this.#gpuKeys.has('input_chunks') || keys.has('collective'))) return 'msccl-plan';
    if (this.#rankKeys.has('rank') && this.#rankKeys.has('server')) return 'mapping-json';
    if (this.#documents > 1) {
      return isMetadata(keys) && [...this.#laterKeys].every((key) => NODE_KEYS.has(key))
        ? 'jsonizer-json'
        : 'other-json';
    }
    if (isMetadata(keys) && keys.size > 0) return 'jsonizer-json';
    if (this.#lists > 0 && this.#listsOfIntegers) return 'comm-group';
    return sound ? 'other-json' : 'unknown';
  }
}

/** Fields of a node in protobuf's JSON mapping, by both of their names. */
const NODE_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'name', 'type', 'ctrlDeps', 'dataDeps', 'startTimeMicros', 'durationMicros', 'inputs', 'outputs', 'attr'],
  ...['ctrl_deps', 'data_deps', 'start_time_micros', 'duration_micros'],
]);

function isMetadata(keys: ReadonlySet<string>): boolean {
  return [...keys].every((key) => key === 'version' || key === 'attr');
}
