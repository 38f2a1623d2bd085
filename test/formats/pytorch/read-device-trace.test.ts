import { DeviceKind } from '../../../src/formats/pytorch/device-trace.js';
import { deviceTrace } from '../../support/pytorch-traces.js';

/** A whole event. */
function event(
  cat: string,
  name: string,
  ts: number | string,
  dur: number | string,
  args: object = {},
  more: object = {},
) {
  return { ph: 'X', cat, name, pid: 10, tid: 11, ts, dur, args, ...more };
}

function codes(findings: readonly { code: string; message: string }[]): string[] {
  return findings.map(({ code, message }) => `${code}: ${message.replace(/^device_0\.json: /, '')}`);
}

test('events go to their tables in the order of the file, with names, times and ids', () => {
  const trace = deviceTrace({
    traceEvents: [
      event('cpu_op', 'aten::add', 1000.5, 2.25, { 'External id': 5, 'Record function id': 6, 'Ev Idx': 0 }),
      event('user_annotation', 'ProfilerStep#1', 999.25, 10, { 'External id': 1 }),
      event('cuda_runtime', 'cudaLaunchKernel', 1001, 1, { 'External id': 5, cbid: 211, correlation: 77 }),
      event('kernel', 'gemm', 1003, 4, { 'External id': 5, device: 1, stream: 7, correlation: 77 }, { pid: 1, tid: 7 }),
      event('gpu_memcpy', 'Memcpy DtoH', 1008, 1, { device: 1, stream: 9, correlation: 78, bytes: 4000 }),
      event('gpu_memset', 'Memset (Device)', 1010, 1, { device: 1, stream: 9, correlation: 79, bytes: 8 }),
      event('gpu_user_annotation', 'ProfilerStep#1', 1003, 8, { 'External id': 1 }),
      event('cuda_sync', 'Stream Wait Event', 1011, 0, {
        ...{
          stream: 7,
          correlation: 80,
          wait_on_stream: 9,
          wait_on_cuda_event_record_corr_id: 81,
          wait_on_cuda_event_id: 3,
        },
      }),
      event('cuda_sync', 'Context Sync', 1012, 6, { stream: -1, correlation: 82 }, { tid: -1 }),
      { ph: 's', cat: 'ac2g', id: 77, pid: 10, tid: 11, ts: 1001 },
      { ph: 'M', name: 'process_name', pid: 10, tid: 0, ts: 1, args: { name: 'python' } },
      event('python_function', 'forward', 1000, 3),
      { ph: 'i', cat: 'cpu_op', name: 'mark', ts: 1000 },
    ],
  });
  expect(trace.findings).toEqual([]);
  expect(trace.baseMicros).toBe(999);
  const { hostEvents, calls, deviceEvents, synchronizations, names } = trace;
  const named = ({ name }: { name: Int32Array }): string[] => [...name].map((place) => names[place]);
  expect(named(hostEvents)).toEqual(['aten::add', 'ProfilerStep#1']);
  expect([...hostEvents.startNs]).toEqual([1500, 250]);
  expect([...hostEvents.durationNs]).toEqual([2250, 10000]);
  expect([...hostEvents.annotation]).toEqual([0, 1]);
  expect([...hostEvents.recordId]).toEqual([6, NaN]);
  expect([...hostEvents.externalId]).toEqual([5, 1]);
  expect([...hostEvents.thread]).toEqual([11, 11]);
  expect([named(calls), [...calls.correlation], [...calls.startNs]]).toEqual([['cudaLaunchKernel'], [77], [2000]]);
  const { kernel, copy, set, annotation } = DeviceKind;
  expect([...deviceEvents.kind]).toEqual([kernel, copy, set, annotation]);
  expect([...deviceEvents.stream]).toEqual([7, 9, 9, -1]);
  expect([...deviceEvents.device]).toEqual([1, 1, 1, -1]);
  expect([...deviceEvents.correlation]).toEqual([77, 78, 79, NaN]);
  expect([...deviceEvents.bytes]).toEqual([NaN, 4000, 8, NaN]);
  expect([...deviceEvents.thread]).toEqual([7, 11, 11, 11]);
  expect(named(synchronizations)).toEqual(['Stream Wait Event', 'Context Sync']);
  expect([...synchronizations.stream]).toEqual([7, -1]);
  expect([...synchronizations.waitsOnStream]).toEqual([9, -1]);
  expect([...synchronizations.waitsOnCorrelation]).toEqual([81, NaN]);
  expect([...synchronizations.waitsOnEvent]).toEqual([3, NaN]);
  expect([...synchronizations.correlation]).toEqual([80, 82]);
  expect(new Map(trace.otherEvents)).toEqual(
    new Map(Object.entries({ ac2g: 1, none: 1, python_function: 1, cpu_op: 1 })),
  );
});

