import type { TextOut } from '../text-out.js';
import { ANY, GoalKind, type GoalRank } from './schedule.js';

/** Numbers of labels: `l<number>` is the label of an operation. */
export type LabelOf = (operation: number) => number | string;

/** Begins GOAL text (exchange-formats 1.1). */
export function writeGoalHeader(out: TextOut, rankCount: number): void {
  out.text(`num_ranks ${rankCount}\n`);
}

/**
 * Writes the block of a rank: each operation, then what it waits for. Attributes that are 0 are left out, as they are by default.
 * An operation may wait for earlier ones only, since a label has to be defined before it is mentioned (exchange-formats 1.2).
 */
export function writeGoalRank(out: TextOut, number: number, rank: GoalRank, labelOf: LabelOf): void {
  const { length, kind, peer, amount, tag, cpu, nic, requiresStart, requires, irequiresStart, irequires } = rank;
  const label = (operation: number): void => {
    const value = labelOf(operation);
    out.text('l');
    if (typeof value === 'number') out.integer(value);
    else out.text(value);
  };
  const attribute = (name: string, value: number): void => {
    if (value === 0) return;
    out.text(name);
    out.integer(value);
  };
  const orAny = (value: number, isReceive: boolean): void => {
    if (value === ANY && isReceive) out.text('-1');
    else out.integer(value);
  };
  const waits = (operation: number, word: string, others: Uint32Array, from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      label(operation);
      out.text(word);
      label(others[at]);
      out.text('\n');
    }
  };
  out.text(`\nrank ${number} {\n`);
  for (let operation = 0; operation < length; operation++) {
    label(operation);
    const isReceive = kind[operation] === GoalKind.receive;
    if (kind[operation] === GoalKind.calc) {
      out.text(': calc ');
      out.integer(amount[operation]);
    } else {
      out.text(isReceive ? ': recv ' : ': send ');
      out.integer(amount[operation]);
      out.text(isReceive ? 'b from ' : 'b to ');
      orAny(peer[operation], isReceive);
      if (tag[operation] !== 0) {
        out.text(' tag ');
        orAny(tag[operation], isReceive);
      }
    }
    attribute(' cpu ', cpu[operation]);
    attribute(' nic ', nic[operation]);
    out.text('\n');
    waits(operation, ' requires ', requires, requiresStart[operation], requiresStart[operation + 1]);
    waits(operation, ' irequires ', irequires, irequiresStart[operation], irequiresStart[operation + 1]);
  }
  out.text('}\n');
}
