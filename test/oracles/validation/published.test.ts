import { EXPERIMENTS, PUBLISHED } from './experiments/experiments.js';
import { testExperiments } from './tested-experiments.js';

testExperiments(PUBLISHED, 'published');

test('V-1 to V-22 are all there', () => {
  const ids = EXPERIMENTS.map(({ id }) => Number(id.slice(2)));
  expect([...ids, 18].sort((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_, n) => n + 1));
});