test('keys in whatever order: arguments before the category', () => {
  const text =
    '{"traceEvents": [{"args": {"correlation": 3, "stream": 7}, "dur": 1, "name": "k", "ts": 5, "cat": "kernel", "ph": "X"}]}';
  const { deviceEvents, names } = deviceTrace(text);
  expect([deviceEvents.stream[0], deviceEvents.correlation[0], names[deviceEvents.name[0]]]).toEqual([7, 3, 'k']);
});

test('what one event states is not taken for the next', () => {
  const { deviceEvents, hostEvents } = deviceTrace([
    event('cpu_op', 'a', 1, 1, { 'External id': 5, 'Record function id': 6 }),
    { ph: 'X', cat: 'cpu_op', name: 'b', ts: 2, dur: 1 },
    event('kernel', 'k', 3, 1, { stream: 7 }),
    event('kernel', 'l', 4, 1),
  ]);
  expect([...hostEvents.externalId, ...hostEvents.recordId]).toEqual([5, NaN, 6, NaN]);
  expect([...hostEvents.thread]).toEqual([11, NaN]);
  expect([...deviceEvents.stream]).toEqual([7, -1]);
});

describe('times', () => {
  const times = (text: string) => {
    const trace = deviceTrace(text);
    return [trace.baseMicros, [...trace.hostEvents.startNs], [...trace.hostEvents.durationNs]];
  };
  const op = (ts: string, dur: string): string =>
    `{"ph": "X", "cat": "cpu_op", "name": "a", "ts": ${ts}, "dur": ${dur}}`;

  test('µs since 1970 with three decimals are exact', () => {
    // As doubles both would be .75.
    const text = `{"traceEvents": [${op('1716423322416788.766', '0.001')}, ${op('1716423322416788.767', '12.5')}]}`;
    expect(times(text)).toEqual([1716423322416788, [766, 767], [1, 12500]]);
  });

  test('exponents and texts', () => {
    const text = `[${op('"1001.5"', '"3"')}, ${op('1.0e3', '2.5e-1')}]`;
    expect(times(text)).toEqual([1000, [1500, 0], [3000, 250]]);
  });

  test('baseTimeNanoseconds is added, wherever it stands', () => {
    const events = `"traceEvents": [${op('10.5', '1')}, ${op('8', '1')}]`;
    // 1735632360000000 µs + 8 µs.
    expect(times(`{${events}, "baseTimeNanoseconds": 1735632360000000000}`)).toEqual([
      1735632360000008,
      [2500, 0],
      [1000, 1000],
    ]);
    expect(times(`{"baseTimeNanoseconds": "1735632360000000123", ${events}}`)).toEqual([
      1735632360000008,
      [2623, 123],
      [1000, 1000],
    ]);
  });

  test('without an event that is read there is no base', () => {
    expect(deviceTrace('{"traceEvents": []}').baseMicros).toBe(0);
  });
});

test('events without a time are left out, without a duration or with one below 0 they count with 0', () => {
  const trace = deviceTrace({
    traceEvents: [
      { ph: 'X', cat: 'kernel', name: 'no time', dur: 3 },
      { ph: 'X', cat: 'kernel', name: 'odd time', ts: 'soon', dur: 3 },
      { ph: 'X', cat: 'kernel', name: 'no duration', ts: 5 },
      event('kernel', 'backwards', 6, -2.5),
      event('kernel', 'sound', 7, 1),
    ],
  });
  expect([...trace.deviceEvents.durationNs]).toEqual([0, 0, 1000]);
  expect(codes(trace.findings)).toEqual([
    'EVENT_LEFT_OUT: 2 events without a time that can be read left out, first at byte 16',
    expect.stringContaining('EVENT_DURATION: 1 event without a duration: taken as 0, first at byte') as string,
    expect.stringContaining('EVENT_DURATION: 1 event with a duration below 0: taken as 0, first at byte') as string,
  ]);
});

