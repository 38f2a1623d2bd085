/**
 * Holds the README's block of `npm test` against the run that was just made.
 *
 *   node .ci/compare-readme.js report.json
 */
import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const block = /\$ npm ci && npm test\n([^`]*)```/.exec(readme)?.[1] ?? '';
const shown = block.split('\n').filter((line) => line.startsWith('Test Suites:'));
const ran = `Test Suites: ${report.numPassedTestSuites} passed, ${report.numTotalTestSuites} total`;
if (shown.length !== 1 || shown[0] !== ran) {
  console.error(`README shows "${shown.join('')}", the run printed "${ran}"`);
  process.exit(1);
}
console.log(`as in the README: ${ran}`);
