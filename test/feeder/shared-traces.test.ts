import { MemorySource } from '../../src/base/byte-source.js';
import type { PrepError } from '../../src/base/errors.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import type { NodeFeeder } from '../../src/feeder/node-feeder.js';
import { writeJsonLines } from '../../src/formats/chakra-jsonl.js';
import { detectFormat } from '../../src/formats/detect.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { issueAll, plainNodes, slowOrder, sortedIds } from '../support/feeding.js';
import { describeShared, shared, sharedFiles } from '../support/shared.js';

const traces = sharedFiles('traces', /\.(et|eg|json)(\.gz)?$/).filter((path) => {
  if (path.includes('edge-cases')) return false;
  const { format } = detectFormat(openTraceSource(shared(path)));
  return format === 'chakra-et' || format === 'feeder-json';
});
const OFFICIAL = 'mlcommons-chakra/chakra.0.et.gz';

describeShared('every trace of shared/traces is issued whole, each node once and after all its parents', () => {
  test('there are as many as there were', () => expect(traces.length).toBeGreaterThan(100));

  test.each(traces)('%s', (path) => {
    // The control dependencies of the official feeder test have cycles; its own reader ignores them.
    const deps = path.endsWith(OFFICIAL) ? 'data' : 'both';
    const { trace } = readTrace(openTraceSource(shared(path)), { rank: 0, file: path });
    const nodes = plainNodes(trace, deps);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const ids = sortedIds(nodes.map(({ id }) => id));
    for (const [windowNodes, atOnce] of [
      [1, 1],
      [7, 5],
      [1 << 16, 5],
      [Infinity, 1],
    ]) {
      const feeder = openFeeder(shared(path), { deps, windowNodes });
      const caller = { atOnce, finish: (inFlight: readonly unknown[]) => inFlight.length - 1, remove: true };
      const order = issueAll(feeder, caller, byId);
      expect(sortedIds(order)).toEqual(ids);
      const left = [feeder.hasNodesToIssue(), feeder.getNextIssuableNode(), feeder.blocked()];
      expect(left).toEqual([false, undefined, []]);
      feeder.close();
      if (windowNodes === Infinity && ids.length < 1000) expect(order).toEqual(slowOrder(nodes));
    }
  });

  const some = traces.filter((path) => /\.0\.|\.0$/.test(path) && !path.includes('artifacts'));
  test.each(some)('%s as JSON lines', (path) => {
    const { trace } = readTrace(openTraceSource(shared(path)), { rank: 0, file: path });
    let text = '';
    writeJsonLines(trace, (lines) => (text += lines));
    const deps = path.endsWith(OFFICIAL) ? 'data' : 'both';
    const nodes = plainNodes(trace, deps);
    const feeder = openFeeder(new MemorySource(Buffer.from(text), 'lines.jsonl'), { deps, windowNodes: 7 });
    const order = issueAll(feeder, undefined, new Map(nodes.map((node) => [node.id, node])));
    expect(sortedIds(order)).toEqual(sortedIds(nodes.map(({ id }) => id)));
  });
});

describeShared('mlcommons-chakra/chakra.0.et.gz with control dependencies', () => {
  test('issues what no cycle holds back, drops 1,277 dangling control dependencies, and says why the rest is blocked', () => {
    const path = shared('traces', OFFICIAL);
    const { trace } = readTrace(openTraceSource(path), { rank: 0, file: path });
    const expected = slowOrder(plainNodes(trace, 'both'));
    const feeder = openFeeder(path);
    expect(issueAll(feeder)).toEqual(expected);
    expect(feeder.findings()).toEqual([
      expect.objectContaining({ code: 'DANGLING_CONTROL', severity: 'warning', count: 1277 }),
    ]);
    expect(feeder.hasNodesToIssue()).toBe(true);
    expect(feeder.getNextIssuableNode()).toBeUndefined();
    const [first, ...cycles] = feeder.blocked();
    expect(first).toMatchObject({ code: 'NODES_NEVER_START', severity: 'error', count: 3664 - expected.length });
    expect(cycles).toHaveLength(6);
  });
});

