import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemGroups, type SystemGroups } from '../../src/pipeline/system-groups.js';
import { groupUse } from '../../src/trace/group-use.js';
import { newFolder } from '../support/folders.js';
import { collective } from '../support/jobs.js';
import { traceOf } from '../support/traces.js';

/** Four ranks, each with an all-reduce in the groups named, beside a group file. */
function groupsOf(names: readonly string[], file?: Record<string, number[]>): SystemGroups {
  const groupFile = join(newFolder(), 'comm_group.json');
  if (file !== undefined) writeFileSync(groupFile, JSON.stringify(file));
  const ranks = [0, 1, 2, 3];
  const uses = ranks.map((rank) =>
    groupUse(
      traceOf(
        names.map((name, at) => collective(at, 0, 8, name)),
        rank,
      ),
    ),
  );
  const files = ranks.map((rank) => ({ rank, path: `job.${rank}.et`, size: 0 }));
  const opened = { prefix: 'job', files, findings: [], ...(file === undefined ? {} : { groupFile }) };
  return systemGroups(opened, [], uses);
}

function members({ groups }: SystemGroups): Record<string, readonly number[]> {
  return Object.fromEntries([...groups].map(([name, { ranks }]) => [name, ranks]));
}

function found({ findings }: SystemGroups): string[] {
  return findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`);
}

describe('section 9: groups as ASTRA-sim reads them', () => {
  test('no name and "0" are all ranks', () => {
    const groups = groupsOf(['', '0']);
    expect(members(groups)).toEqual({ world: [0, 1, 2, 3], '0': [0, 1, 2, 3] });
    expect(found(groups)).toEqual([
      'note GROUP_WORLD: collectives on ranks 0, 1, 2, 3 name no process group: they run over all ranks',
    ]);
  });

  test('members stay in the order of the file', () => {
    const groups = groupsOf(['3', '0'], { '3': [3, 1, 0, 2], '0': [3, 2, 1, 0] });
    expect(members(groups)).toEqual({ '3': [3, 1, 0, 2], '0': [3, 2, 1, 0] });
    expect(found(groups)).toEqual([]);
  });

  test('names are read as numbers, the name itself first', () => {
    const groups = groupsOf(['3.0', '+03', '3'], { '03': [0, 1], '3': [0, 1, 2, 3] });
    expect(members(groups)).toEqual({
      '03': [0, 1],
      '3': [0, 1, 2, 3],
      '3.0': [0, 1, 2, 3],
      '+03': [0, 1, 2, 3],
    });
    expect(found(groups)).toEqual([]);
  });

  test('a name that is no number is taken where it is declared', () => {
    const groups = groupsOf(['tp'], { tp: [0, 1, 2, 3] });
    expect([members(groups), found(groups)]).toEqual([
      { tp: [0, 1, 2, 3] },
      ['note ASTRA_GROUP_NAME: group "tp" does not begin with a number, and ASTRA-sim throws at it'],
    ]);
  });

  test('a group that is declared nowhere is an error, though its users would be a guess', () => {
    expect(found(groupsOf(['5']))).toEqual([
      'error GROUP_UNDECLARED: group "5", used by ranks 0, 1, 2, 3, is not declared: no group is declared',
    ]);
    expect(found(groupsOf(['5'], { '6': [0, 1] }))).toEqual([
      'error GROUP_UNDECLARED: group "5", used by ranks 0, 1, 2, 3, is not declared: declared are "6"',
    ]);
    expect(members(groupsOf(['5']))).toEqual({});
  });

  test('a group "0" of a few ranks is an error where it is used', () => {
    expect(found(groupsOf(['0'], { '0': [0, 1] }))).toEqual([
      'error ASTRA_GROUP_ZERO: group "0" has 2 of 4 ranks, and collectives use it',
    ]);
    expect(found(groupsOf(['1'], { '0': [0, 1], '1': [0, 1, 2, 3] }))).toEqual([]);
  });
});
