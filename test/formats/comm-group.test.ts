import { parseCommGroup } from '../../src/formats/comm-group.js';
import { describeShared } from '../support/shared.js';
import { sharedBytes, traceFacts } from '../support/trace-facts.js';

function parse(text: string): { groups: [string, readonly number[]][]; messages: string[] } {
  const { declarations, findings } = parseCommGroup(Buffer.from(text), 'comm_group.json');
  return {
    groups: declarations.map(({ name, ranks }) => [name, ranks]),
    messages: findings.map(({ code, message }) => `${code} ${message}`),
  };
}

describe('parseCommGroup', () => {
  test('keeps the order of groups and members, and any name', () => {
    expect(parse('{"10": [3, 1], "2": [0], "tp": []}')).toEqual({
      groups: [
        ['10', [3, 1]],
        ['2', [0]],
        ['tp', []],
      ],
      messages: [],
    });
  });

  test('a name that repeats is kept twice, so that the two can be compared', () => {
    expect(parse('{"0": [0], "0": [1]}').groups).toEqual([
      ['0', [0]],
      ['0', [1]],
    ]);
  });

  test.each<[string, string]>([
    ['[0, 1]', 'a group file is an object of group name → list of ranks, such as {"0": [0, 1]} (line 1, column 1)'],
    ['{"0": 5}', 'group "0": expected a list of ranks, got 5 (line 1, column 7)'],
    ['{\n "é": {"a": [1]}}', 'group "é": expected a list of ranks, got an object (line 2, column 7)'],
    ['{"0": [0, "1"]}', 'group "0": expected a rank (0, 1, …), got "1" (line 1, column 11)'],
    ['{"0": [-1]}', 'group "0": expected a rank (0, 1, …), got -1 (line 1, column 8)'],
    ['{"0": [1.5]}', 'group "0": expected a rank (0, 1, …), got 1.5 (line 1, column 8)'],
    ['{"0": [[1]]}', 'group "0": expected a rank (0, 1, …), got a list (line 1, column 8)'],
    ['{"0": [0 1]}', 'not JSON: expected "," or "]" (line 1, column 10)'],
    ["{'0': [0]}", 'not JSON: expected a key in double quotes (line 1, column 2)'],
    ['{"0": [0],}', 'not JSON: expected a key in double quotes (line 1, column 11)'],
    ['{"0": [0]', 'not JSON: ends in the middle of a value (line 1, column 10)'],
    ['{"0": [0]} {}', 'text after the end of the object (line 1, column 12)'],
  ])('%s', (text, message) => {
    expect(parse(text).messages).toEqual([`GROUP_MALFORMED comm_group.json: ${message}`]);
  });

  test('a file of another kind is named', () => {
    expect(parse('{"traceEvents": []}').messages).toEqual([
      'GROUP_MALFORMED comm_group.json is a Kineto device trace (Chrome trace events), ' +
        'expected a process group file such as {"0": [0, 1]}',
    ]);
  });

  test('the groups beside a malformed one are read', () => {
    expect(parse('{"0": [0, {"x": [1, 2]}, 3], "1": [4]}').groups).toEqual([['1', [4]]]);
  });
});

describeShared('group files of the public traces', () => {
  for (const [path, { groups, keys }] of traceFacts(/comm-group/)) {
    test(path, () => {
      const file = parseCommGroup(sharedBytes('traces', path), path);
      expect(file.findings).toEqual([]);
      expect(file.declarations).toHaveLength(groups as number);
      expect(file.declarations.map(({ name }) => name).sort()).toEqual([...(keys as string[])].sort());
    });
  }
});
