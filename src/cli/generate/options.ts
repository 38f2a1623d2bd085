import type { Options } from 'yargs';
import { OFFICIAL_DEFAULTS } from '../../workloads/official-cases.js';
import { RANK_ORDERS, RECOMPUTATIONS, SCHEDULES } from '../../workloads/transformer/parameters.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';

const number = (describe: string): Options => ({ type: 'string', requiresArg: true, describe });
const choice = (choices: readonly string[], describe: string): Options => ({ choices, requiresArg: true, describe });

/** Options under a heading. */
function group(heading: string, options: Readonly<Record<string, Options>>): Readonly<Record<string, Options>> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group: heading }]));
}

const { ranks, runtimeMicros, tensorBytes, commBytes } = OFFICIAL_DEFAULTS;

const OFFICIAL = group('Official cases:', {
  ranks: number(`number of ranks (default ${ranks})`),
  'runtime-us': number(`duration of a compute, whole µs (default ${runtimeMicros})`),
  'tensor-size': number(`bytes of a memory node, a send or a receive (default ${tensorBytes})`),
  'comm-size': number(`bytes of a collective (default ${commBytes})`),
});

const MODEL = group('Model of transformer:', {
  layers: number('layers'),
  hidden: number('elements of a token between layers'),
  heads: number('heads of attention'),
  'kv-heads': number('heads of keys and values (default: as many as --heads)'),
  sequence: number('tokens of a sequence'),
  vocabulary: number('words'),
  ffn: number('elements inside an MLP or an expert (default 4 × hidden)'),
  gated: { type: 'boolean', describe: 'MLPs and experts have a gate: three matrices and not two' },
  experts: number('experts of each layer, in place of its MLP (default 0: an MLP)'),
  'top-k': number('experts that a token goes to (default 2)'),
});

const STEP = group('Step of transformer:', {
  batch: number('sequences of a step, over all ranks'),
  'micro-batch': number('sequences of a micro-batch (default 1)'),
  'micro-batches': number('micro-batches of a step on each rank, in place of --micro-batch'),
  steps: number('steps, one behind the other (default 1)'),
  'forward-only': { type: 'boolean', describe: 'inference: the forward pass alone, logits of the last tokens' },
  recompute: choice(RECOMPUTATIONS, 'full: layers run forward again in the backward pass (default none)'),
  'element-bytes': number('bytes of an element of weights, activations and gradients (default 2)'),
});

const PARALLELISM = group('Parallelism of transformer:', {
  dp: number('data-parallel ranks (default 1)'),
  tp: number('tensor-parallel ranks (default 1)'),
  pp: number('pipeline stages (default 1)'),
  ep: number('ranks that share the experts of a layer, of the data-parallel ones (default 1)'),
  sp: choice(['yes', 'no'], 'sequence parallelism between tensor-parallel ranks (default no)'),
  zero: number('ZeRO: what data-parallel ranks share out; 1 optimizer, 2 gradients, 3 weights (default 0)'),
  schedule: choice(SCHEDULES, 'order of micro-batches in a pipeline (default 1f1b)'),
  'virtual-stages': number('chunks of layers of a stage; above 1 interleaves 1f1b (default 1)'),
  'rank-order': choice(RANK_ORDERS, 'kinds of parallelism, the innermost first (default tp-dp-pp)'),
});

const DURATIONS = group('Durations of transformer:', {
  'peak-tflops': number('roofline: 10^12 operations a second of a rank'),
  'memory-gbps': number('roofline: 10^9 bytes a second of its memory'),
  durations: number('YAML or JSON file, operation: µs; wins over the roofline'),
});

/** Flags that are numbers of `transformer` or an official case. */
export const CASE_OPTIONS: Readonly<Record<string, Options>> = {
  ...OFFICIAL,
  ...MODEL,
  ...STEP,
  ...PARALLELISM,
  ...DURATIONS,
};

export const GENERATE_OPTIONS: Readonly<Record<string, Options>> = {
  ...CASE_OPTIONS,
  ...group('Writing:', {
    o: OUTPUT_OPTIONS.o,
    to: choice(['et', 'et.gz', 'jsonl'], 'form of the output (default et)'),
    only: { type: 'string', requiresArg: true, describe: 'write these ranks only, such as 3 or 0,4-7' },
    threads: {
      ...READING_OPTIONS.threads,
      describe: 'worker threads, one rank at a time each (default: as many as pay off)',
    },
  }),
};
