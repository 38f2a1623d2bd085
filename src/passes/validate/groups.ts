import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import type { TracesetRule, TracesetSubject } from './rule.js';

/** Who is in the process groups, and who runs collectives in them. */
export const groupRules: readonly TracesetRule[] = [
  {
    scope: 'traceset',
    codes: [
      'GROUP_EMPTY',
      'GROUP_MEMBER_TWICE',
      'GROUP_MEMBER_OUT_OF_RANGE',
      'GROUP_CONFLICT',
      'GROUP_UNDECLARED',
      'GROUP_INFERRED',
      'GROUP_WORLD',
    ],
    check: groupsInUse,
  },
  { scope: 'traceset', codes: ['GROUP_SINGLE'], check: singleGroups },
];

/** Where a group file could not be read, what is undeclared may well be declared in it. */
function groupsInUse({ groupFindings }: TracesetSubject): Finding[] {
  const broken = groupFindings.find(
    ({ code, file, rank, group }) =>
      file !== undefined && rank === undefined && (code === 'GROUP_MALFORMED' || group === undefined),
  );
  if (broken === undefined) return [...groupFindings];
  const advice = `correct ${broken.file} first: what it declares is not known`;
  return groupFindings.map((found) => (found.code === 'GROUP_UNDECLARED' ? { ...found, advice } : found));
}

/** */
function singleGroups({ surveys, groups }: TracesetSubject): Finding[] {
  const findings: Finding[] = [];
  const used = new Set(surveys.flatMap((survey) => [...survey.groups.names.keys()]));
  for (const name of [...used].sort()) {
    const group = groups.get(name);
    if (group?.ranks.length !== 1) continue;
    const message = `group ${JSON.stringify(name)} has rank ${group.ranks[0]} as its only member`;
    findings.push(finding('GROUP_SINGLE', message, { group: name }));
  }
  return findings;
}
