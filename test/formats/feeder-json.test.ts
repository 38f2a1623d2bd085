import { MemorySource } from '../../src/base/byte-source.js';
import type { PrepError } from '../../src/base/errors.js';
import { writeChakraEt } from '../../src/formats/et/encode.js';
import { FeederJsonWindows, feederJsonToEt } from '../../src/formats/feeder-json.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import { columnsOf, decodeFrames } from '../support/et-frames.js';
import { describeShared, shared } from '../support/shared.js';
import { buildEt } from '../support/traces.js';

const WHERE = { rank: 4, file: 'job.4.json' };
const source = (text: string): MemorySource => new MemorySource(Buffer.from(text), WHERE.file);
const graph = (...nodes: object[]): string => JSON.stringify({ workload_graph: nodes });
const whole = { Name: 'n', NodeType: 4, is_cpu_op: true, runtime: 5, data_deps: [] };

function windowOf(text: string): { trace: RankTrace | undefined; findings: unknown[] } {
  const windows = new FeederJsonWindows(source(text), WHERE);
  const trace = windows.next(Infinity);
  return { trace, findings: windows.findings() };
}

/** What both ways of reading throw. */
function refused(text: string): PrepError {
  const errors = [() => windowOf(text), () => feederJsonToEt(source(text), WHERE)].map((read) => {
    try {
      read();
    } catch (error) {
      return error as PrepError;
    }
    throw new Error('nothing was thrown');
  });
  expect(errors[0].message).toBe(errors[1].message);
  return errors[0];
}

describe('the .et that says the same', () => {
  test('every key has its field or its attribute, in the arm that readers expect', () => {
    const node = {
      ...{ Id: 7, Name: 'recv', NodeType: 6, is_cpu_op: false, runtime: 9, data_deps: [1, 2], ctrlDeps: [3] },
      ...{ num_ops: 10, tensor_size: 11, pg_name: 'tp', comm_type: 0, comm_size: 12, comm_priority: 13 },
      ...{ comm_src: 1, comm_dst: 2, comm_tag: 3 },
    };
    const { bytes, findings } = feederJsonToEt(source(graph(node)), WHERE);
    const expected = buildEt([
      {
        ...{ id: 7, name: 'recv', type: 6, ctrl_deps: [3], data_deps: [1, 2], duration_micros: 9 },
        attr: {
          is_cpu_op: { bool_val: false },
          num_ops: { int64_val: 10 },
          tensor_size: { uint64_val: 11 },
          pg_name: { string_val: 'tp' },
          comm_type: { int64_val: 0 },
          comm_size: { int64_val: 12 },
          comm_priority: { int32_val: 13 },
          comm_src: { int32_val: 1 },
          comm_dst: { int32_val: 2 },
          comm_tag: { int32_val: 3 },
        },
      },
    ]);
    expect(decodeFrames(bytes)).toEqual(decodeFrames(expected));
    expect(Buffer.compare(bytes, expected)).toBe(0);
    expect(findings).toEqual([]);
  });

  test('numbers that need another arm', () => {
    const text =
      '{"workload_graph":[{"Id":1,"NodeType":5,"data_deps":[],"comm_tag":4294967296,"tensor_size":-1,"num_ops":18446744073709551615}]}';
    const attributes = decodeFrames(feederJsonToEt(source(text), WHERE).bytes).nodes[0].attr;
    expect(attributes).toEqual([
      expect.objectContaining({ name: 'num_ops', uint64_val: '18446744073709551615' }),
      expect.objectContaining({ name: 'tensor_size', int64_val: '-1' }),
      expect.objectContaining({ name: 'comm_tag', int64_val: '4294967296' }),
    ]);
  });

  test('reading it as a trace and writing it gives those bytes: name and all', () => {
    const text = graph({ Id: 7, ...whole, Name: 'söme' }, { Id: 8, ...whole, data_deps: [7] });
    const { trace, format } = readTrace(source(text), WHERE);
    expect([format, trace.length, trace.kept?.name(trace.frameOffset[0], trace.frameLength[0])]).toEqual([
      'feeder-json',
      2,
      'söme',
    ]);
    const chunks: Uint8Array[] = [];
    writeChakraEt(trace, (chunk) => chunks.push(chunk.slice()));
    expect(Buffer.compare(Buffer.concat(chunks), feederJsonToEt(source(text), WHERE).bytes)).toBe(0);
  });
});