test('events in two halves pair up by thread, the innermost first', () => {
  const half = (ph: string, ts: number, tid: number | string, more: object = {}): object => ({
    ph,
    pid: 1,
    tid,
    ts,
    ...more,
  });
  const begin = (name: string, ts: number, tid: number | string, cat = 'cpu_op'): object =>
    half('B', ts, tid, { name, cat, args: { 'External id': ts } });
  const trace = deviceTrace({
    traceEvents: [
      begin('outer', 10, 1),
      begin('other thread', 11, 2),
      begin('unread', 12, 1, 'python_function'),
      begin('inner', 13, 1),
      half('E', 15.5, 1),
      half('E', 16, 1),
      half('E', 20, 1),
      half('E', 21, 'nobody'),
      begin('open', 22, 3),
      event('kernel', 'last', 30, 5),
    ],
  });
  const { hostEvents, names, findings } = trace;
  expect([...hostEvents.name].map((name) => names[name])).toEqual(['outer', 'other thread', 'inner', 'open']);
  // "other thread" and "open" last until 35 µs, where the kernel ends.
  expect([...hostEvents.durationNs]).toEqual([10000, 24000, 2500, 13000]);
  expect([...hostEvents.externalId]).toEqual([10, 11, 13, 22]);
  expect(trace.otherEvents.get('python_function')).toBe(1);
  expect(codes(findings)).toEqual([
    expect.stringMatching(
      /^EVENT_OPEN: 2 events begun and never ended: taken to last until the end of the trace, first/,
    ),
    expect.stringMatching(/^EVENT_LEFT_OUT: 1 end of an event without a beginning left out, first at byte/),
  ]);
});

test.each([
  ['Operator', 'hostEvents'],
  ['Runtime', 'calls'],
  ['mtia_runtime', 'calls'],
  ['privateuse1_runtime', 'calls'],
  ['cuda_driver', 'calls'],
  ['Kernel', 'deviceEvents'],
  ['mtia_ccp_events', 'deviceEvents'],
  ['Memcpy', 'deviceEvents'],
  ['Memset', 'deviceEvents'],
] as const)('category %s is read as one of %s', (category, table) => {
  expect(deviceTrace([event(category, 'x', 1, 1)])[table].length).toBe(1);
});

test('HIP: addresses as texts are no ids', () => {
  const trace = deviceTrace([
    event('cuda_runtime', 'hipMemcpyWithStream', 1, 1, { stream: '0x0', correlation: 117, size: '2560' }),
  ]);
  expect([trace.calls.correlation[0], trace.findings]).toEqual([117, []]);
});

describe('arguments of collective kernels', () => {
  const STATED = {
    ...{
      'Collective name': 'all_to_allv',
      'In msg nelems': 384,
      'Out msg nelems': 100,
      'Group size': 2,
      dtype: 'Float',
    },
    ...{ 'Process Group Name': '5', 'Process Group Description': 'default_pg' },
  };

  test('lists as texts and as lists', () => {
    const lists = { 'In split size': '[300, 84]', 'Out split size': [50, 50], 'Process Group Ranks': '[4, 6]' };
    const trace = deviceTrace([event('kernel', 'other', 1, 1), event('kernel', 'nccl', 2, 1, { ...STATED, ...lists })]);
    expect([...trace.collectives]).toEqual([
      [
        1,
        {
          ...{ collective: 'all_to_allv', inputElements: 384, outputElements: 100, groupSize: 2, elementType: 'Float' },
          ...{ inputSplits: [300, 84], outputSplits: [50, 50] },
          ...{ group: '5', groupDescription: 'default_pg', groupRanks: [4, 6] },
        },
      ],
    ]);
    expect(trace.findings).toEqual([]);
  });

  test('a list that was cut off is dropped and told', () => {
    const cut = { 'Process Group Ranks': '[0, 1, 2, ..., 127]' };
    const trace = deviceTrace([
      event('kernel', 'nccl', 2, 1, { ...STATED, ...cut }),
      event('kernel', 'nccl', 3, 1, { ...STATED, ...cut }),
    ]);
    expect(trace.collectives.get(1)).not.toHaveProperty('groupRanks');
    expect(codes(trace.findings)).toEqual([
      'KERNEL_ARGUMENT_CUT: "Process Group Ranks" of 2 kernels cannot be used, first "[0, 1, 2, ..., 127]" in the event at byte 1',
    ]);
  });

  test('empty texts say nothing', () => {
    const trace = deviceTrace([
      event('kernel', 'nccl', 2, 1, { 'Collective name': 'send', 'Process Group Name': '', dtype: '' }),
    ]);
    expect(trace.collectives.get(0)).toEqual({ collective: 'send' });
  });
});

