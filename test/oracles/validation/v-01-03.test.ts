import { ONE_MESSAGE } from './experiments/one-message.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(ONE_MESSAGE, 'v-01-03');
