import { SHARED_LINK } from './experiments/shared-link.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(SHARED_LINK, 'v-04-08');
