import { closeSync, openSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import fc from 'fast-check';
import { MemorySource } from '../../src/base/byte-source.js';
import type { FeederOptions } from '../../src/feeder/feeder-options.js';
import { NodeFeeder } from '../../src/feeder/node-feeder.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import { readWindows } from '../../src/formats/read-windows.js';
import { newFolder } from '../support/folders.js';
import { issueAll, slowOrder, sortedIds, type PlainNode } from '../support/feeding.js';
import { buildEt, type NodeObject } from '../support/traces.js';

const TOP = 2n ** 64n;

function feederOf(nodes: readonly NodeObject[], options: FeederOptions = {}): NodeFeeder {
  return openFeeder(new MemorySource(buildEt(nodes), 'job.3.et'), options);
}

function chain(length: number): NodeObject[] {
  return Array.from({ length }, (_, id) => ({ id, type: 4, data_deps: id === 0 ? [] : [id - 1] }));
}

/** A node of a random trace in file order: parents by place in an order that makes the graph acyclic. */
const randomTrace = fc
  .uniqueArray(fc.oneof(fc.bigInt({ min: 0n, max: 60n }), fc.bigInt({ min: 0n, max: TOP - 1n })), { maxLength: 30 })
  .chain((ids) =>
    fc.record({
      nodes: fc
        .tuple(
          ...ids.map((id, place) => {
            const parents = fc.array(fc.constantFrom(...ids.slice(0, place), ...(place === 0 ? [id] : [])), {
              maxLength: 4,
            });
            return fc.tuple(parents, parents).map(([data, control]) => ({
              id,
              type: 4,
              data_deps: place === 0 ? [] : data,
              ctrl_deps: place === 0 ? [] : control,
            }));
          }),
        )
        .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length })),
      windowNodes: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Infinity)),
      deps: fc.constantFrom('both' as const, 'data' as const),
      atOnce: fc.integer({ min: 1, max: 6 }),
      remove: fc.boolean(),
      choices: fc.infiniteStream(fc.nat()),
    }),
  );