describeShared('the awkward files of edge-cases', () => {
  const open = (name: string, windowNodes = 1, more = {}): NodeFeeder =>
    openFeeder(shared('traces', 'edge-cases', name), { windowNodes, ...more });

  // Nodes that feeder v3 issues, or v1 where v3 refuses the file (feeder-behaviour.json).
  test.each([
    ['repeated.et', 2],
    ['danglingctrl.et', 2],
    ['zeronode.et', 3],
    ['emptymeta.et', 2],
    ['star.et.gz', 30_001],
  ])('%s issues all %i nodes', (name, count) => {
    for (const windowNodes of [1, 7, 1 << 16]) expect(issueAll(open(name, windowNodes))).toHaveLength(count);
  });

  test('danglingctrl.et: the control dependencies dropped are counted', () => {
    const feeder = open('danglingctrl.et');
    expect(feeder.findings()).toEqual([]);
    issueAll(feeder);
    expect(feeder.findings()).toEqual([
      expect.objectContaining({ code: 'DANGLING_CONTROL', severity: 'warning', message: expect.any(String) as string }),
    ]);
    const data = open('danglingctrl.et', 1, { deps: 'data' });
    expect(issueAll(data)).toHaveLength(2);
    expect(data.findings()).toEqual([]);
  });

  test.each([
    ['cycle.et', 1],
    ['allcycle.et', 0],
  ])('%s: %i nodes are issued, then the cycle of two is named', (name, count) => {
    const feeder = open(name);
    expect(issueAll(feeder)).toHaveLength(count);
    expect(feeder.hasNodesToIssue()).toBe(true);
    expect(feeder.blocked()).toEqual([
      expect.objectContaining({ code: 'NODES_NEVER_START', count: 2, nodes: [2] }),
      expect.objectContaining({
        code: 'CYCLE',
        message: 'rank 0: cycle of 2 nodes in data dependencies: 2 waits for 3 waits for 2',
        nodes: [2, 3],
      }),
    ]);
  });

  test('R-043 dangling.et: a data dependency on a missing id is an error at the end of the file', () => {
    const feeder = open('dangling.et');
    const first = feeder.getNextIssuableNode()!;
    expect(first.id).toBe(1n);
    feeder.freeChildrenNodes(first);
    const refused = (): PrepError => thrown(() => feeder.getNextIssuableNode());
    expect(refused()).toMatchObject({
      code: 'DANGLING_DATA',
      exitStatus: 1,
      message: 'rank 0, node 2 has a data dependency on 9, which the rank does not have',
    });
    // It does not go away by asking again.
    expect(refused()).toMatchObject({ code: 'DANGLING_DATA' });
  });

  test('R-043 dangling.et: dropped with a warning on request', () => {
    const feeder = open('dangling.et', 1, { dropMissingDependencies: true });
    expect(issueAll(feeder)).toEqual([1n, 2n]);
    expect(feeder.findings()).toEqual([
      expect.objectContaining({
        code: 'DANGLING_DATA',
        severity: 'warning',
        count: 1,
        nodes: [2],
        message: '1 data dependency on missing nodes dropped',
      }),
    ]);
  });

  test.each(['dup.et', 'gz.et'])('%s: the second node of an id is an error, removed or not', (name) => {
    for (const remove of [true, false]) {
      const error = thrown(() => issueAll(open(name), { atOnce: 1, finish: () => 0, remove }));
      expect(error).toMatchObject({ code: 'DUPLICATE_ID', exitStatus: 1 });
      expect(error.findings).toEqual([expect.objectContaining({ code: 'DUPLICATE_ID', nodes: [1], rank: 0 })]);
    }
    expect(thrown(() => issueAll(open(name, Infinity)))).toMatchObject({ code: 'DUPLICATE_ID' });
  });

  test('trunc.et: the whole node is issued, then the cut one is named by frame and byte', () => {
    const feeder = open('trunc.et');
    const first = feeder.getNextIssuableNode()!;
    feeder.freeChildrenNodes(first);
    expect(thrown(() => feeder.getNextIssuableNode())).toMatchObject({
      code: 'FRAME_TRUNCATED',
      exitStatus: 3,
      message: expect.stringContaining('frame 2 at byte 26') as string,
    });
    expect(thrown(() => open('trunc.et', 7).hasNodesToIssue())).toMatchObject({ code: 'FRAME_TRUNCATED' });
  });
});

function thrown(action: () => unknown): PrepError {
  try {
    action();
  } catch (error) {
    return error as PrepError;
  }
  throw new Error('nothing was thrown');
}
