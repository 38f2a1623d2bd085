import type { Finding } from '../../src/base/finding.js';
import { linkRank } from '../../src/pytorch/link-rank.js';
import { deviceTrace, hostTrace, type HostNodeText, type KinetoEvent } from '../support/pytorch-columns.js';

const ROOTS: readonly HostNodeText[] = [
  { id: 1, name: '[pytorch|profiler|execution_trace|process]', parent: 1 },
  { id: 2, name: '[pytorch|profiler|execution_trace|thread]', parent: 1 },
];

const node = (id: number, name: string, recordId: number, parent = 2, thread = 1): HostNodeText => ({
  ...{ id, name, recordId, parent, thread },
});
const op = (name: string, ts: number, dur: number, args: KinetoEvent['args'] = {}, tid = 70): KinetoEvent => ({
  ...{ cat: 'cpu_op', name, ts, dur, tid, args },
});
const recorded = (name: string, ts: number, dur: number, id: number): KinetoEvent =>
  op(name, ts, dur, { 'Record function id': id, 'External id': id + 1000 });

const codes = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code);

/** forward ⊃ linear ⊃ addmm, then add: start, length, id. */
const NODES = [...ROOTS, node(6, 'addmm', 3, 5), node(5, 'linear', 2, 4), node(4, 'forward', 1), node(7, 'add', 4)];
const EVENTS = [
  recorded('forward', 100, 50, 1),
  recorded('linear', 100, 30, 2),
  recorded('addmm', 110, 15.5, 3),
  recorded('add', 160, 10, 4),
];
const LAUNCH: KinetoEvent[] = [
  { cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: 112, dur: 4, tid: 70, args: { correlation: 9 } },
  { cat: 'kernel', name: 'gemm', ts: 118, dur: 40, tid: 7, args: { correlation: 9, stream: 7 } },
];

test('a pair with record-function ids: events, own times, launcher and account', () => {
  const { links, account, findings } = linkRank(hostTrace(NODES), deviceTrace([...EVENTS, ...LAUNCH]), { rank: 0 });
  expect(links.method).toBe('record-id');
  expect(links.confidence).toBe(1);
  expect([...links.hostEvent]).toEqual([-1, -1, 2, 1, 0, 3]);
  expect([...links.exclusiveNs]).toEqual([NaN, NaN, 15_500, 14_500, 20_000, 10_000]);
  expect([...links.launcher]).toEqual([2]);
  expect([...links.call]).toEqual([0]);
  expect([...links.caller]).toEqual([2]);
  expect(account).toMatchObject({
    hostNodes: { total: 6, linked: 4, unlinked: { 'root of the process or of a thread': 2 } },
    hostEvents: { total: 4, linked: 4, unlinked: {} },
    calls: { total: 1, linked: 1, unlinked: {} },
    launchingCalls: 1,
    kernels: { total: 1, linked: 1, unlinked: {} },
  });
  expect(findings).toEqual([]);
});

test('bytes of copies and of collectives are accounted for with their events', () => {
  const copy = (correlation: number, bytes: number): KinetoEvent => ({
    ...{ cat: 'gpu_memcpy', name: 'Memcpy HtoD', ts: 120, dur: 1, tid: 7, args: { correlation, bytes, stream: 7 } },
  });
  const reduce: KinetoEvent = {
    ...{ cat: 'kernel', name: 'ncclDevKernel_AllReduce', ts: 130, dur: 1, tid: 8 },
    args: { correlation: 9, 'Collective name': 'allreduce', 'In msg nelems': 100, dtype: 'Float' },
  };
  const { account } = linkRank(hostTrace(NODES), deviceTrace([...EVENTS, ...LAUNCH, copy(9, 64), copy(5, 8), reduce]), {
    rank: 0,
  });
  const without = { 'no launching call in the device trace': 8 };
  expect(account?.copyBytes).toEqual({ total: 72, linked: 64, unlinked: without });
  expect(account?.collectiveBytes).toEqual({ total: 400, linked: 400, unlinked: {} });
});

