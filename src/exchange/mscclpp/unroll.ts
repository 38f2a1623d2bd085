import type { Plan, PlanOp, PlanOperand } from './plan.js';

/** One turn of an op, with operands in pieces of chunks. */
export interface PlanAction {
  readonly op: PlanOp;
  readonly sources: readonly PlanOperand[];
  readonly destinations: readonly PlanOperand[];
}

/** A plan without loops and shared ops. */
export interface UnrolledPlan {
  /** Equal pieces that every chunk is cut into, so that each turn of a loop and each thread block of a group works on whole ones. */
  readonly pieces: number;
  /** By gpu and thread block, in order. */
  readonly actions: readonly (readonly (readonly PlanAction[])[])[];
  readonly loops: number;
  /** Most turns of a loop. */
  readonly turns: number;
}

/** Pieces of a chunk at most: more would be finer than any runtime works. */
export const MOST_PIECES = 4096;

/**
 * Unrolls the loops of a plan: one turn for each `unitBytes` of its chunks, the last one begun (exchange-formats section 5). Turns of a
 * loop work on equal parts of their operands.
 *
 * @param chunkBytes bytes of a chunk; undefined where the size is not known: then each loop has one turn
 * @returns undefined where chunks would be cut into more than `MOST_PIECES` pieces
 */
export function unrollPlan(plan: Plan, chunkBytes: number | undefined): UnrolledPlan | undefined {
  const turnsOf = ({ loop }: PlanOp): number =>
    loop === undefined || chunkBytes === undefined
      ? 1
      : Math.max(1, Math.ceil((loop.chunks * chunkBytes) / loop.unitBytes));
  let pieces = 1;
  let loops = 0;
  let most = 1;
  for (const op of plan.gpus.flatMap(({ threadBlocks }) => threadBlocks.flatMap(({ ops }) => ops))) {
    const turns = turnsOf(op);
    if (op.loop !== undefined) loops++;
    most = Math.max(most, turns);
    for (const { parts } of op.loop?.ops ?? [op]) pieces = leastCommonMultiple(pieces, turns * parts);
    if (pieces > MOST_PIECES) return undefined;
  }
  const unrolled = (op: PlanOp): PlanAction[] => {
    if (op.loop === undefined) return [action(op, pieces, 0, 1)];
    const turns = turnsOf(op);
    const inner = op.loop.ops;
    return Array.from({ length: turns }, (_, turn) => inner.map((one) => action(one, pieces, turn, turns))).flat();
  };
  const actions = plan.gpus.map(({ threadBlocks }) => threadBlocks.map(({ ops }) => ops.flatMap(unrolled)));
  return { pieces, actions, loops, turns: most };
}

function action(op: PlanOp, pieces: number, turn: number, turns: number): PlanAction {
  const part = (operand: PlanOperand): PlanOperand => {
    const all = operand.count * pieces;
    const count = all / (turns * op.parts);
    return { ...operand, offset: operand.offset * pieces + (turn * all) / turns + op.part * count, count };
  };
  return { op, sources: op.sources.map(part), destinations: op.destinations.map(part) };
}

function leastCommonMultiple(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return (a / large) * b;
}
