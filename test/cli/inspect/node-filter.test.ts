import { nodeFilter } from '../../../src/cli/inspect/node-filter.js';
import { viewsOf } from '../../../src/cli/inspect/views.js';
import { runHere } from '../../support/in-process.js';
import { folderWithSamples } from '../../support/folders.js';
import { join } from 'node:path';

test('types by short name, schema name and number, whatever their case', () => {
  expect(nodeFilter({ type: 'coll, SEND,comm_recv_node,mem-load,mem-store,comp,metadata,invalid' }, undefined)).toEqual(
    {
      types: [7, 5, 6, 2, 3, 4, 1, 0],
    },
  );
  expect(nodeFilter({ type: '9,NODE_TYPE_200' }, undefined)).toEqual({ types: [9, 200] });
});

test('a name is text, or an expression between slashes', () => {
  expect(nodeFilter({ name: 'a/b' }, undefined)).toEqual({ name: 'a/b' });
  expect(nodeFilter({ name: '/^a.b$/i' }, undefined)).toEqual({ name: /^a.b$/i });
});

test('ranks, ids to the last of 64 bits, and the limit', () => {
  expect(nodeFilter({ rank: '0,4-6', id: '17, 3-18446744073709551615', limit: 7 }, 50)).toEqual({
    ranks: [0, 4, 5, 6],
    ids: [
      { from: 17n, to: 17n },
      { from: 3n, to: 18446744073709551615n },
    ],
    limit: 7,
  });
  expect(nodeFilter({}, 50)).toEqual({ limit: 50 });
});

test.each([
  [
    '--type',
    'recieve',
    'NODE_FILTER_MALFORMED: --type recieve: no node type is called "recieve", expected invalid, metadata,',
  ],
  ['--type', 'constructor', 'NODE_FILTER_MALFORMED: --type constructor: no node type is called "constructor", '],
  ['--type', 'send,', 'NODE_FILTER_MALFORMED: --type send,: no node type is called "", expected '],
  ['--type', '255', 'NODE_FILTER_MALFORMED: --type 255: '],
  ['--name', '/(/', 'NODE_FILTER_MALFORMED: --name /(/: Invalid regular expression'],
  ['--id', '5-3', 'NODE_FILTER_MALFORMED: --id 5-3: expected ids or ranges from the smaller to the larger'],
  ['--id', '18446744073709551616', 'NODE_FILTER_MALFORMED: --id 18446744073709551616: '],
  ['--id', 'x', 'NODE_FILTER_MALFORMED: --id x: '],
  ['--limit', '-1', 'NODE_FILTER_MALFORMED: --limit -1: expected a whole number from 0'],
  [
    '--rank',
    'x',
    'RANKS_MALFORMED: --rank x: expected ranks or ranges from the smaller to the larger, such as 3 or 0,4-7',
  ],
  ['--rank', '3-1', 'RANKS_MALFORMED: --rank 3-1: '],
  ['--rank', '0-99999999999', 'RANKS_MALFORMED: --rank 0-99999999999: '],
  ['--rank', '9', 'RANK_ABSENT: rank 9: the traceset has no such rank'],
])('%s %s is refused', async (option, value, message) => {
  const traces = join(folderWithSamples(), 'traces');
  const { status, stderr } = await runHere(['inspect', traces, `${option}=${value}`]);
  expect(status).toBe(2);
  expect(stderr).toContain(`error ${message}`);
});

describe('which views flags ask for', () => {
  test('none', () => expect(viewsOf({})).toBeUndefined());

  test('a filter alone asks for nodes', () => {
    expect(viewsOf({ id: '3' })).toEqual({
      groups: false,
      pairs: false,
      collectives: false,
      nodes: { ids: [{ from: 3n, to: 3n }], limit: 50 },
    });
  });

  test('a filter beside another view needs --nodes', () => {
    expect(() => viewsOf({ pairs: true, rank: '0' })).toThrow('--rank chooses among nodes, which are not shown');
    expect(viewsOf({ pairs: true, nodes: true, rank: '0', json: true })).toEqual({
      groups: false,
      pairs: true,
      collectives: false,
      nodes: { ranks: [0] },
    });
  });
});
