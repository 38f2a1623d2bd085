import fc from 'fast-check';
import { MemorySource } from '../../../src/base/byte-source.js';
import { readWindows } from '../../../src/formats/read-windows.js';
import { openEtWindows } from '../../../src/formats/et/et-windows.js';
import { formatId } from '../../../src/base/ids.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { columnsOf } from '../../support/et-frames.js';
import { randomNode } from '../../support/random-nodes.js';
import { buildEt, readBytes } from '../../support/traces.js';

const WHERE = { rank: 0, file: 'test.0.et' };
type Plain = Record<string, unknown>[];

/** The nodes of a window as plain objects; dependencies as ids, so that windows can be put together. */
function plain(trace: RankTrace): Plain {
  const columns = columnsOf(trace);
  const idOf = (target: number): string =>
    target < 0
      ? formatId(trace.danglingLow[-1 - target], trace.danglingHigh[-1 - target])
      : formatId(trace.idLow[target], trace.idHigh[target]);
  const name = (node: number): string => trace.kept!.name(trace.frameOffset[node], trace.frameLength[node]);
  return Array.from({ length: trace.length }, (_, node) => ({
    ...Object.fromEntries(
      (['id', 'type', 'flags', 'durationMicros', 'commType', 'commSize', 'commTag'] as const).map((column) => [
        column,
        columns[column][node],
      ]),
    ),
    ...Object.fromEntries(
      (['peer', 'group', 'collective', 'step'] as const).map((column) => [column, columns[column][node]]),
    ),
    data: [...trace.dataTarget.subarray(trace.dataStart[node], trace.dataStart[node + 1])].map(idOf),
    control: [...trace.controlTarget.subarray(trace.controlStart[node], trace.controlStart[node + 1])].map(idOf),
    rare: [trace.root.get(node), trace.issueOrder.get(node), trace.splits.get(node)],
    frame: [trace.frameOffset[node], trace.frameLength[node]],
    name: name(node),
  }));
}

/** `undefined` for nodes with a number that no column can hold, which are refused. */
function wholeUnlessTooLarge(bytes: Uint8Array): ReturnType<typeof readBytes> | undefined {
  try {
    return readBytes(bytes, 0);
  } catch (error) {
    expect(error).toMatchObject({ code: 'NUMBER_TOO_LARGE' });
    return undefined;
  }
}

test('windows of any size have the nodes and the findings of the whole', () => {
  fc.assert(
    fc.property(
      fc.array(randomNode, { maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 300 }),
      (nodes, most, windowBytes) => {
        const bytes = buildEt(nodes);
        const whole = wholeUnlessTooLarge(bytes);
        fc.pre(whole !== undefined);
        const windows = openEtWindows(new MemorySource(bytes, WHERE.file), WHERE, { windowBytes });
        const seen: Plain = [];
        for (let window = windows.next(most); window !== undefined; window = windows.next(most)) {
          expect(window.length).toBeLessThanOrEqual(most);
          expect(window.metadata).toBe(windows.metadata);
          seen.push(...plain(window));
        }
        expect(seen).toEqual(plain(whole.trace));
        expect(windows.findings()).toEqual(whole.findings);
        expect(windows.next(most)).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
});

test('windows write into the same memory', () => {
  const nodes = Array.from({ length: 100 }, (_, id) => ({ id, type: 4, data_deps: [id + 1] }));
  const windows = readWindows(new MemorySource(buildEt(nodes), WHERE.file), WHERE);
  const first = windows.next(10)!;
  const memory = first.idLow.buffer;
  expect([...first.idLow]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (let window = windows.next(10); window !== undefined; window = windows.next(10)) {
    expect(window.idLow.buffer).toBe(memory);
    expect(window.collectives).toBe(first.collectives);
  }
});

test('collectives of a window are those of its nodes only', () => {
  const nodes = Array.from({ length: 6 }, (_, id) => ({
    id,
    type: 'COMM_SEND_NODE',
    attr: { comm_type: { int64_val: 0 }, collective_instance: { int64_val: id >> 2 } },
  }));
  const windows = readWindows(new MemorySource(buildEt(nodes), WHERE.file), WHERE);
  const instances: number[][] = [];
  for (let window = windows.next(2); window !== undefined; window = windows.next(2)) {
    const { collectives, collective } = window;
    instances.push([...collective].map((index) => collectives[index].instance));
    expect(collectives).toHaveLength(1);
  }
  expect(instances).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
});

test('a cut file gives the windows before the cut, then frame and byte', () => {
  const bytes = buildEt([
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ]);
  const windows = readWindows(new MemorySource(bytes.subarray(0, bytes.length - 1), WHERE.file), WHERE);
  expect(windows.next(1)?.length).toBe(1);
  expect(() => windows.next(1)).toThrow(
    expect.objectContaining({
      code: 'FRAME_TRUNCATED',
      message: expect.stringContaining('frame 2 at byte 16') as string,
    }) as Error,
  );
});

test.each(['{"traceEvents": []}', '{"0": [0, 1]}'])('%s is no trace', (text) => {
  expect(() => readWindows(new MemorySource(Buffer.from(text), 'x'), WHERE)).toThrow(
    expect.objectContaining({ code: 'WRONG_KIND' }) as Error,
  );
});

test('an empty file', () => {
  expect(() => readWindows(new MemorySource(new Uint8Array(0), 'x'), WHERE)).toThrow(
    expect.objectContaining({ code: 'FILE_EMPTY' }) as Error,
  );
});
