import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { counted, grouped as digits } from '../../base/counts.js';
import { inputError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { MAX_EXACT } from '../../base/units.js';
import { ANY, GoalKind, GoalRankBuilder, type GoalRank, type GoalSchedule } from './schedule.js';

/** Layout (exchange-formats 2.1 and 2.2), bytes. */
export const MAGIC = 4223;
export const MAGIC_CONSUMED = 2342;
/** Offsets of the jump table count from here. */
export const BASE = 8;
export const HEADER_BYTES = 6; // behind the magic number
export const JUMP_BYTES = 16;
export const BLOCK_HEADER_BYTES = 8;
export const RECORD_BYTES = 39;

/**
 * Reads a schedule in GOAL binary (exchange-formats section 2). Every block is read once to check it; a rank is read again when
 * somebody asks for it. Dependencies come from the lists of successors. So a file that a simulator has consumed can be read
 * all the same: of it only the counts of predecessors are gone.
 * @param findings takes GOAL_CONSUMED and GOAL_COUNTS
 * @throws PrepError `GOAL_MALFORMED` with the byte offset
 */
export function readGoalBinary(source: ByteSource, findings: Finding[]): GoalSchedule {
  const { name, length } = source;
  if (length < BASE + HEADER_BYTES)
    throw malformed(name, `the header has ${BASE + HEADER_BYTES} bytes, the file ${length}`, length);
  const header = viewOf(source, 0, BASE + HEADER_BYTES);
  const magic = header.getUint32(0, true);
  const isConsumed = magic === MAGIC_CONSUMED;
  if ((magic !== MAGIC && !isConsumed) || header.getUint32(4, true) !== 0) {
    throw malformed(name, `the magic number is ${header.getBigUint64(0, true)}, expected ${MAGIC}`, 0);
  }
  const rankCount = header.getUint32(BASE, true);
  if (rankCount === 0) throw malformed(name, 'the schedule has no rank', BASE);
  const tableEnd = BASE + HEADER_BYTES + JUMP_BYTES * rankCount;
  if (tableEnd > length) {
    throw malformed(
      name,
      `the jump table of ${digits(rankCount)} ranks ends at byte ${digits(tableEnd)}, the file at ${digits(length)}`,
      BASE + HEADER_BYTES,
    );
  }
  if (isConsumed) {
    const message = `${name} was consumed by a simulator run that mapped it: its predecessor counts were counted down, and are worked out again from the successors`;
    findings.push(finding('GOAL_CONSUMED', message, { file: name }));
  }
  const schedule = new BinarySchedule(source, rankCount, tableEnd);
  schedule.check(findings, isConsumed);
  return schedule;
}

class BinarySchedule implements GoalSchedule {
  /** Whether counts or roots of the rank read last disagree with its successors. */
  #disagrees = false;

  constructor(
    readonly source: ByteSource,
    readonly rankCount: number,
    readonly tableEnd: number,
  ) {}

  check(findings: Finding[], isConsumed: boolean): void {
    let count = 0;
    let first = -1;
    for (let rank = 0; rank < this.rankCount; rank++) {
      this.rank(rank);
      if (!this.#disagrees) continue;
      if (count++ === 0) first = rank;
    }
    if (count === 0 || isConsumed) return;
    const message = `${this.source.name}: the predecessor counts or roots of ${counted(count, 'rank')} disagree with the successors, first of rank ${first}; the successors count`;
    findings.push(finding('GOAL_COUNTS', message, { file: this.source.name, rank: first, count }));
  }

  rank(rank: number): GoalRank {
    const { source, tableEnd } = this;
    const { name, length } = source;
    const entry = BASE + HEADER_BYTES + JUMP_BYTES * rank;
    const jump = viewOf(source, entry, JUMP_BYTES);
    const start = BASE + wide(jump, 0);
    const end = BASE + wide(jump, 8);
    if (start < tableEnd || end > length || end - start < BLOCK_HEADER_BYTES) {
      throw malformed(
        name,
        `rank ${rank} is said to be at bytes ${digits(start)} to ${digits(end)}, the file has blocks at ${digits(tableEnd)} to ${digits(length)}`,
        entry,
      );
    }
    const block = viewOf(source, start, end - start);
    const operations = block.getUint32(0, true);
    const roots = block.getUint32(4, true);
    const records = BLOCK_HEADER_BYTES + 4 * roots;
    const appendix = records + RECORD_BYTES * operations;
    const edges = (block.byteLength - appendix) / 4;
    if (edges < 0 || !Number.isInteger(edges)) {
      throw malformed(
        name,
        `${counted(operations, 'operation')} and ${counted(roots, 'root')} of rank ${rank} do not fit its block of ${digits(block.byteLength)} bytes`,
        start,
      );
    }
    const builder = new GoalRankBuilder(operations);
    const predecessors = new Uint32Array(operations);
    for (let operation = 0; operation < operations; operation++) {
      const at = records + RECORD_BYTES * operation;
      const problem = this.#record(block, at, builder);
      if (problem !== '') throw malformed(name, `operation ${operation} of rank ${rank} ${problem}`, start + at);
      for (const list of [at + 23, at + 31]) {
        const count = block.getUint32(list, true);
        const from = block.getUint32(list + 4, true);
        if (from + count > edges) {
          throw malformed(
            name,
            `operation ${operation} of rank ${rank} has successors up to place ${from + count} of the appendix, which has ${edges}`,
            start + list,
          );
        }
        for (let place = from; place < from + count; place++) {
          const successor = block.getUint32(appendix + 4 * place, true);
          if (successor >= operations) {
            throw malformed(
              name,
              `operation ${operation} of rank ${rank} has successor ${successor}, there are ${operations}`,
              start + appendix + 4 * place,
            );
          }
          predecessors[successor]++;
          if (list === at + 23) builder.require(successor, operation);
          else builder.irequire(successor, operation);
        }
      }
    }
    this.#disagrees = !countsAgree(block, records, roots, predecessors);
    return builder.finish();
  }

  /** Adds an operation; what is wrong with it, '' for nothing. */
  #record(block: DataView, at: number, builder: GoalRankBuilder): string {
    const kind = block.getUint8(at + 4);
    const peer = block.getUint32(at + 5, true);
    const amount = wide(block, at + 9);
    const isCalc = kind === GoalKind.calc;
    if (kind < GoalKind.send || kind > GoalKind.calc) return `has kind ${kind}, expected 1 to 3`;
    if (!isCalc && peer >= this.rankCount && (kind === GoalKind.send || peer !== ANY)) {
      return `has rank ${peer} as partner, there are ranks 0 to ${this.rankCount - 1}`;
    }
    if (amount > MAX_EXACT) return `has ${isCalc ? 'a time' : 'a size'} above 2^53`;
    builder.add(
      kind,
      isCalc ? 0 : peer,
      amount,
      isCalc ? 0 : block.getUint32(at + 17, true),
      block.getUint8(at + 21),
      isCalc ? 0 : block.getUint8(at + 22),
    );
    return '';
  }
}

function countsAgree(block: DataView, records: number, roots: number, predecessors: Uint32Array): boolean {
  let root = 0;
  for (let operation = 0; operation < predecessors.length; operation++) {
    const count = predecessors[operation];
    if (block.getUint32(records + RECORD_BYTES * operation, true) !== count) return false;
    if (count > 0) continue;
    if (root === roots || block.getUint32(BLOCK_HEADER_BYTES + 4 * root++, true) !== operation) return false;
  }
  return root === roots;
}

function viewOf(source: ByteSource, offset: number, length: number): DataView {
  const bytes = source.read(offset, length);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function wide(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function malformed(file: string, message: string, offset: number): Error {
  return inputError('GOAL_MALFORMED', `${file}: ${message} (byte ${offset})`);
}
