import { surveyForValidation, validateTraceset } from '../../../src/passes/validate/validate.js';
import { traceOf } from '../../support/traces.js';
import { codes, collective, only, validateNodes } from '../../support/validation.js';

/** One all-reduce of group `name` on each of `ranks` ranks. */
const everyRank = (ranks: number, name?: string) =>
  Array.from({ length: ranks }, () => [
    collective(1, 0, 8, { pg_name: name === undefined ? undefined : { string_val: name } }),
  ]);

const readRanks = (ranks: Parameters<typeof validateNodes>[0]) =>
  ranks.map((nodes, rank) => surveyForValidation(traceOf(nodes, rank)));

test('GROUP_UNDECLARED (R-124) is an error, and the advice tells how to declare it', () => {
  const findings = validateNodes(everyRank(2, 'tp'), { groups: { dp: [0, 1] } });
  expect(codes(findings)).toEqual(['GROUP_UNDECLARED error']);
  expect(findings[0]).toMatchObject({ group: 'tp' });
  expect(findings[0].advice).toBe('declare it with --groups comm_group.json, such as {"tp": [0, 1]}');
});

test('GROUP_UNDECLARED where the group file could not be read: that comes first', () => {
  const broken = { code: 'GROUP_MALFORMED', severity: 'error' as const, message: 'x', file: 'g.json' };
  const surveys = readRanks(everyRank(2, 'tp'));
  const findings = validateTraceset(surveys, {
    worldSize: 2,
    declared: { groups: new Map(), findings: [broken] },
  });
  expect(only(findings, 'GROUP_UNDECLARED')[0].advice).toBe('correct g.json first: what it declares is not known');
});

test('GROUP_INFERRED where guessing was allowed', () => {
  expect(codes(validateNodes(everyRank(2, 'tp'), { strict: false }))).toEqual(['GROUP_INFERRED warning']);
  expect(codes(validateNodes(everyRank(2, 'tp')))).toEqual(['GROUP_UNDECLARED error']);
});

test('GROUP_WORLD: collectives that name no group run over all ranks', () => {
  expect(codes(validateNodes(everyRank(2)))).toEqual(['GROUP_WORLD note']);
});

test('GROUP_EMPTY, GROUP_MEMBER_TWICE, GROUP_MEMBER_OUT_OF_RANGE (R-124, R-127)', () => {
  const groups = { none: [], twice: [0, 1, 0], far: [0, 1, 2] };
  const findings = validateNodes([[], []], { groups });
  expect(codes(findings.filter(({ group }) => group !== undefined))).toEqual([
    'GROUP_EMPTY error',
    'GROUP_MEMBER_TWICE error',
    'GROUP_MEMBER_OUT_OF_RANGE error',
  ]);
});

test('GROUP_SINGLE (R-120) where such a group is used', () => {
  const findings = validateNodes([everyRank(1, 'solo')[0], []], { groups: { solo: [0], other: [1] } });
  expect(codes(findings.filter(({ group }) => group !== undefined))).toEqual(['GROUP_SINGLE note']);
  expect(findings.find(({ code }) => code === 'GROUP_SINGLE')!.message).toBe(
    'group "solo" has rank 0 as its only member',
  );
});

test('RANK_OUTSIDE_GROUP (R-128): the members are unaffected', () => {
  const findings = validateNodes(everyRank(3, 'tp'), { groups: { tp: [0, 1] } });
  expect(codes(findings)).toEqual(['RANK_OUTSIDE_GROUP warning']);
  expect(findings[0]).toMatchObject({ rank: 2, group: 'tp', nodes: [1] });
  expect(findings[0].message).toBe(
    'rank 2: no member of process group "tp" (ranks 0, 1); its collective there is not expanded: node 1',
  );
});
