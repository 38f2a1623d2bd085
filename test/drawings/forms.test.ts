import { collective, compute, memory, receive, send } from '../support/jobs.js';
import { drawn } from '../support/drawn.js';
import { readDot, readGraphMl, xmlElements } from '../support/graphs.js';
import type { NodeObject } from '../support/traces.js';

/** One of each kind, with everything a picture knows. */
const NODES: NodeObject[] = [
  memory(1, 3),
  {
    id: 2n ** 64n - 1n,
    name: 'matmul',
    type: 'COMP_NODE',
    start_time_micros: 17,
    duration_micros: 1200,
    data_deps: [1],
    ctrl_deps: [1, 9],
    attr: {
      is_cpu_op: { bool_val: false },
      num_ops: { int64_val: 2_000_000 },
      tensor_size: { uint64_val: 4096 },
      stream: { int64_val: 7 },
      tid: { int64_val: -1 },
    },
  },
  { ...collective(3, 5, 1 << 20, 'tp', []), data_deps: [2n ** 64n - 1n] },
];
NODES[2].attr = { ...NODES[2].attr, root: { int64_val: 1 } };

test('GraphML holds nodes, both dependencies of one pair, missing ids, and what is known of each node', async () => {
  const { text } = await drawn([NODES], 'graphml');
  const { nodes, edges } = readGraphMl(text);
  expect(Object.fromEntries(nodes)).toEqual({
    1: { type: 'MEM_LOAD_NODE', label: 'memory 1', rank: '0', duration_us: '3' },
    '18446744073709551615': {
      ...{ type: 'COMP_NODE', label: 'matmul', rank: '0', duration_us: '1200', start_us: '17', bytes: '4096' },
      ...{ stream: '7', thread: '-1', ops: '2000000', on_host: 'false' },
    },
    3: {
      ...{ type: 'COMM_COLL_NODE', label: 'collective 3', rank: '0', bytes: '1048576', group: 'tp' },
      ...{ collective: 'Broadcast', root: '1' },
    },
    9: { missing: 'true', rank: '0' },
  });
  const big = '18446744073709551615';
  expect(edges).toEqual([
    { from: '1', to: big, data: { dependency: 'data' } },
    { from: '1', to: big, data: { dependency: 'control' } },
    { from: '9', to: big, data: { dependency: 'control' } },
    { from: big, to: '3', data: { dependency: 'data' } },
  ]);
});

test('DOT holds the same', async () => {
  const { nodes, edges } = readDot((await drawn([NODES], 'dot')).text);
  expect([...nodes.keys()]).toEqual(['1', '18446744073709551615', '3', '9']);
  expect(nodes.get('18446744073709551615')).toMatchObject({
    ...{ label: 'matmul\\n#18446744073709551615 compute · 4 KiB · 1,200 µs', type: 'COMP_NODE', thread: '-1' },
    ...{ duration_us: '1200', start_us: '17', bytes: '4096', stream: '7', ops: '2000000', on_host: 'false' },
  });
  expect(nodes.get('3')).toMatchObject({ process_group: 'tp', collective: 'Broadcast', root_of_collective: '1' });
  expect(nodes.get('9')).toMatchObject({ missing: 'true', label: '#9\\nno node has this id' });
  expect(edges.map(({ from, to, data }) => [from, to, data.dependency, data.arrowhead])).toEqual([
    ['1', '18446744073709551615', 'data', 'normal'],
    ['1', '18446744073709551615', 'control', 'tee'],
    ['9', '18446744073709551615', 'control', 'tee'],
    ['18446744073709551615', '3', 'data', 'normal'],
  ]);
});

test('messages join sends and receives of several ranks, in file order where a tag is shared', async () => {
  const job = [
    [send(1, 1, 8, 5), send(2, 1, 8, 5), send(3, 1, 8, 4), send(4, 7, 8, 4)],
    [receive(1, 0, 8, 4), receive(2, 0, 8, 5), receive(3, 0, 8, 5), receive(4, 0, 8, 6)],
  ];
  const { text, said } = await drawn(job, 'graphml');
  const { edges, nodes } = readGraphMl(text);
  expect(edges.map(({ from, to, data }) => [from, to, data.dependency])).toEqual([
    ['r0_3', 'r1_1', 'message'],
    ['r0_1', 'r1_2', 'message'],
    ['r0_2', 'r1_3', 'message'],
  ]);
  expect(nodes.get('r0_4')).toMatchObject({ peer: '7', tag: '4', rank: '0' });
  expect(said).toContain(
    'note DRAWING_UNPAIRED: no message is drawn for 1 receive that no drawn rank sends to, 1 send or receive with a rank that is not drawn',
  );
  expect(said).toContain('note DRAWING_PAIRED_BY_ORDER: 2 messages of one tag');
});

