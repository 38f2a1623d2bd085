import { joinDeclarations, type GroupDeclaration } from '../../src/trace/group-declarations.js';

const inFile = (name: string, ranks: number[]): GroupDeclaration => ({ name, ranks, origin: 'g.json', file: 'g.json' });
const inNode = (name: string, ranks: number[], rank: number): GroupDeclaration => ({
  name,
  ranks,
  origin: 'process_group:init',
  rank,
  file: `job.${rank}.et`,
});

function codes(declarations: GroupDeclaration[], worldSize = 4): string[] {
  return joinDeclarations(declarations, worldSize).findings.map(({ code, group }) => `${code} ${group}`);
}

describe('joinDeclarations', () => {
  test('is the union over the ranks; equal declarations agree', () => {
    const joined = joinDeclarations([inNode('1', [0, 1], 0), inNode('1', [0, 1], 1), inNode('2', [3, 2], 3)], 4);
    expect(joined.findings).toEqual([]);
    expect([...joined.groups.values()]).toEqual([
      { name: '1', ranks: [0, 1], origin: 'process_group:init' },
      { name: '2', ranks: [3, 2], origin: 'process_group:init' },
    ]);
  });

  test('other members are a conflict, once a name; the first declaration stays', () => {
    const joined = joinDeclarations([inFile('1', [0, 1]), inNode('1', [0, 2], 0), inNode('1', [0, 2], 2)], 4);
    expect(joined.groups.get('1')?.ranks).toEqual([0, 1]);
    expect(joined.findings).toEqual([
      expect.objectContaining({
        code: 'GROUP_CONFLICT',
        severity: 'error',
        group: '1',
        count: 2,
        message: 'group "1" is ranks 0, 1 in g.json and ranks 0, 2 in process_group:init of rank 0',
      }),
    ]);
  });

  test('the same members in another order are a conflict', () => {
    const [conflict] = joinDeclarations([inNode('1', [0, 1], 0), inNode('1', [1, 0], 1)], 2).findings;
    expect(conflict.code).toBe('GROUP_CONFLICT');
    expect(conflict.message).toMatch(/the order of members counts$/);
  });

  test('R-127 a rank twice in a group, or outside the job', () => {
    expect(codes([inFile('a', [0, 1, 0])])).toEqual(['GROUP_MEMBER_TWICE a']);
    expect(codes([inFile('a', [0, 4])])).toEqual(['GROUP_MEMBER_OUT_OF_RANGE a']);
    expect(codes([inFile('a', [3, 3, 7])])).toEqual(['GROUP_MEMBER_TWICE a', 'GROUP_MEMBER_OUT_OF_RANGE a']);
  });

  test('what remains of a faulty group has sound members only', () => {
    expect(joinDeclarations([inFile('a', [3, 3, 7, 1])], 4).groups.get('a')?.ranks).toEqual([3, 1]);
  });

  test('R-124 a group without members', () => {
    expect(codes([inFile('a', [])])).toEqual(['GROUP_EMPTY a']);
  });

  test('"0" as a proper subset stays that subset: names are texts', () => {
    const joined = joinDeclarations([inFile('0', [0, 1])], 8);
    expect(joined.findings).toEqual([]);
    expect(joined.groups.get('0')?.ranks).toEqual([0, 1]);
  });
});
