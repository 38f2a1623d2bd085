import { ANALYTICAL } from './analytical.js';
import type { Experiment } from './figure.js';
import { MANY_TO_ONE } from './many-to-one.js';
import { MULTIPATH_PAPER } from './multipath-paper.js';
import { ONE_MESSAGE } from './one-message.js';
import { PERMUTATION } from './permutation.js';
import { RANDOM_LOSS } from './random-loss.js';
import { REFERENCE_SIMULATOR } from './reference-simulator.js';
import { RING_ALL_REDUCE } from './ring-all-reduce.js';
import { SAMENESS } from './sameness.js';
import { SHARED_LINK, WITHOUT_CONTROL } from './shared-link.js';
import { TABLES } from './tables.js';
import { WINDOW_AND_RATE } from './window-and-rate.js';

/** V-1 to V-22 (network-models section 12). V-18, the scale-up fabric, has examples of its own: test/network/scale-up. */
export const EXPERIMENTS: readonly Experiment[] = [
  ...ONE_MESSAGE,
  ...SHARED_LINK,
  ...RING_ALL_REDUCE,
  PERMUTATION,
  MANY_TO_ONE,
  ...WINDOW_AND_RATE,
  RANDOM_LOSS,
  TABLES,
  SAMENESS,
  ANALYTICAL,
  ...WITHOUT_CONTROL,
];

/** Published figures (section 13). */
export const PUBLISHED: readonly Experiment[] = [...REFERENCE_SIMULATOR, ...MULTIPATH_PAPER];
