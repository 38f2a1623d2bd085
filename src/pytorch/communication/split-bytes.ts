/** Splits of one side of an all-to-all as they are recorded, and the bytes of the whole buffer. */
interface Side {
  readonly splits: readonly number[];
  readonly bytes: number;
}

export interface SplitBytes {
  /** Bytes to and from each position; empty where the parts are even, or cannot be told. */
  readonly send: readonly number[];
  readonly receive: readonly number[];
  /** Why there are no splits although some are recorded. */
  readonly problem: string | undefined;
}

/**
 * Turns split lists into bytes. An entry counts rows of dimension 0 (`alltoall_base`) or elements (`alltoall` over a list of
 * tensors); either way the entries share the buffer out, so that one unit is the bytes of the buffer over the sum of entries.
 * @param groupSize members of the group, NaN where that is not known
 */
export function splitBytes(send: Side, receive: Side, groupSize: number): SplitBytes {
  const none = { send: [], receive: [], problem: undefined };
  const parts = send.splits.length || receive.splits.length;
  if (parts === 0) return none;
  const sent = inBytes(send, parts, groupSize);
  const received = inBytes(receive, parts, groupSize);
  for (const side of [sent, received]) if (typeof side === 'string') return { ...none, problem: side };
  const lists = { send: sent as number[], receive: received as number[], problem: undefined };
  return isEven(lists.send) && isEven(lists.receive) ? none : lists;
}

function inBytes({ splits, bytes }: Side, parts: number, groupSize: number): number[] | string {
  // No list stands for equal parts.
  const entries = splits.length === 0 ? new Array<number>(parts).fill(1) : splits;
  const expected = Number.isNaN(groupSize) ? parts : groupSize;
  if (entries.length !== expected) return `${entries.length} splits, expected ${expected}`;
  const sum = entries.reduce((total, entry) => total + entry, 0);
  if (Number.isNaN(bytes)) return 'splits of a buffer whose bytes are not known';
  if (sum === 0 && bytes === 0) return entries.map(() => 0);
  const unit = bytes / sum; // bytes
  const usable = Number.isInteger(unit) && entries.every((entry) => entry >= 0);
  return usable ? entries.map((entry) => entry * unit) : `splits that add up to ${sum} do not share out ${bytes} B`;
}

function isEven(list: readonly number[]): boolean {
  return list.every((part) => part === list[0]);
}
