import type { StepKind } from './program.js';

/** What a step does with its operands, in this order: receive, read, reduce, write, send (exchange-formats 4.1). */
export interface StepAction {
  readonly receives: boolean;
  /** Reads its local source. */
  readonly reads: boolean;
  /** Combines what it received, or else what its destination holds, with its source. */
  readonly reduces: boolean;
  /** Writes its local destination. */
  readonly writes: boolean;
  readonly sends: boolean;
}

const action = (...does: readonly (keyof StepAction)[]): StepAction => ({
  receives: does.includes('receives'),
  reads: does.includes('reads'),
  reduces: does.includes('reduces'),
  writes: does.includes('writes'),
  sends: does.includes('sends'),
});

export const STEP_ACTIONS: Readonly<Record<StepKind, StepAction>> = {
  s: action('reads', 'sends'),
  r: action('receives', 'writes'),
  cpy: action('reads', 'writes'),
  re: action('reads', 'reduces', 'writes'),
  rcs: action('receives', 'writes', 'sends'),
  rrc: action('receives', 'reads', 'reduces', 'writes'),
  rrs: action('receives', 'reads', 'reduces', 'sends'),
  rrcs: action('receives', 'reads', 'reduces', 'writes', 'sends'),
  nop: action(),
};

export const STEP_KINDS = Object.keys(STEP_ACTIONS) as readonly StepKind[];
