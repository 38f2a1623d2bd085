import { surveyForValidation } from '../../../src/passes/validate/validate.js';
import { NodeType } from '../../../src/trace/node-type.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { attributes, collective, groupsOf, prepareAll } from '../../support/preparation.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

/** Bytes of all typed arrays in a value, each array once. */
function bytesIn(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const inner = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
  return inner.reduce<number>((sum, each) => sum + bytesIn(each, seen), 0);
}

const isCommunication = (type: number): boolean => type >= NodeType.send && type <= NodeType.collective;

/** Bytes of the rank's survey for each of its communication nodes, as it leaves a worker. */
function bytesPerNode(trace: RankTrace): number {
  const survey = structuredClone(surveyForValidation(trace));
  return bytesIn(survey) / trace.type.filter(isCommunication).length;
}

const COUNT = 5000;

/** Nodes 1, 2, …, each of which depends on the one before. */
const inSequence = (node: (id: number) => NodeObject): NodeObject[] =>
  Array.from({ length: COUNT }, (_, at) => ({ ...node(at + 1), ...(at > 0 && { data_deps: [at] }) }));

test('a send or receive with one dependency costs a survey at most 40 bytes', () => {
  const nodes = inSequence((id) => {
    const attr = attributes({ ...(id % 2 === 0 ? { to: 1 } : { from: 1 }), size: 1e6 + id, tag: 1e6 + id });
    return { id, type: id % 2 === 0 ? 'COMM_SEND_NODE' : 'COMM_RECV_NODE', attr };
  });
  const bytes = bytesPerNode(traceOf(nodes));
  expect(bytes).toBeGreaterThan(4 + 4); // its id and its dependency at least
  expect(bytes).toBeLessThanOrEqual(40);
});

test('one of a message without a tag too', () => {
  const nodes = inSequence((id) => ({ id, type: 'COMM_RECV_NODE', attr: attributes({ from: 1, size: 1e6 + id }) }));
  expect(bytesPerNode(traceOf(nodes))).toBeLessThanOrEqual(40);
});

test('a collective with one dependency, a root and a place in the order of issue too', () => {
  const values = (id: number) => ({ type: id % 10, size: 1e6 + id, group: `g${id % 300}`, root: 3, order: id });
  const bytes = bytesPerNode(traceOf(inSequence((id) => collective(id, values(id)))));
  expect(bytes).toBeGreaterThan(4 + 4);
  expect(bytes).toBeLessThanOrEqual(40);
});

test.each([
  ['expanded', {}],
  ['expanded and ordered', { serialize: true, sync: true }],
])('a transfer of a collective that was %s too', (_what, passes) => {
  const nodes = Array.from({ length: 100 }, (_, at): NodeObject =>
    collective(at + 1, { type: 0, size: 1 << 20, group: 'g', order: at }, at > 0 ? { data_deps: [at] } : {}),
  );
  const traces = Array.from({ length: 8 }, (_, rank) => traceOf(nodes, rank));
  const groups = groupsOf({ g: [0, 1, 2, 3, 4, 5, 6, 7] });
  const [first] = prepareAll(traces, { expand: true, groups, ...passes }).traces;
  expect(first.length).toBeGreaterThan(2000);
  expect(bytesPerNode(first)).toBeLessThanOrEqual(40);
});
