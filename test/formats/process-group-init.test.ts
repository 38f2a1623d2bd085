import { groupsDeclaredIn, parseProcessGroupInit } from '../../src/formats/process-group-init.js';
import { traceOf } from '../support/traces.js';

const MARCH_2024 =
  '[{"pg_name": "0", "backend_id": 82149104, "backend_config": "cuda:nccl", "ranks": [], "group_size": 2, "group_count": 1}]';
const APRIL_2024 =
  '[{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "ranks": [], "group_size": 2, "group_count": 2}, ' +
  '{"pg_name": "3", "pg_desc": "undefined", "backend_config": "cuda:nccl", "ranks": [1, 0], "group_size": 2, "group_count": 2}]';

describe('parseProcessGroupInit', () => {
  test.each<[string, string]>([
    ['Python repr of the list', `['${APRIL_2024}']`],
    ['JSON text of the list', JSON.stringify([APRIL_2024])],
    ['the inner list alone', APRIL_2024],
  ])('%s', (_, text) => {
    expect(parseProcessGroupInit(text)).toEqual({
      groups: [
        { name: '0', ranks: [0, 1] },
        { name: '3', ranks: [1, 0] },
      ],
      problems: [],
      cut: false,
    });
  });

  test('the entry form of March 2024', () => {
    expect(parseProcessGroupInit(`['${MARCH_2024}']`).groups).toEqual([{ name: '0', ranks: [0, 1] }]);
  });

  test.each<[string, string]>([
    ['between entries', APRIL_2024.slice(0, APRIL_2024.indexOf('}, ') + 2)],
    ['inside the list of ranks', APRIL_2024.slice(0, APRIL_2024.indexOf('[1, 0]') + 2)],
    ['inside a name', APRIL_2024.slice(0, APRIL_2024.indexOf('undefined') + 3)],
  ])('a text cut off %s keeps the complete entries', (_, cut) => {
    for (const text of [`['${cut}']`, `['${cut}`, cut]) {
      expect(parseProcessGroupInit(text)).toEqual({ groups: [{ name: '0', ranks: [0, 1] }], problems: [], cut: true });
    }
  });

  test.each<[string, string]>([
    ['[5]', 'entry 0: expected an object with pg_name, ranks and group_size'],
    ['[{"ranks": [0], "group_size": 1}]', 'entry 0: pg_name is missing'],
    ['[{"pg_name": "a", "group_size": 1}]', 'entry 0: group "a": ranks is not a list'],
    ['[{"pg_name": "a", "ranks": ["x"]}]', 'entry 0: group "a": ranks holds something that is no rank'],
    [
      '[{"pg_name": "a", "ranks": []}]',
      'entry 0: group "a": ranks is empty, which stands for ranks 0 to group_size − 1, and group_size is missing',
    ],
    ['{}', 'expected a list at character 0 of "{}"'],
  ])('%s', (text, problem) => {
    expect(parseProcessGroupInit(text)).toEqual({ groups: [], problems: [problem], cut: false });
  });
});

describe('groupsDeclaredIn', () => {
  const init = (values: string, name = '## process_group:init ##', id = 7) => ({
    id,
    name,
    type: 'METADATA_NODE',
    inputs: { values },
  });

  test('joins metadata and nodes, with where they come from', () => {
    const trace = traceOf([init(`['${APRIL_2024}']`)], 1, {
      attr: { process_groups: { string_val: '{"tp": [1, 0]}' } },
    });
    const { declarations, findings } = groupsDeclaredIn(trace);
    expect(findings).toEqual([]);
    const place = { rank: 1, file: 'test.1.et' };
    expect(declarations).toEqual([
      { name: 'tp', ranks: [1, 0], origin: 'metadata', ...place },
      { name: '0', ranks: [0, 1], origin: 'process_group:init', node: 7, ...place },
      { name: '3', ranks: [1, 0], origin: 'process_group:init', node: 7, ...place },
    ]);
  });

  test('a METADATA node of another name is a declaration where its text is one, and left alone otherwise', () => {
    const nodes = [init(`['${MARCH_2024}']`, 'groups', 1), init('pg_name is unknown', 'note', 2), init('', 'x', 3)];
    const { declarations, findings } = groupsDeclaredIn(traceOf(nodes));
    expect(declarations.map(({ name }) => name)).toEqual(['0']);
    expect(findings).toEqual([]);
  });

  test('a compute node of that name is none', () => {
    const trace = traceOf([{ ...init(`['${MARCH_2024}']`), type: 'COMP_NODE' }]);
    expect(groupsDeclaredIn(trace).declarations).toEqual([]);
  });

  test('malformed and cut texts are findings that name the node', () => {
    const cut = APRIL_2024.slice(0, -20);
    const { declarations, findings } = groupsDeclaredIn(traceOf([init('[5]'), init(`['${cut}']`, undefined, 8)]));
    expect(declarations.map(({ name }) => name)).toEqual(['0']);
    expect(findings.map(({ code, severity, nodes, rank }) => [code, severity, nodes, rank])).toEqual([
      ['GROUP_MALFORMED', 'error', [7], 0],
      ['GROUP_CUT', 'warning', [8], 0],
    ]);
  });
});
