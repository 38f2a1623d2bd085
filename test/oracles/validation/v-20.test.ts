import { ANALYTICAL } from './experiments/analytical.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([ANALYTICAL], 'v-20');