describe('random graphs in any order of the file', () => {
  test('every node is issued once, after its parents; in one window and one by one as the slow twin does', () => {
    fc.assert(
      fc.property(randomTrace, ({ nodes, windowNodes, deps, atOnce, remove, choices }) => {
        const plain: PlainNode[] = nodes.map((node) => ({
          id: node.id,
          parents: deps === 'both' ? [...node.data_deps, ...node.ctrl_deps] : node.data_deps,
        }));
        const byId = new Map(plain.map((node) => [node.id, node]));
        const finish = (inFlight: readonly unknown[]): number => (choices.next().value as number) % inFlight.length;
        const feeder = feederOf(nodes, { windowNodes, deps });
        const order = issueAll(feeder, { atOnce, finish, remove }, byId);
        expect(sortedIds(order)).toEqual(sortedIds(plain.map(({ id }) => id)));
        expect(feeder.hasNodesToIssue()).toBe(false);
        expect(issueAll(feederOf(nodes, { windowNodes: Infinity, deps }))).toEqual(slowOrder(plain));
      }),
      { numRuns: 400 },
    );
  });

  test('with edges in any direction, what is not issued is blocked and told of', () => {
    const id = fc.integer({ min: 0, max: 9 });
    const node = fc.record({
      id,
      data_deps: fc.array(id, { maxLength: 2 }),
      ctrl_deps: fc.array(id, { maxLength: 1 }),
    });
    const trace = fc.uniqueArray(node, { selector: (one) => one.id, maxLength: 10 });
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 6 }), (nodes, windowNodes) => {
        const ids = new Set(nodes.map((one) => one.id));
        const known = (list: readonly number[]): number[] => list.filter((parent) => ids.has(parent));
        const whole = nodes.map((one) => ({
          ...one,
          data_deps: known(one.data_deps),
          ctrl_deps: known(one.ctrl_deps),
        }));
        const plain = whole.map((one) => ({
          id: BigInt(one.id),
          parents: [...one.data_deps, ...one.ctrl_deps].map(BigInt),
        }));
        const expected = slowOrder(plain);
        const feeder = feederOf(whole, { windowNodes });
        expect(sortedIds(issueAll(feeder))).toEqual(sortedIds(expected));
        const blocked = nodes.length - expected.length;
        expect(feeder.hasNodesToIssue()).toBe(blocked > 0);
        expect(feeder.blocked().map(({ code, count }) => (code === 'NODES_NEVER_START' ? count : 0))[0] ?? 0).toBe(
          blocked,
        );
        expect(feeder.blocked().length).toBeGreaterThanOrEqual(blocked > 0 ? 2 : 0);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the order of issue', () => {
  test('lowest id first, 64 bits wide', () => {
    const ids = [2n ** 63n, 5n, 2n ** 32n, 2n ** 32n - 1n, TOP - 1n, 0n];
    expect(issueAll(feederOf(ids.map((id) => ({ id, type: 4 }))))).toEqual(sortedIds(ids));
  });

  test('R-040 data and control dependencies count alike, and an id in both lists or twice in one counts once', () => {
    const nodes = [{ id: 9, ctrl_deps: [6, 4], data_deps: [4, 6, 4] }, { id: 4 }, { id: 6 }];
    const feeder = feederOf(nodes);
    const [four, six] = [feeder.getNextIssuableNode()!, feeder.getNextIssuableNode()!];
    expect([four.id, six.id, feeder.getNextIssuableNode()]).toEqual([4n, 6n, undefined]);
    expect(feeder.lookupNode(9n).unfinishedParents).toBe(2);
    feeder.freeChildrenNodes(four);
    expect([feeder.getNextIssuableNode(), feeder.lookupNode(9n).state]).toEqual([undefined, 'waiting']);
    feeder.freeChildrenNodes(six);
    expect(feeder.getNextIssuableNode()?.id).toBe(9n);
  });

  test('deps data ignores control dependencies, as the feeder v1 of mlcommons/chakra does', () => {
    const nodes = [{ id: 1, ctrl_deps: [2] }, { id: 2 }];
    expect(issueAll(feederOf(nodes, { deps: 'data' }))).toEqual([1n, 2n]);
    expect(issueAll(feederOf(nodes))).toEqual([2n, 1n]);
  });

  test('a join of four nodes is issued, which the JSON feeder never does', () => {
    const graph = [
      { Id: 1, Name: 'a', NodeType: 4, is_cpu_op: true, data_deps: [] },
      { Id: 2, Name: 'b', NodeType: 4, is_cpu_op: true, data_deps: [1] },
      { Id: 3, Name: 'c', NodeType: 4, is_cpu_op: true, data_deps: [1] },
      { Id: 4, Name: 'd', NodeType: 4, is_cpu_op: true, data_deps: [2, 3] },
    ];
    const bytes = Buffer.from(JSON.stringify({ workload_graph: graph }));
    expect(issueAll(openFeeder(new MemorySource(bytes, 'x.json'), { windowNodes: 1 }))).toEqual([1n, 2n, 3n, 4n]);
  });

  test('300,000 nodes that wait for the last one of the file', () => {
    const star: NodeObject[] = Array.from({ length: 300_000 }, (_, id) => ({ id, data_deps: [300_000] }));
    const order = issueAll(feederOf([...star, { id: 300_000 }]));
    expect([order.length, order[0], order[1], order[300_000]]).toEqual([300_001, 300_000n, 0n, 299_999n]);
  });
});

describe('windows', () => {
  /** A feeder that tells how many nodes it has read. */
  function watched(nodes: readonly NodeObject[], options: FeederOptions): { feeder: NodeFeeder; read: () => number } {
    const source = new MemorySource(buildEt(nodes), 'job.0.et');
    const where = { rank: 0, file: 'job.0.et' };
    const windows = readWindows(source, where);
    let read = 0;
    const counting = {
      metadata: windows.metadata,
      findings: () => windows.findings(),
      next: (most: number) => {
        const window = windows.next(most);
        read += window?.length ?? 0;
        return window;
      },
    };
    return { feeder: new NodeFeeder(counting, where, options, () => {}), read: () => read };
  }

  test('no more than a window is read ahead of a chain, though nothing is ready while its node is in flight', () => {
    const { feeder, read } = watched(chain(1000), { windowNodes: 16 });
    for (let issued = 1; issued <= 1000; issued++) {
      const node = feeder.getNextIssuableNode()!;
      expect(feeder.getNextIssuableNode()).toBeUndefined();
      expect(read() - issued).toBeLessThanOrEqual(16);
      feeder.freeChildrenNodes(node);
      feeder.removeNode(node);
    }
    expect(feeder.hasNodesToIssue()).toBe(false);
  });

  test('a node that waits for one further on makes the feeder read on, with another in flight', () => {
    const nodes = [
      { id: 0 },
      { id: 1, data_deps: [99] },
      ...chain(97).map((node, id) => ({ ...node, id: id + 2, data_deps: [1] })),
      { id: 99 },
    ];
    const { feeder, read } = watched(nodes, { windowNodes: 2 });
    expect([feeder.getNextIssuableNode()?.id, feeder.getNextIssuableNode()?.id, read()]).toEqual([0n, 99n, 100]);
  });

  test('a node may depend on one that was removed before it was read', () => {
    const nodes = [...chain(10), { id: 20, data_deps: [0, 3, 9] }];
    expect(issueAll(feederOf(nodes, { windowNodes: 1 }))).toHaveLength(11);
  });

  test('names of nodes of earlier windows are still found, in a file read by pieces', () => {
    const path = join(newFolder(), 'job.0.et');
    const nodes = chain(50).map((node, id) => ({ ...node, name: `n${id} ${'x'.repeat(200)}` }));
    writeFileSync(path, buildEt(nodes));
    const feeder = openFeeder(path, { windowNodes: 3 });
    const seen = [];
    for (let node = feeder.getNextIssuableNode(); node !== undefined; node = feeder.getNextIssuableNode()) {
      seen.push(node);
      feeder.freeChildrenNodes(node);
      expect(seen[seen.length >> 1].name).toBe(nodes[seen.length >> 1].name);
    }
    expect(seen.map(({ name }) => name)).toEqual(nodes.map(({ name }) => name));
    feeder.close();
  });

  test.each(['et', 'json'])('looking back in the very source that is read does no harm: %s', (form) => {
    const nodes = chain(500).map((node, id) => ({ ...node, name: `n${id} ${'x'.repeat(200)}` }));
    const graph = nodes.map(({ id, name, type, data_deps }) => ({ Id: id, Name: name, NodeType: type, data_deps }));
    const bytes = form === 'et' ? buildEt(nodes) : Buffer.from(JSON.stringify({ workload_graph: graph }));
    // As a file does: every read overwrites what the last one gave.
    const buffer = new Uint8Array(bytes.length);
    const source = {
      length: bytes.length,
      name: 'job.0.et',
      close: () => {},
      read: (offset: number, length: number) => {
        buffer.fill(0xff);
        buffer.set(bytes.subarray(offset, offset + length));
        return buffer.subarray(0, length);
      },
    };
    const feeder = openFeeder(source, { windowNodes: 3 });
    const names: string[] = [];
    for (let node = feeder.getNextIssuableNode(); node !== undefined; node = feeder.getNextIssuableNode()) {
      names.push(node.name);
      feeder.freeChildrenNodes(node);
    }
    expect(names).toEqual(nodes.map(({ name }) => name));
  });

  test.each([0, -1, 1.5, NaN])('%d nodes are no window', (windowNodes) => {
    expect(() => feederOf(chain(1), { windowNodes })).toThrow(
      expect.objectContaining({ code: 'FEEDER_WINDOW', exitStatus: 2 }) as Error,
    );
  });
});

describe('steps of a node', () => {
  test('waiting, ready, issued, freed, gone', () => {
    const feeder = feederOf(chain(2));
    const node = feeder.getNextIssuableNode()!;
    const child = feeder.lookupNode(1n);
    expect([node.state, child.state]).toEqual(['issued', 'waiting']);
    expect(node.children().map(({ id }) => id)).toEqual([1n]);
    feeder.freeChildrenNodes(node);
    expect([node.state, child.state, node.children()]).toEqual(['freed', 'ready', []]);
    feeder.removeNode(0n);
    expect(() => node.type).toThrow(expect.objectContaining({ code: 'FEEDER_NODE_ABSENT' }) as Error);
    expect(node.id).toBe(0n);
  });

  test('children come in ascending id, each once', () => {
    const nodes = [{ id: 7 }, { id: 9, data_deps: [7] }, { id: 8, data_deps: [7, 7], ctrl_deps: [7] }];
    expect(
      feederOf(nodes, { windowNodes: 3 })
        .getNextIssuableNode()
        ?.children()
        .map(({ id }) => id),
    ).toEqual([8n, 9n]);
  });

  test('a node pushed back is issued again in the order of ids', () => {
    const feeder = feederOf([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const first = feeder.getNextIssuableNode()!;
    const second = feeder.getNextIssuableNode()!;
    feeder.pushBackIssuableNode(first);
    feeder.pushBackIssuableNode(first); // ready already: once is enough
    expect(feeder.getNextIssuableNode()?.id).toBe(1n);
    expect(feeder.getNextIssuableNode()?.id).toBe(3n);
    expect([second.state, feeder.hasNodesToIssue()]).toEqual(['issued', false]);
  });

  test('steps out of order are refused and change nothing', () => {
    const feeder = feederOf(chain(3));
    const refused = expect.objectContaining({ code: 'FEEDER_NODE_STATE', exitStatus: 2 }) as Error;
    expect(feeder.hasNodesToIssue()).toBe(true);
    for (const id of [0n, 1n]) {
      expect(() => feeder.freeChildrenNodes(id)).toThrow(refused);
      expect(() => feeder.removeNode(id)).toThrow(refused);
    }
    expect(() => feeder.pushBackIssuableNode(1n)).toThrow(refused);
    const node = feeder.getNextIssuableNode()!;
    expect(() => feeder.removeNode(node)).toThrow(refused);
    feeder.freeChildrenNodes(node);
    expect(() => feeder.freeChildrenNodes(node)).toThrow(refused);
    expect(() => feeder.pushBackIssuableNode(node)).toThrow(refused);
    feeder.removeNode(node);
    expect(issueAll(feeder)).toEqual([1n, 2n]);
  });

  test.each([2n, -1n, TOP, TOP + 1n])('there is no node %p', (id) => {
    const feeder = feederOf(chain(2));
    feeder.hasNodesToIssue();
    expect(() => feeder.lookupNode(id)).toThrow(expect.objectContaining({ code: 'FEEDER_NODE_ABSENT' }) as Error);
  });

  test('an id that was only named is no node yet', () => {
    const feeder = feederOf([{ id: 1 }, { id: 2, data_deps: [5] }, { id: 3 }, { id: 5 }], { windowNodes: 2 });
    feeder.hasNodesToIssue();
    expect(feeder.lookupNode(2n).unfinishedParents).toBe(1);
    expect(() => feeder.lookupNode(5n)).toThrow(expect.objectContaining({ code: 'FEEDER_NODE_ABSENT' }) as Error);
  });

  test('a number is no id, and a node of another feeder is none of this one', () => {
    const feeder = feederOf(chain(2));
    expect(() => feeder.lookupNode(1 as never)).toThrow('1 is no node id: ids are bigints, such as 17n');
    expect(() => feeder.freeChildrenNodes(feederOf(chain(1)).getNextIssuableNode()!)).toThrow('of another feeder');
  });

  test('the queue is first in, first out', () => {
    const feeder = feederOf([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const { queue } = feeder;
    expect([queue.isEmpty, queue.front(), queue.pop()]).toEqual([true, undefined, undefined]);
    for (let place = 0; place < 3; place++) queue.push(feeder.getNextIssuableNode()!);
    const taken: unknown[] = [];
    while (!queue.isEmpty) {
      taken.push(queue.front()?.id);
      expect(queue.pop()?.id).toBe(taken[taken.length - 1]);
    }
    expect(taken).toEqual([1n, 2n, 3n]);
  });
});

describe('blocked', () => {
  test('nothing is said while a node is ready or in flight, or when none is left', () => {
    const feeder = feederOf([{ id: 1 }, { id: 2, data_deps: [2] }]);
    expect(feeder.blocked()).toEqual([]);
    const node = feeder.getNextIssuableNode()!;
    expect(feeder.blocked()).toEqual([]);
    feeder.freeChildrenNodes(node);
    expect(feeder.blocked().map(({ code }) => code)).toEqual(['NODES_NEVER_START', 'SELF_DATA']);
    expect(feederOf([]).blocked()).toEqual([]);
  });

  test('a cycle through both kinds, one node behind it, and a control dependency on itself', () => {
    const nodes = [
      { id: 3, data_deps: [4] },
      { id: 4, ctrl_deps: [3] },
      { id: 5, data_deps: [4] },
      { id: 6, ctrl_deps: [6] },
    ];
    const feeder = feederOf(nodes, { windowNodes: 1, rank: 2 });
    expect(feeder.blocked()).toEqual([
      expect.objectContaining({ code: 'NODES_NEVER_START', count: 4, nodes: [3], rank: 2 }),
      expect.objectContaining({
        code: 'CYCLE',
        message: 'rank 2: cycle of 2 nodes in data and control dependencies together: 3 waits for 4 waits for 3',
        edges: ['data', 'control'],
      }),
      expect.objectContaining({
        code: 'SELF_CONTROL',
        severity: 'error',
        message: 'rank 2: node 6 has a control dependency on itself',
      }),
    ]);
  });

  test('of many cycles five are told of and the others counted', () => {
    const nodes = Array.from({ length: 8 }, (_, id) => ({ id, data_deps: [id] }));
    const found = feederOf(nodes).blocked();
    expect(found).toHaveLength(7);
    expect(found[6]).toMatchObject({ code: 'CYCLE', count: 3, message: 'rank 3: 3 further cycles of dependencies' });
  });

  test('a long cycle is cut in the message', () => {
    const nodes = Array.from({ length: 10 }, (_, id) => ({ id, data_deps: [(id + 1) % 10] }));
    expect(feederOf(nodes).blocked()[1].message).toBe(
      'rank 3: cycle of 10 nodes in data dependencies: 0 waits for 1 waits for 2 waits for 3 waits for 4 waits for 5 waits for … 4 more … waits for 0',
    );
  });
});

describe('opening and closing', () => {
  const lowestFree = (path: string): number => {
    const descriptor = openSync(path, 'r');
    closeSync(descriptor);
    return descriptor;
  };

  test('the file is given back, and later calls are errors', () => {
    const path = join(newFolder(), 'job.0.et');
    writeFileSync(path, buildEt(chain(3)));
    const before = lowestFree(path);
    const feeder = openFeeder(path);
    const node = feeder.getNextIssuableNode()!;
    expect([node.name, lowestFree(path)]).not.toEqual(['', before]);
    feeder.close();
    feeder.close();
    expect(lowestFree(path)).toBe(before);
    const closed = expect.objectContaining({ code: 'FEEDER_CLOSED', exitStatus: 2 }) as Error;
    for (const use of [
      () => feeder.hasNodesToIssue(),
      () => feeder.getNextIssuableNode(),
      () => feeder.freeChildrenNodes(node),
      () => feeder.removeNode(0n),
      () => feeder.pushBackIssuableNode(0n),
      () => feeder.lookupNode(0n),
      () => feeder.blocked(),
      () => feeder.findings(),
      () => feeder.metadata,
      () => node.name,
      () => node.type,
      () => node.children(),
    ]) {
      expect(use).toThrow(closed);
    }
    expect(lowestFree(path)).toBe(before);
  });

  test('a file that is no trace is refused and given back', () => {
    const path = join(newFolder(), 'job.0.et');
    writeFileSync(path, '{"traceEvents": []}');
    const before = lowestFree(path);
    expect(() => openFeeder(path)).toThrow(expect.objectContaining({ code: 'WRONG_KIND', exitStatus: 3 }) as Error);
    expect(lowestFree(path)).toBe(before);
    expect(() => openFeeder(`${path}.absent`)).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }) as Error);
  });

  test('the form is told by content, gzip or not', () => {
    const json = Buffer.from('{"workload_graph": [{"Id": 5, "NodeType": 4, "data_deps": []}]}');
    const lines = Buffer.from('{"schema":"chakra-prep/trace/1"}\n{"id":5,"type":"COMP_NODE"}\n');
    const folder = newFolder();
    for (const [place, bytes] of [buildEt([{ id: 5 }]), json, lines].entries()) {
      for (const content of [bytes, gzipSync(bytes)]) {
        const path = join(folder, `${place}.${content.length}.et`);
        writeFileSync(path, content);
        const feeder = openFeeder(path);
        expect(issueAll(feeder)).toEqual([5n]);
        feeder.close();
      }
    }
  });

  test('metadata, and the rank of the file name for messages', () => {
    const feeder = feederOf([{ id: 2, data_deps: [1] }]);
    expect(feeder.metadata.version).toBe('0.0.4');
    expect(() => feeder.hasNodesToIssue() && feeder.getNextIssuableNode()).toThrow('rank 3, node 2 has a data');
  });
});
