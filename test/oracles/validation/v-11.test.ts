import { PERMUTATION } from './experiments/permutation.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([PERMUTATION], 'v-11');
