import type { AlgorithmChoices } from '../collectives/catalogue.js';
import type { ExpansionSystemOptions } from '../config/expansion-options.js';
import type { ChainOrder } from '../passes/serialize.js';
import type { WarningRule } from './demand-no-errors.js';
import type { Reading } from './open-traceset.js';
import type { OutputFormat } from './write-ranks.js';

/** Passes to apply; none rewrites the traceset as it is. */
export interface Steps {
  /** Run the rules of `validate` first and stop at errors. */
  readonly validate?: boolean;
  readonly expand?: boolean;
  readonly algorithms?: AlgorithmChoices;
  /** Expand by the algorithms of ASTRA-sim's system layer, where it has some. */
  readonly system?: ExpansionSystemOptions;
  readonly serialize?: boolean;
  readonly order?: ChainOrder;
  readonly sync?: boolean;
  /** Factor from 0 to 1. */
  readonly scale?: number;
  readonly annotate?: boolean;
}

export interface Output {
  /** Folder to write; absent gives the bytes of the one rank back. */
  readonly folder?: string;
  readonly format: OutputFormat;
  /** Ranks to write; all when left out. */
  readonly only?: readonly number[];
}

/** Programs that traces can be written for (docs/targets.md). */
export const WRITING_TARGETS = ['astra-sim'] as const;

export type WritingTarget = (typeof WRITING_TARGETS)[number];

export interface PreparationRequest extends Reading, WarningRule {
  /** Program that is to run what is written: it is mended for it, and checked before it gets its names. */
  readonly target?: WritingTarget;
  readonly steps: Steps;
  readonly output: Output;
}

/** How a preparation that is stopped ends. */
export const NOTHING_WRITTEN = 'nothing written';