describe('distributedInfo', () => {
  const info = (distributedInfo: unknown) => {
    const { distributed, findings } = deviceTrace({ distributedInfo, traceEvents: [] });
    return { ...distributed, groups: [...(distributed?.groups ?? [])], findings: codes(findings) };
  };

  test('only backend, rank and world size', () => {
    expect(info({ backend: 'nccl', rank: 3, world_size: 128 })).toEqual({
      rank: 3,
      worldSize: 128,
      groups: [],
      findings: [],
    });
    expect(info({ rank: 0 })).toEqual({ rank: 0, groups: [], findings: [] });
  });

  test('groups with a description or a uid, ranks spelt out', () => {
    const pg_config = [
      { pg_name: '0', pg_desc: 'default_pg', backend_config: 'cuda:nccl', pg_size: 4, ranks: [0, 1, 2, 3] },
      { pg_name: '1', uid: 'abc', pg_size: 2, ranks: [1, 3] },
      { pg_name: '2', pg_size: 4, ranks: [] },
    ];
    expect(info({ backend: 'nccl', rank: 1, world_size: 4, pg_count: 3, pg_config })).toEqual({
      ...{ rank: 1, worldSize: 4, findings: [] },
      groups: [
        ['0', [0, 1, 2, 3]],
        ['1', [1, 3]],
        ['2', [0, 1, 2, 3]],
      ],
    });
  });

  test('what is wrong with a group is told, the others are kept', () => {
    const pg_config = [
      7,
      { ranks: [0] },
      { pg_name: 'a', pg_size: 2, ranks: [] },
      { pg_name: 'b', pg_size: 3, ranks: [0, 1] },
      { pg_name: 'c', ranks: [0, 1] },
      { pg_name: 'c', ranks: [1, 0] },
      { pg_name: 'd', ranks: [-1] },
    ];
    const given = info({ rank: 0, world_size: 4, pg_config });
    expect(given.groups).toEqual([['c', [0, 1]]]);
    expect(given.findings).toEqual(
      [
        'pg_config entry 0: expected an object with pg_name and ranks',
        'pg_config entry 1: pg_name is missing',
        'pg_config entry 2: group "a": ranks are missing',
        'pg_config entry 3: group "b": 2 ranks, and pg_size is 3',
        'pg_config entry 5: group "c" is there before with other ranks; the first counts',
        'pg_config entry 6: group "d": ranks holds something that is no rank',
      ].map((message) => `GROUP_MALFORMED: distributedInfo: ${message}`),
    );
  });

  test('something else than an object', () => {
    expect(info('nccl').findings).toEqual([
      'GROUP_MALFORMED: distributedInfo: expected an object with rank and world_size',
    ]);
  });
});

test('a second list of events replaces the first', () => {
  const list = (...events: object[]): string => `"traceEvents": ${JSON.stringify(events)}`;
  const first = list({ ph: 'X', cat: 'kernel', name: 'a' }, event('kernel', 'b', 1, 1), { ph: 'M' });
  const trace = deviceTrace(`{${first}, ${list(event('kernel', 'c', 2, 1))}}`);
  expect([trace.deviceEvents.length, trace.baseMicros, [...trace.otherEvents]]).toEqual([1, 2, []]);
  expect(codes(trace.findings)).toEqual([expect.stringMatching(/^JSON_KEY_REPEATED: 1 key repeated in one object/)]);
});

test.each([
  ['', 'FILE_EMPTY', 'the file is empty, expected a Kineto device trace'],
  [
    '{"schema": "1.0.1", "nodes": []}',
    'WRONG_KIND',
    'is a PyTorch host execution trace, expected a Kineto device trace',
  ],
  ['[]', 'WRONG_KIND', 'is JSON of another kind'],
  ['[1, 2]', 'WRONG_KIND', 'is JSON of another kind'],
  ['{}', 'WRONG_KIND', 'device_0.json is'],
  ['7', 'WRONG_KIND', 'device_0.json is'],
  [
    '{"traceEvents": [{"ph": "X", "ts": }]}',
    'JSON_MALFORMED',
    'event 0 of the list, byte 35: expected a value, got "}"',
  ],
  [
    '{"traceEvents": [{"ph": "X"}',
    'JSON_MALFORMED',
    'event 1 of the list, byte 28: the file ends, expected "," or "]"',
  ],
  ['{"traceEvents": [{"ph": "X"}] "a"', 'JSON_MALFORMED', 'behind the events, byte 30: expected "," or "}"'],
  ['{"traceEvents": 7}', 'JSON_MALFORMED', 'byte 16: expected a list, "[", got "7"'],
])('%j: %s', (text, code, message) => {
  expect(() => deviceTrace(text)).toThrow(
    expect.objectContaining({ code, exitStatus: 3, message: expect.stringContaining(message) as string }) as Error,
  );
});

test('ids above 2^53 are refused', () => {
  const text = '[{"ph": "X", "cat": "kernel", "ts": 1, "args": {"correlation": 9007199254740993}}]';
  expect(() => deviceTrace(text)).toThrow(
    expect.objectContaining({
      code: 'NUMBER_TOO_LARGE',
      message:
        'device_0.json: event 0 of the list: correlation 9007199254740993 at byte 63 is too large: at most 2^53 − 1 can be read exactly',
    }) as Error,
  );
});
