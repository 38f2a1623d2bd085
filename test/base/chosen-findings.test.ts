import { chooseFindings } from '../../src/base/chosen-findings.js';
import { finding } from '../../src/base/catalogue.js';
import type { Finding } from '../../src/base/finding.js';

const NOTE = finding('GROUP_WORLD', 'note 1');
const WARNING = finding('PEER_SELF', 'warning 1');
const OTHER_WARNING = finding('COMM_ON_CPU', 'warning 2');
const ERROR = finding('CYCLE', 'error 1');
const OTHER_ERROR = finding('SELF_DATA', 'error 2');
const ALL = [NOTE, WARNING, ERROR, OTHER_WARNING, OTHER_ERROR];

function messages(findings: readonly Finding[]): string[] {
  return findings.map(({ message }) => message);
}

test('without a choice everything counts and is listed', () => {
  expect(chooseFindings(ALL)).toEqual({ counted: ALL, listed: ALL, ignored: {}, belowSeverity: 0, beyondMost: 0 });
});

test('a severity lists it and worse; everything still counts', () => {
  const { counted, listed, belowSeverity } = chooseFindings(ALL, { severity: 'warning' });
  expect(counted).toEqual(ALL);
  expect(messages(listed)).toEqual(['warning 1', 'error 1', 'warning 2', 'error 2']);
  expect(belowSeverity).toBe(1);
});

test.each([
  [0, []],
  [1, ['error 1']],
  [3, ['warning 1', 'error 1', 'error 2']],
  [4, ['warning 1', 'error 1', 'warning 2', 'error 2']],
  [9, ['note 1', 'warning 1', 'error 1', 'warning 2', 'error 2']],
])('of at most %i the worst stay, in the order of the report', (maxFindings, expected) => {
  const { counted, listed, beyondMost } = chooseFindings(ALL, { maxFindings });
  expect(messages(listed)).toEqual(expected);
  expect(beyondMost).toBe(Math.max(0, 5 - maxFindings));
  expect(counted).toHaveLength(5);
});

test('what is ignored is counted by code and nowhere else', () => {
  const chosen = chooseFindings([...ALL, ERROR], { ignore: ['CYCLE', 'COMM_ON_CPU', 'PEER_MISSING'] });
  expect(chosen.ignored).toEqual({ CYCLE: 2, COMM_ON_CPU: 1 });
  expect(messages(chosen.counted)).toEqual(['note 1', 'warning 1', 'error 2']);
});

test('severity first, then the number', () => {
  const choice = { severity: 'error', maxFindings: 1, ignore: ['CYCLE'] } as const;
  expect(chooseFindings([...ALL, OTHER_ERROR], choice)).toMatchObject({
    listed: [OTHER_ERROR],
    belowSeverity: 3,
    beyondMost: 1,
  });
});