test('a node before, between and after the ops of the device trace has no time, and says why', () => {
  const nodes = [...ROOTS, ...[1, 2, 3, 4, 5].map((id) => node(id + 2, 'op' + id, id))];
  const { account, links, findings } = linkRank(
    hostTrace(nodes),
    deviceTrace([recorded('op2', 0, 5, 2), recorded('op4', 10, 5, 4)]),
    { rank: 0 },
  );
  expect(account?.hostNodes.unlinked).toEqual({
    'started before the first op of the device trace': 1,
    'no host event for it in the device trace': 1,
    'started after the last op of the device trace': 1,
    'root of the process or of a thread': 2,
  });
  expect([...links.exclusiveNs]).toEqual([NaN, NaN, NaN, 5000, NaN, 5000, NaN]);
  expect(codes(findings)).toEqual(['LINK_NODES_WITHOUT_TIME']);
});

/** Ten ops a, b, c … in a row. */
const LETTERS = [...'abcdefghij'];
const ROW = [...ROOTS, ...LETTERS.map((name, i) => node(i + 3, name, i + 1))];

test('ids that disagree with names are refused, with figures and the shift that explains it', () => {
  const shifted = LETTERS.map((name, i) => recorded(name, 10 * i, 5, i + 2));
  expect(() => linkRank(hostTrace(ROW), deviceTrace(shifted), { rank: 0 })).toThrow(
    'host.json and device.json do not belong together: of 9 host nodes whose rf_id is in both, 0 have the name of their ' +
      'event (2 is b and a, 3 is c and b, 4 is d and c); with 1 added to every rf_id, 10 of 10 names agree, as in two ' +
      'runs of one program',
  );
});

