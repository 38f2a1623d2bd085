import { WINDOW_AND_RATE } from './experiments/window-and-rate.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(WINDOW_AND_RATE, 'v-13-15');
