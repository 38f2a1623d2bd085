import { MANY_TO_ONE } from './experiments/many-to-one.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([MANY_TO_ONE], 'v-12');
