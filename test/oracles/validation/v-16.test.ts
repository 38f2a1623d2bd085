import { RANDOM_LOSS } from './experiments/random-loss.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([RANDOM_LOSS], 'v-16');