const HOSTILE = [
  '"quoted" \\N \\',
  'back\\',
  '<b>bold</b> & &lt; ]]>',
  'two\nlines\r\nand\ttabs',
  '{record|fields} } ; -> [x=1]',
  '名前 🙂 é',
  '\u0001\u001b[31m\u007f',
  '\ufffe\uffff',
  '',
  'x'.repeat(70_000),
];

test.each(['graphml', 'dot', 'svg'] as const)('%s holds names of any content', async (form) => {
  const job = HOSTILE.map((name, id): NodeObject => ({ ...compute(id, 1, id === 0 ? [] : [id - 1]), name }));
  job.push({ ...collective(HOSTILE.length, 0, 8, 'g"<\\&\n'), name: 'group' });
  const { text, said } = await drawn([job], form);
  expect(said).toContain(`DRAWING_TEXT_REPLACED`);
  if (form === 'graphml') {
    const { nodes } = readGraphMl(text);
    const labels = [...nodes.values()].map(({ label = '' }) => label);
    const shown = HOSTILE.map((name) => name);
    shown[6] = '\u2401\u241b[31m\u007f';
    shown[7] = '\ufffd\ufffd';
    expect(labels.slice(0, -1)).toEqual(shown);
    expect(nodes.get(String(HOSTILE.length))).toMatchObject({ group: 'g"<\\&\n' });
  } else if (form === 'dot') {
    const { nodes, edges } = readDot(text);
    expect(nodes.size).toBe(HOSTILE.length + 1);
    expect(edges).toHaveLength(HOSTILE.length - 1);
    // The reader of this test has undone \" alone; Graphviz undoes the rest.
    expect(nodes.get('0')!.label).toMatch(/^"quoted" \\\\N \\\\\\n#0 /);
    expect(nodes.get('2')!.label).toMatch(/^<b>bold<\/b> &amp; &amp;lt; \]\]>\\n#2 /);
    expect(nodes.get(String(HOSTILE.length))!.process_group).toBe('g"<\\\\&\n');
  } else {
    const titles = xmlElements(text).filter(({ name }) => name === 'title');
    expect(titles.some((title) => title.text.startsWith('{record|fields} } ; -> [x=1]\n'))).toBe(true);
  }
});

test('ids that several nodes have are told apart, and dependencies lead to the first', async () => {
  const job = [compute(5, 1), { ...compute(5, 2), data_deps: [5] }, compute(6, 1, [5])];
  for (const form of ['graphml', 'dot'] as const) {
    for (const words of [[], ['--limit', '9']]) {
      const { text, said } = await drawn([job], form, ...words);
      const { nodes, edges } = form === 'dot' ? readDot(text) : readGraphMl(text);
      expect([...nodes.keys()]).toEqual(['5', '5_2', '6']);
      expect(edges.map(({ from, to }) => [from, to])).toEqual([
        ['5', '5_2'],
        ['5', '6'],
      ]);
      expect(said).toContain('warning DRAWING_ID_REPEATED: 1 node has the id');
    }
  }
});

test('a picture without a limit, read by windows, is the one of a limit that all fit into', async () => {
  // More nodes than a window has; dependencies ahead, over windows and on nothing.
  const many = Array.from({ length: 20_000 }, (_, id): NodeObject => ({
    ...compute(id, id % 7, id % 3 === 0 ? [(id * 7) % 20_000, 30_000 + (id % 5)] : []),
    ctrl_deps: id > 9000 ? [id - 9000] : [],
  }));
  const job = [many, [send(1, 0, 8, 1)]];
  const whole = await drawn(job, 'graphml');
  const limited = await drawn(job, 'graphml', '--limit', '1000000');
  const [left, right] = [readGraphMl(whole.text), readGraphMl(limited.text)];
  // Missing ids are found in another order.
  const sorted = (graph: typeof left): unknown[] => [...graph.nodes].sort(([a], [b]) => (a < b ? -1 : 1));
  expect(sorted(right)).toEqual(sorted(left));
  const lines = (graph: typeof left): string[] => graph.edges.map((edge) => JSON.stringify(edge)).sort();
  expect(lines(right)).toEqual(lines(left));
  expect(left.nodes.size).toBe(20_000 + 1 + 5);
});