test('forced, such a pair is linked by the shifted ids, and that is said', () => {
  const shifted = LETTERS.map((name, i) => recorded(name, 10 * i, 5, i + 2));
  const { links, findings } = linkRank(hostTrace(ROW), deviceTrace(shifted), { rank: 0, force: true });
  expect([...links.hostEvent]).toEqual([-1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(codes(findings)).toEqual(['LINK_FORCED']);
});

test('ids with nothing in common are refused', () => {
  const others = LETTERS.map((_, i) => recorded('x' + i, 10 * i, 5, i + 2000));
  expect(() => linkRank(hostTrace(ROW), deviceTrace(others), { rank: 0 })).toThrow(
    'no rf_id of a host node is a "Record function id" of the device trace',
  );
});

test('one name in ten that differs is a warning', () => {
  const events = LETTERS.map((name, i) => recorded(i === 4 ? 'renamed' : name, 10 * i, 5, i + 1));
  const { links, findings } = linkRank(hostTrace(ROW), deviceTrace(events), { rank: 0 });
  expect(links.confidence).toBe(0.9);
  expect(findings.map(({ message }) => message)).toEqual([
    '1 of 10 ops has another name in the device trace, such as rf_id 5: e and renamed; ids decide',
  ]);
});

test('without record-function ids, External ids that names confirm are taken', () => {
  const events = LETTERS.map((name, i) => op(name, 10 * i, 5, { 'External id': i + 1 }));
  const { links, findings } = linkRank(hostTrace(ROW), deviceTrace(events), { rank: 0 });
  expect(links.method).toBe('external-id');
  expect([...links.hostEvent.slice(2)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(codes(findings)).toEqual(['LINK_BY_EXTERNAL_ID']);
});

/** Iterations of the device trace: a … j on one thread, k … t on another while e runs. */
function iterations(count: number, missing = ''): KinetoEvent[] {
  return Array.from({ length: count }, (_, iteration) => [
    ...LETTERS.map((name, i) => op(name, 1000 * iteration + 50 * i, 45)),
    ...[...'klmnopqrst'].map((name, i) => op(name, 1000 * iteration + 200 + 4 * i, 3, {}, 71)),
  ])
    .flat()
    .filter(({ name, ts }) => !(name === missing && ts < 1000));
}

/** One iteration of the host trace, in the order of starts: a … e, k … t on thread 2, f … j. */
const ITERATION = [
  ...ROOTS,
  ...[...'abcde'].map((name, i) => node(i + 3, name, i + 1)),
  ...[...'klmnopqrst'].map((name, i) => node(i + 20, name, i + 6, 2, 2)),
  ...[...'fghij'].map((name, i) => node(i + 40, name, i + 16)),
];

test('without ids, threads are found by the names they run through, and the first of equal iterations is taken', () => {
  const device = deviceTrace(iterations(3));
  const { links, findings } = linkRank(hostTrace(ITERATION), device, { rank: 0 });
  expect(links.method).toBe('name-and-order');
  expect(links.confidence).toBe(1);
  expect([...links.hostEvent].slice(2)).toEqual(Array.from(ITERATION.slice(2), ({ name }) => nameAt(device, name, 0)));
  expect(codes(findings)).toEqual(['LINK_BY_NAME', 'LINK_ALIKE_ITERATIONS', 'LINK_EVENTS_WITHOUT_NODE']);
  expect(findings[0].message).toBe(
    'device.json has no "Record function id": 20 of 20 ops were found by name and order, 100 % of them nested alike; ' +
      'threads: 1 is 70, 2 is 71',
  );
  expect(findings[1].message).toBe('the ops of host.json fit 3 places of device.json equally well; the first is taken');
});

test('an iteration that lacks an op of the other thread is passed over on both', () => {
  const device = deviceTrace(iterations(3, 'o'));
  const { links } = linkRank(hostTrace(ITERATION), device, { rank: 0 });
  expect([...links.hostEvent].slice(2)).toEqual(
    Array.from(ITERATION.slice(2), ({ name }) => nameAt(device, name, 1000)),
  );
});

/** Place of the host event with the name in the iteration that starts at this µs. */
function nameAt({ names, hostEvents }: ReturnType<typeof deviceTrace>, name: string, micros: number): number {
  return hostEvents.name.findIndex(
    (index, event) => names[index] === name && Math.floor(hostEvents.startNs[event] / 1e6) * 1000 === micros,
  );
}

test('traces without ids that run through other names are refused', () => {
  const others = Array.from({ length: 10 }, (_, i) => op('x' + i, 10 * i, 5));
  expect(() => linkRank(hostTrace(ROW), deviceTrace(others), { rank: 0 })).toThrow(
    'they share no ids, and no thread of the one runs through the same names as one of the other',
  );
});

test('a trace without ops, and one without host events, are refused', () => {
  expect(() => linkRank(hostTrace(ROOTS), deviceTrace(EVENTS), { rank: 0 })).toThrow('the host trace has no ops');
  expect(() => linkRank(hostTrace(ROW), deviceTrace(LAUNCH), { rank: 0 })).toThrow(
    'the device trace has no host events',
  );
});

test('a host trace alone has no times', () => {
  const { links, account } = linkRank(hostTrace(NODES), undefined, { rank: 3 });
  expect(links).toMatchObject({ rank: 3, device: undefined, method: undefined, confidence: 0 });
  expect([...links.exclusiveNs]).toEqual([NaN, NaN, NaN, NaN, NaN, NaN]);
  expect(account).toBeUndefined();
});

test('a device trace that another rank recorded is a warning', () => {
  const distributed = { rank: 1, worldSize: 2, groups: new Map<string, number[]>() };
  const { findings } = linkRank(hostTrace(NODES), deviceTrace(EVENTS, { distributed }), { rank: 0 });
  expect(findings.map(({ message }) => message)).toEqual([
    'device.json was recorded by rank 1 and is linked as rank 0',
  ]);
});

test('ids that occur twice are a warning for each kind', () => {
  const twice = [node(3, 'a', 1), node(4, 'a', 1)];
  const { findings } = linkRank(
    hostTrace([...ROOTS, ...twice]),
    deviceTrace([recorded('a', 0, 9, 1), recorded('a', 20, 9, 1), LAUNCH[0], LAUNCH[0]]),
    { rank: 0 },
  );
  expect(findings.filter(({ code }) => code === 'LINK_IDS_DOUBLED').map(({ message }) => message)).toEqual([
    '1 host node with an rf_id that another had before; the first keeps it',
    '1 host event with a Record function id that another had before; the first keeps it',
    '1 call with a correlation that another had before; the first keeps it',
  ]);
});
