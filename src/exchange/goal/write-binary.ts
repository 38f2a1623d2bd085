import { byGroup } from '../by-group.js';
import { BASE, BLOCK_HEADER_BYTES, HEADER_BYTES, JUMP_BYTES, MAGIC, RECORD_BYTES } from './read-binary.js';
import type { GoalRank } from './schedule.js';

const TWO_32 = 2 ** 32;

/** What the header of a file says of its ranks. */
export interface BinaryShape {
  /** Bytes of the block of each rank. */
  readonly blockBytes: readonly number[];
  readonly highestCpu: number;
  readonly highestNic: number;
}

/** Bytes of the block of a rank (exchange-formats 2.4). */
export function blockBytes({ length, requires, requiresStart, irequires, irequiresStart }: GoalRank): number {
  let roots = 0;
  for (let operation = 0; operation < length; operation++) {
    if (
      requiresStart[operation] === requiresStart[operation + 1] &&
      irequiresStart[operation] === irequiresStart[operation + 1]
    ) {
      roots++;
    }
  }
  return BLOCK_HEADER_BYTES + 4 * roots + RECORD_BYTES * length + 4 * (requires.length + irequires.length);
}

/** Header and jump table (exchange-formats 2.1). */
export function binaryHeader({ blockBytes: sizes, highestCpu, highestNic }: BinaryShape): Uint8Array {
  const bytes = new Uint8Array(BASE + HEADER_BYTES + JUMP_BYTES * sizes.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(BASE, sizes.length, true);
  view.setUint8(BASE + 4, highestCpu);
  view.setUint8(BASE + 5, highestNic);
  let start = bytes.length - BASE;
  sizes.forEach((size, rank) => {
    const entry = BASE + HEADER_BYTES + JUMP_BYTES * rank;
    putWide(view, entry, start);
    putWide(view, entry + 8, start + size);
    start += size;
  });
  return bytes;
}

/** The block of a rank (exchange-formats 2.2); successors of an operation ascend. */
export function binaryBlock(rank: GoalRank): Uint8Array {
  const { length, kind, peer, amount, tag, cpu, nic, requires, requiresStart, irequires, irequiresStart } = rank;
  const bytes = new Uint8Array(blockBytes(rank));
  const view = new DataView(bytes.buffer);
  const [finishStart, finish] = successors(requires, requiresStart, length);
  const [startStart, start] = successors(irequires, irequiresStart, length);
  const appendix = bytes.length - 4 * (finish.length + start.length);
  const records = appendix - RECORD_BYTES * length;
  view.setUint32(0, length, true);
  view.setUint32(4, (records - BLOCK_HEADER_BYTES) / 4, true);
  let root = BLOCK_HEADER_BYTES;
  let edge = 0;
  for (let operation = 0; operation < length; operation++) {
    const at = records + RECORD_BYTES * operation;
    const predecessors =
      requiresStart[operation + 1] -
      requiresStart[operation] +
      irequiresStart[operation + 1] -
      irequiresStart[operation];
    if (predecessors === 0) {
      view.setUint32(root, operation, true);
      root += 4;
    }
    view.setUint32(at, predecessors, true);
    view.setUint8(at + 4, kind[operation]);
    view.setUint32(at + 5, peer[operation], true);
    putWide(view, at + 9, amount[operation]);
    view.setUint32(at + 17, tag[operation], true);
    view.setUint8(at + 21, cpu[operation]);
    view.setUint8(at + 22, nic[operation]);
    const finishes = finishStart[operation + 1] - finishStart[operation];
    view.setUint32(at + 23, finishes, true);
    view.setUint32(at + 27, edge, true);
    for (let next = 0; next < finishes; next++) {
      view.setUint32(appendix + 4 * edge++, finish[finishStart[operation] + next], true);
    }
    const starts = startStart[operation + 1] - startStart[operation];
    view.setUint32(at + 31, starts, true);
    view.setUint32(at + 35, edge, true);
    for (let next = 0; next < starts; next++) {
      view.setUint32(appendix + 4 * edge++, start[startStart[operation] + next], true);
    }
  }
  return bytes;
}

/** Who waits for each operation, from whom each waits for. */
function successors(others: Uint32Array, start: Uint32Array, length: number): [Uint32Array, Uint32Array] {
  const operation = new Uint32Array(others.length);
  for (let from = 0; from < length; from++) operation.fill(from, start[from], start[from + 1]);
  return byGroup(others, operation, others.length, length);
}

function putWide(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % TWO_32, true);
  view.setUint32(at + 4, Math.floor(value / TWO_32), true);
}
