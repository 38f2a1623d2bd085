import type { ChunkPlace, ProgramStep, StepKind, ThreadBlock } from '../../collectives/programs/program.js';

/** A step whose place in its thread block is not known yet. */
export interface LooseStep {
  readonly kind: StepKind;
  readonly source: ChunkPlace | undefined;
  readonly destination: ChunkPlace | undefined;
  readonly count: number;
  /** Steps of the rank that must have completed; those of its own thread block come before it anyway. */
  readonly after: Set<LooseStep>;
  /** Line of the file that it comes from; left out where there is none. */
  readonly line?: number;
}

export interface LooseBlock {
  readonly id: number;
  readonly send: number;
  readonly receive: number;
  readonly channel: number;
  readonly steps: LooseStep[];
}

/**
 * Thread blocks of a rank with every step in its place: a step has room for one dependency, and `nop` steps before it carry the
 * others (exchange-formats 4.1).
 */
export function threadBlocks(blocks: readonly LooseBlock[]): ThreadBlock[] {
  const ordered = [...blocks].sort((a, b) => a.id - b.id);
  const blockOf = new Map<LooseStep, LooseBlock>();
  for (const block of ordered) for (const step of block.steps) blockOf.set(step, block);
  const waitsOf = (step: LooseStep): LooseStep[] =>
    [...step.after].filter((other) => blockOf.has(other) && blockOf.get(other) !== blockOf.get(step));
  const placeOf = new Map<LooseStep, number>();
  const awaited = new Set<LooseStep>();
  for (const { steps } of ordered) {
    let place = 0;
    for (const step of steps) {
      const waits = waitsOf(step);
      for (const other of waits) awaited.add(other);
      place += Math.max(0, waits.length - 1);
      placeOf.set(step, place++);
    }
  }
  const after = (step: LooseStep | undefined): ProgramStep['after'] =>
    step && { threadBlock: blockOf.get(step)!.id, step: placeOf.get(step)! };
  const nop = {
    kind: 'nop',
    source: undefined,
    destination: undefined,
    count: 0,
    hasDependent: false,
    line: 0,
  } as const;
  return ordered.map(({ steps, ...block }) => ({
    ...block,
    steps: steps.flatMap((step) => {
      const { kind, source, destination, count, line = 0 } = step;
      const waits = waitsOf(step);
      const last = waits.pop();
      const itself = { kind, source, destination, count, after: after(last), hasDependent: awaited.has(step), line };
      return [...waits.map((other) => ({ ...nop, after: after(other) })), itself];
    }),
  }));
}
