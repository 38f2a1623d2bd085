import { SAMENESS } from './experiments/sameness.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([SAMENESS], 'v-19');
