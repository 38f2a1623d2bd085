import { RING_ALL_REDUCE } from './experiments/ring-all-reduce.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(RING_ALL_REDUCE, 'v-09-10');
