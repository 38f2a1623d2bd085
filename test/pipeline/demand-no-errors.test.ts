import { finding } from '../../src/base/catalogue.js';
import type { Finding } from '../../src/base/finding.js';
import { demandNoErrors } from '../../src/pipeline/demand-no-errors.js';

const warning = finding('PEER_SELF', 'rank 0 sends to itself');
const note = finding('GROUP_WORLD', 'no group');
const error = finding('PEER_MISSING', 'no partner');

function outcome(findings: Finding[], abortOnWarning: boolean, maxWarnings?: number): string {
  try {
    demandNoErrors(findings, { abortOnWarning, ...(maxWarnings === undefined ? {} : { maxWarnings }) }, 'not replayed');
    return 'goes on';
  } catch (stopped) {
    return (stopped as { code: string }).code;
  }
}

test.each([
  [[error], false, undefined],
  [[warning, error], true, 0],
])('R-170 an error stops the run, whatever is done with warnings: %#', (findings, abort, limit) => {
  expect(outcome(findings, abort, limit)).toBe('TRACES_REFUSED');
});

test.each([
  [[warning], false, undefined, 'goes on'],
  [[warning], true, undefined, 'WARNING_ABORTS'],
  [[note], true, undefined, 'goes on'],
  [[], true, undefined, 'goes on'],
  // Held-back warnings do not count: with a limit of 0 all are.
  [[warning], true, 0, 'goes on'],
  [[warning, warning, warning], true, 0, 'goes on'],
  [[warning], true, 1, 'WARNING_ABORTS'],
  [[warning, warning, warning], true, 1, 'WARNING_ABORTS'],
])('R-171 warnings under AbortOnChakraWarning and the limit: %#', (findings, abort, limit, expected) => {
  expect(outcome(findings, abort, limit)).toBe(expected);
});

test('R-170 an error stops with exit status 1 and all findings', () => {
  expect(() => demandNoErrors([warning, error], {}, 'not replayed')).toThrow(
    expect.objectContaining({ exitStatus: 1, message: 'not replayed: PEER_MISSING', findings: [warning, error] }),
  );
});