describe('windows', () => {
  const ids = [2n ** 64n - 1n, 2n ** 53n, 5n, 0n, 9007199254740993n];
  const text = `{"a": [1, {"workload_graph": 2}], "workload_graph": [${ids
    .map((id, place) => `{"Id": ${id}, "Name": "n${place}", "NodeType": 4, "data_deps": [${ids[place - 1] ?? ''}]}`)
    .join(', ')}], "b": null}`;

  test.each([1, 2, 7])('of %i nodes: exact ids, dependencies, names and no others', (most) => {
    const windows = new FeederJsonWindows(source(`\ufeff${text}`), WHERE);
    const seen: [bigint, bigint[], string][] = [];
    for (let window = windows.next(most); window !== undefined; window = windows.next(most)) {
      const id = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);
      for (let node = 0; node < window.length; node++) {
        const targets = [...window.dataTarget.subarray(window.dataStart[node], window.dataStart[node + 1])];
        const parents = targets.map((to) =>
          to < 0
            ? id(window.danglingLow[-1 - to], window.danglingHigh[-1 - to])
            : id(window.idLow[to], window.idHigh[to]),
        );
        const name = window.kept!.name(window.frameOffset[node], window.frameLength[node]);
        seen.push([id(window.idLow[node], window.idHigh[node]), parents, name]);
      }
    }
    expect(seen).toEqual(ids.map((id, place) => [id, ids.slice(Math.max(0, place - 1), place), `n${place}`]));
    expect(windows.next(most)).toBeUndefined();
  });

  test('the columns are those of the .et that says the same', () => {
    const windows = new FeederJsonWindows(source(text), WHERE);
    expect(columnsOf(windows.next(Infinity)!)).toEqual(columnsOf(readTrace(source(text), WHERE).trace));
  });

  test('no nodes', () => {
    expect(windowOf('{"workload_graph": []}').trace).toBeUndefined();
    expect(readTrace(source('{"workload_graph": []}'), WHERE).trace.length).toBe(0);
  });
});

describe('what is absent stays absent and is counted', () => {
  test('a node with an id alone', () => {
    const { trace, findings } = windowOf(graph({ Id: 3 }, { Id: 4, ...whole }));
    expect([trace!.type[0], trace!.flags[0] & NodeFlag.cpuGiven, trace!.durationMicros[0]]).toEqual([0, 0, 0]);
    expect([trace!.commType[0], trace!.commSize[0], trace!.peer[0]]).toEqual([-1, NaN, -1]);
    const missing = ['Name', 'NodeType', 'data_deps', 'runtime', 'is_cpu_op'].map((key) =>
      expect.objectContaining({
        code: 'FEEDER_KEY_MISSING',
        severity: key === 'runtime' ? 'note' : 'warning',
        message: `${key} is missing on 1 of 2 nodes`,
        ...{ count: 1, nodes: [3], rank: 4, file: WHERE.file },
      }),
    );
    expect(findings).toEqual(missing);
  });

  test.each([
    [5, ['comm_size', 'comm_dst', 'comm_tag']],
    [6, ['comm_size', 'comm_src', 'comm_tag']],
    [7, ['comm_type', 'comm_size']],
  ])('communication of type %i', (type, keys) => {
    const { findings } = windowOf(graph({ Id: 3, ...whole, NodeType: type }));
    expect(findings.map((found) => (found as { key: string }).key).sort()).toEqual([...keys].sort());
  });

  test('keys that are not read, on nodes and beside them', () => {
    const text = JSON.stringify({
      ngpus: 8,
      workload_graph: [{ Id: 1, ...whole, involved_dim: [true], x: { y: 1 } }],
      soc: {},
    });
    expect(windowOf(text).findings).toEqual([
      expect.objectContaining({
        code: 'FEEDER_KEY_UNREAD',
        message: 'involved_dim is not read on the only node',
        nodes: [1],
      }),
      expect.objectContaining({ code: 'FEEDER_KEY_UNREAD', message: 'x is not read on the only node' }),
      expect.objectContaining({
        message: 'keys beside workload_graph that are not read: ngpus, soc',
        severity: 'note',
        count: 2,
      }),
    ]);
  });

  test('of very many keys only some are told apart', () => {
    const keys = Object.fromEntries(Array.from({ length: 100 }, (_, place) => [`k${place}`, 1]));
    const { findings } = windowOf(graph({ Id: 1, ...whole, ...keys }));
    expect(findings).toHaveLength(65);
    expect(findings[64]).toMatchObject({ key: 'other keys', count: 36 });
  });

  test.each([
    ['runtime', 'null', 'an integer'],
    ['runtime', '[1]', 'an integer'],
    ['is_cpu_op', '"yes"', 'true or false'],
    ['Name', '5', 'a text'],
    ['NodeType', '"COMP_NODE"', 'an integer'],
  ])('%s %s cannot be used', (key, value, expected) => {
    const rest = Object.entries({ Id: 1, ...whole }).filter(([name]) => name !== key);
    const text = `{"workload_graph":[{${rest.map(([name, is]) => `"${name}":${JSON.stringify(is)}`).join()},"${key}":${value}}]}`;
    expect(windowOf(text).findings).toEqual([
      expect.objectContaining({
        code: 'ATTRIBUTE_NOT_NUMBER',
        message: `${key} is not ${expected} on the only node and not used there`,
      }),
    ]);
  });

  test.each([
    ['runtime', '1.5', 'a whole number of 0 or more'],
    ['runtime', '-1', 'a whole number of 0 or more'],
    ['runtime', '1e400', 'a whole number of 0 or more'],
    ['comm_size', '1.5', 'a whole number'],
  ])('%s %s cannot be meant', (key, value, expected) => {
    const rest = Object.entries({ Id: 1, ...whole }).filter(([name]) => name !== key);
    const text = `{"workload_graph":[{${rest.map(([name, is]) => `"${name}":${JSON.stringify(is)}`).join()},"${key}":${value}}]}`;
    expect(windowOf(text).findings).toEqual([
      expect.objectContaining({
        code: 'NUMBER_INVALID',
        message: `${key} is not ${expected} on the only node and not used there`,
      }),
    ]);
  });

  test('5.0 and "5" are integers', () => {
    const text = '{"workload_graph":[{"Id":"6","NodeType":4.0,"data_deps":["2"],"runtime":"3"}]}';
    const { trace } = windowOf(text);
    expect([
      trace!.idLow[0],
      trace!.type[0],
      trace!.danglingLow[0],
      trace!.danglingLow.length,
      trace!.durationMicros[0],
    ]).toEqual([6, 4, 2, 1, 3]);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['{"workload_graph": [{"Name": "x"}]}', 'node 0 of workload_graph, byte 20: the node has no Id'],
    [
      '{"workload_graph": [{"Id": -1}]}',
      'node 0 of workload_graph, byte 27: Id holds a value that is not an integer from 0',
    ],
    ['{"workload_graph": [{"Id": 1, "Id": 2}]}', 'node 0 of workload_graph, byte 30: the key "Id" is there twice'],
    ['{"workload_graph": [{"Id": 1, "runtime": NaN}]}', 'node 0 of workload_graph, byte 41: "NaN" is not a value'],
    [
      '{"workload_graph": [{"Id": 1, "Name": "\\q"}]}',
      'node 0 of workload_graph, byte 38: malformed escape in a string',
    ],
    ['{"workload_graph": [{"Id": 18446744073709551616}]}', 'byte 27: Id holds a value that is not an integer from 0'],
    [
      '{"workload_graph": [{"Id": 1}, {"Id": 2, "data_deps": [1.5]}]}',
      'node 1 of workload_graph, byte 55: data_deps holds',
    ],
    ['{"workload_graph": [{"Id": 1, "data_deps": 5}]}', 'byte 43: data_deps is not a list of integers'],
    ['{"workload_graph": [{"Id": 1, "ctrlDeps": null}]}', 'byte 42: ctrlDeps is not a list'],
    ['{"workload_graph": [7]}', 'byte 20: expected an object for a node'],
    ['{"workload_graph": {}}', 'byte 19: workload_graph is not a list of nodes'],
    ['{"other": []}', 'byte 12: there is no workload_graph'],
    ['[]', 'byte 0: expected {"workload_graph": [...]}'],
    ['{"workload_graph": [], "workload_graph": []}', 'byte 23: there is a second workload_graph'],
    ['{"workload_graph": []} {}', 'byte 23: something follows the object'],
    ['{"workload_graph": [{"Id": 1}', 'node 1 of workload_graph, byte 29: ends in the middle of a value'],
    ['{"workload_graph": [{"Id": 1 "Name"', 'byte 29: expected "," or "}"'],
  ])('%s', (text, message) => {
    expect(refused(text)).toMatchObject({
      code: 'JSON_MALFORMED',
      exitStatus: 3,
      message: expect.stringContaining(message) as string,
    });
  });

  test('a size above 2^53, with the node and the byte of its object', () => {
    const text = '{"workload_graph": [{"Id": 9007199254740993, "comm_size": 9007199254740992}]}';
    for (const read of [() => windowOf(text), () => readTrace(source(text), WHERE)]) {
      expect(read).toThrow(
        expect.objectContaining({
          code: 'NUMBER_TOO_LARGE',
          exitStatus: 1,
          message: expect.stringContaining('rank 4, node 9007199254740993: comm_size 9007199254740992') as string,
        }) as Error,
      );
    }
  });
});

