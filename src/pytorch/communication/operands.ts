import type { HostTrace } from '../../formats/pytorch/host-trace.js';
import { communicationMeaning, typeOf } from './collective-words.js';
import { CollectiveType } from '../../trace/collective-type.js';

/** What the inputs of a host op say about its communication. */
export interface Operands {
  /** Bytes of the tensors it hands over; NaN without a tensor. */
  readonly bytes: number;
  /** Name of the group, where the op takes it as a text. */
  readonly group: string | undefined;
}

/** Ops of c10d that take what they fill before what they hand over: `alltoall_base_(output, input, …)`. */
const OUTPUT_FIRST: ReadonlySet<number> = new Set([
  CollectiveType.allGather,
  CollectiveType.gather,
  CollectiveType.scatter,
  CollectiveType.allToAll,
  CollectiveType.reduceScatter,
]);

/**
 * Reads the inputs of an op or annotation of communication again from the file. Slow (a node is parsed whole), and meant for the few
 * that have no record.
 *
 * - an annotation, `nccl:all_reduce`, has the tensors handed over, and no others;
 * - `c10d::…` has the output first where there is one;
 * - `_c10d_functional::…` has the input first and the name of the group last.
 */
export function operandsOf(host: HostTrace, node: number): Operands {
  const name = host.names[host.name[node]];
  const values = inputValues(host, node);
  if (!name.includes('::')) return { bytes: tensorBytes(values), group: undefined };
  if (name.includes('functional')) {
    const last = values.at(-1);
    return { bytes: tensorBytes(values[0]), group: typeof last === 'string' && last !== '' ? last : undefined };
  }
  const meaning = communicationMeaning(name);
  const place = meaning !== undefined && OUTPUT_FIRST.has(typeOf(meaning)) ? 1 : 0;
  return { bytes: tensorBytes(values[place]), group: undefined };
}

function inputValues({ source, offset, objectLength }: HostTrace, node: number): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(source.read(offset[node], objectLength[node])).toString('utf8'));
  } catch {
    // What only a tolerant reader understands tells nothing here.
    return [];
  }
  const inputs = (parsed as { inputs?: unknown }).inputs;
  if (Array.isArray(inputs)) return inputs as readonly unknown[];
  const values = (inputs as { values?: unknown } | null | undefined)?.values;
  return Array.isArray(values) ? (values as readonly unknown[]) : [];
}

/** Bytes of the tensors in a value: `[tensor, storage, offset, elements, element bytes, device]`, or lists of these. */
function tensorBytes(value: unknown): number {
  if (!Array.isArray(value)) return NaN;
  const list = value as readonly unknown[];
  if (list.length === 6 && typeof list[5] === 'string' && list.slice(0, 5).every((part) => typeof part === 'number')) {
    return (list[3] as number) * (list[4] as number);
  }
  let sum = NaN;
  for (const part of list) {
    const bytes = tensorBytes(part);
    if (!Number.isNaN(bytes)) sum = (Number.isNaN(sum) ? 0 : sum) + bytes;
  }
  return sum;
}
