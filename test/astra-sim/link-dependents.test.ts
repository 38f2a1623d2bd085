import { linkDependents } from '../../src/astra-sim/link-dependents.js';
import { SystemNodes } from '../../src/astra-sim/system-nodes.js';
import { indicesById } from '../../src/trace/id-order.js';
import { traceOf, type NodeObject } from '../support/traces.js';

/** Links of ranks added one after another: `waits for n, then dependents` by node of all ranks. */
function linked(deps: 'both' | 'data', ...ranks: NodeObject[][]): string[] {
  const nodes = new SystemNodes();
  for (const [rank, ofRank] of ranks.entries()) {
    const trace = traceOf(ofRank, rank);
    nodes.reserve(nodes.length + trace.length);
    nodes.length += trace.length;
    nodes.offset.push(nodes.length);
    linkDependents(nodes, trace, indicesById(trace), deps);
  }
  return Array.from({ length: nodes.length }, (_, node) => {
    const dependents = nodes.dependents.subarray(nodes.dependentStart[node], nodes.dependentStart[node + 1]);
    return `waits for ${nodes.waiting[node]}, then ${[...dependents].join(' ') || 'nobody'}`;
  });
}

function node(id: number, data: number[] = [], control: number[] = []): NodeObject {
  return { id, type: 'COMP_NODE', data_deps: data, ctrl_deps: control };
}

describe('parents are the union of data and control dependencies (astra-sim-semantics section 3)', () => {
  const diamond = [node(1), node(2, [1]), node(3, [1], [1]), node(4, [2, 3, 3], [2, 1])];

  test('one that is in both lists, or twice in one, counts once', () => {
    expect(linked('both', diamond)).toEqual([
      'waits for 0, then 1 2 3',
      'waits for 1, then 3',
      'waits for 1, then 3',
      'waits for 3, then nobody',
    ]);
  });

  test('with data only, control dependencies count for nothing', () => {
    expect(linked('data', diamond)).toEqual([
      'waits for 0, then 1 2',
      'waits for 1, then 3',
      'waits for 1, then 3',
      'waits for 2, then nobody',
    ]);
  });

  test('nodes are numbered in ascending id, whatever their order in the file, and dependents are in that order', () => {
    const [first, second, third, fourth] = diamond;
    expect(linked('both', [fourth, second, first, third])).toEqual(linked('both', diamond));
  });

  test('ranks follow each other in one numbering', () => {
    expect(linked('both', [node(5), node(6, [5])], diamond, [node(1), node(9, [], [1])])).toEqual([
      ...['waits for 0, then 1', 'waits for 1, then nobody'],
      ...['waits for 0, then 3 4 5', 'waits for 1, then 5', 'waits for 1, then 5', 'waits for 3, then nobody'],
      ...['waits for 0, then 7', 'waits for 1, then nobody'],
    ]);
  });
});