describeShared('the official samples', () => {
  test('small_chakra.0.json', () => {
    const file = shared('traces', 'mlcommons-chakra', 'small_chakra.0.json');
    const { trace, findings } = readTrace(openTraceSource(file), { rank: 0, file });
    expect([...trace.idLow]).toEqual([216, 217, 430, 432, 433, 435, 541]);
    expect([...trace.durationMicros]).toEqual([318, 28, 4, 85, 79, 28, 153]);
    expect([...trace.type]).toEqual([4, 4, 4, 7, 7, 7, 4]);
    expect([...trace.controlTarget].every((target) => target < 0)).toBe(true);
    expect([...trace.danglingLow]).toEqual([3, 429, 434]);
    expect(findings.map(({ code, count }) => [code, count])).toEqual([
      ['FEEDER_KEY_MISSING', 3],
      ['FEEDER_KEY_MISSING', 3],
      ['FEEDER_KEY_UNREAD', 3],
    ]);
  });

  test('chakra.0.json.gz: the runtime missing on 157 of 3,664 nodes is counted', () => {
    const file = shared('traces', 'mlcommons-chakra', 'chakra.0.json.gz');
    const { trace, findings } = readTrace(openTraceSource(file), { rank: 0, file });
    expect(trace.length).toBe(3664);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'FEEDER_KEY_MISSING', key: 'runtime', count: 157, severity: 'note' }),
    );
  });
});
