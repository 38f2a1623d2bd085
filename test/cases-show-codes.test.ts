import { CATALOGUE } from '../src/base/catalogue.js';
import { goldenLines } from './support/golden-lines.js';

const printed = goldenLines().join('\n');

test.each(Object.keys(CATALOGUE))('a golden case shows %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(printed)).toBe(true);
});
