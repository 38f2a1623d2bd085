import { NodeType } from '../../../trace/node-type.js';
import { Occurrences } from '../../occurrences.js';
import type { RankSubject } from '../rank-subject.js';

/** An attribute that the feeders or ASTRA-sim read. */
interface ReaderAttribute {
  /** Bit in {@link AttributeCensus.present}. */
  readonly bit: number;
  /** The one oneof arm that feeder v1 reads; '' where it reads none. */
  readonly arm: string;
  /** Node types on which the value matters. */
  readonly types: readonly number[];
}

const EVERY = [0, 1, 2, 3, 4, 5, 6, 7];
const MEMORY = [NodeType.memoryLoad, NodeType.memoryStore];
const TRANSFERS = [NodeType.send, NodeType.receive];
const COMMUNICATION = [...TRANSFERS, NodeType.collective];

/** chakra-format sections 4 and 18. */
export const READER_ATTRIBUTES = {
  is_cpu_op: { bit: 1, arm: 'bool_val', types: EVERY },
  num_ops: { bit: 2, arm: 'int64_val', types: [NodeType.compute] },
  tensor_size: { bit: 4, arm: 'uint64_val', types: [...MEMORY, NodeType.compute] },
  comm_type: { bit: 8, arm: 'int64_val', types: [NodeType.collective] },
  comm_priority: { bit: 16, arm: 'int32_val', types: COMMUNICATION },
  comm_size: { bit: 32, arm: 'int64_val', types: COMMUNICATION },
  comm_src: { bit: 64, arm: 'int32_val', types: TRANSFERS },
  comm_dst: { bit: 128, arm: 'int32_val', types: TRANSFERS },
  comm_tag: { bit: 256, arm: 'int32_val', types: TRANSFERS },
  pg_name: { bit: 512, arm: 'string_val', types: [NodeType.collective] },
  comm_group: { bit: 1024, arm: '', types: [NodeType.collective] },
  involved_dim: { bit: 2048, arm: '', types: [NodeType.collective] },
  inputs: { bit: 4096, arm: '', types: EVERY },
  outputs: { bit: 8192, arm: '', types: EVERY },
} as const satisfies Record<string, ReaderAttribute>;

export type ReaderAttributeName = keyof typeof READER_ATTRIBUTES;

/** The nodes with an attribute in an arm that feeder v1 does not read. */
export interface OddArm {
  readonly attribute: ReaderAttributeName;
  readonly arm: string;
  /** Whether the arm holds an integer. */
  readonly integer: boolean;
  /** Nodes whose value is not the 0 that feeder v1 reads. */
  readonly found: Occurrences;
}

/** What the frames of one rank say of the attributes that readers look at, where columns do not tell it. */
export interface AttributeCensus {
  /** [n] bits of the attributes a node has, with or without a value. */
  readonly present: Uint16Array;
  readonly odd: readonly OddArm[];
  /** By attribute: nodes that have it twice with different values. */
  readonly repeated: ReadonlyMap<ReaderAttributeName, Occurrences>;
  /** Sends whose `comm_src`, and receives whose `comm_dst`, is another rank. */
  readonly foreign: Occurrences;
  /** Device compute nodes with a `tensor_size` of 0. */
  readonly emptyTensor: Occurrences;
  /** Collectives whose `involved_dim` is no list of booleans. */
  readonly badDimensions: Occurrences;
}

const censuses = new WeakMap<RankSubject, AttributeCensus>();

/** One walk over the frames of the rank, made when a rule asks for it first. */
export function censusOf(subject: RankSubject): AttributeCensus {
  let census = censuses.get(subject);
  if (census === undefined) {
    census = takeCensus(subject);
    censuses.set(subject, census);
  }
  return census;
}

const ROWS = new Map<string, ReaderAttribute & { name: ReaderAttributeName }>(
  Object.entries(READER_ATTRIBUTES).map(([name, row]) => [name, { ...row, name: name as ReaderAttributeName }]),
);

function takeCensus(subject: RankSubject): AttributeCensus {
  const { trace } = subject;
  const { length, type, rank, kept, frameOffset, frameLength } = trace;
  const present = new Uint16Array(length);
  const odd = new Map<string, OddArm>();
  const repeated = new Map<ReaderAttributeName, Occurrences>();
  const foreign = new Occurrences();
  const emptyTensor = new Occurrences();
  const badDimensions = new Occurrences();
  // What a node has to be entered in: names are read behind the walk over its frame, which shares the window.
  const entered = new Set<Occurrences>();
  const arms = new Map<string, string>(); // attribute → arm and value of the first of its name
  let seen = 0;
  let nodeType = 0;

  const visit = (name: string, arm: string, integer: number | undefined): void => {
    const row = ROWS.get(name);
    if (row === undefined || !row.types.includes(nodeType)) return;
    const value = integer === undefined ? arm : `${arm} ${integer}`;
    if ((seen & row.bit) !== 0) {
      if (row.arm !== '' && (integer === undefined || arms.get(name) !== value)) {
        entered.add(kindOf(repeated, row.name, () => new Occurrences()));
      }
      return;
    }
    seen |= row.bit;
    arms.set(name, value);
    if (row.arm !== '' && arm !== row.arm && integer !== 0) {
      const entry = kindOf(odd, `${name} ${arm}`, () => {
        return { attribute: row.name, arm, integer: integer !== undefined, found: new Occurrences() };
      });
      entered.add(entry.found);
    }
    if (name === 'involved_dim' && arm !== 'bool_list') entered.add(badDimensions);
    if (name === 'tensor_size' && integer === 0 && nodeType === NodeType.compute) entered.add(emptyTensor);
    const own = nodeType === NodeType.send ? 'comm_src' : 'comm_dst';
    if (name === own && integer !== undefined && integer !== rank) entered.add(foreign);
  };

  if (kept !== undefined) {
    for (let node = 0; node < length; node++) {
      if (frameOffset[node] < 0) continue;
      seen = 0;
      nodeType = type[node];
      kept.forEachAttribute(frameOffset[node], frameLength[node], visit);
      present[node] = seen;
      if (entered.size === 0) continue;
      for (const found of entered) subject.add(found, node);
      entered.clear();
    }
  }
  return { present, odd: [...odd.values()], repeated, foreign, emptyTensor, badDimensions };
}

function kindOf<K, V>(kinds: Map<K, V>, key: K, make: () => V): V {
  let kind = kinds.get(key);
  if (kind === undefined) kinds.set(key, (kind = make()));
  return kind;
}
