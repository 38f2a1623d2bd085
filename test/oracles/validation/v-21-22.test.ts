import { WITHOUT_CONTROL } from './experiments/shared-link.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(WITHOUT_CONTROL, 'v-21-22');
