import { PrepError } from '../../src/base/errors.js';
import { attrs, deviceTrace, hostTrace } from '../support/pytorch-traces.js';

/** A trace that is cut off anywhere, or has a byte changed, is one error with its place or a trace; never anything else. */

const HOST = Buffer.from(
  JSON.stringify({
    ...{ schema: '1.1.0-chakra.0.0.4', pid: 1, time: 'now', start_ts: 2 },
    nodes: [
      {
        ...{ id: 3, name: '## process_group:init ##', ctrl_deps: 2 },
        inputs: { values: ['[{"pg_name": "0", "ranks": [], "group_size": 2}]'], shapes: [[]], types: ['String'] },
        ...{ outputs: { values: [], shapes: [], types: [] }, attrs: attrs({ rf_id: 1, op_schema: 'a\n"é"' }) },
      },
      {
        ...{ id: 9, name: 'record_param_comms', ctrl_deps: 3 },
        inputs: {
          values: [[[15, 5, 0, 100, 4, 'cuda:0']], [4, false], ['0', ''], 0, 'allreduce', [], [], 0, 1, 2],
          types: ['GenericList[Tensor(float)]', 'Tuple[Int,Bool]', 'Tuple[String,String]', 'Int', 'String'],
        },
        attrs: attrs({ rf_id: 2, in_msg_nelems: 100, dtype: 'Float' }),
      },
    ],
    finish_ts: 3,
  }),
);

const DEVICE = Buffer.from(
  JSON.stringify({
    schemaVersion: 1,
    distributedInfo: { rank: 0, world_size: 2, pg_config: [{ pg_name: '0', pg_size: 2, ranks: [0, 1] }] },
    traceEvents: [
      {
        ph: 'X',
        cat: 'kernel',
        name: 'nccl',
        pid: 0,
        tid: 7,
        ts: 1.5,
        dur: 2,
        args: { stream: 7, 'In split size': '[1]' },
      },
      { ph: 'B', cat: 'cpu_op', name: 'a', pid: 1, tid: 'x', ts: '3.25', args: { 'External id': 1 } },
      { ph: 'E', pid: 1, tid: 'x', ts: 5 },
    ],
    baseTimeNanoseconds: 1000,
  }),
);

const KINDS: [string, Buffer, (bytes: Uint8Array) => unknown][] = [
  ['host', HOST, hostTrace],
  ['device', DEVICE, deviceTrace],
];

function errorOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(KINDS)('a %s trace cut off at every byte', (_kind, bytes, read) => {
  expect(errorOf(() => read(bytes))).toBeUndefined();
  for (let length = 0; length < bytes.length; length++) {
    const error = errorOf(() => read(bytes.subarray(0, length)));
    expect(error).toBeInstanceOf(PrepError);
    const { code, message, exitStatus } = error as PrepError;
    expect(exitStatus).toBe(3);
    // What little there is may look like a file of another kind.
    expect(['JSON_MALFORMED', 'WRONG_KIND', 'FILE_EMPTY']).toContain(code);
    if (code === 'JSON_MALFORMED') expect(message).toMatch(/byte \d+: /);
    else expect(length).toBeLessThan(1);
  }
});

test.each(KINDS)('a %s trace with any byte changed', (_kind, bytes, read) => {
  for (let at = 0; at < bytes.length; at++) {
    for (const byte of [0x00, 0x22, 0x5c, 0x7d]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = byte;
      const error = errorOf(() => read(changed));
      if (error !== undefined) expect(error).toBeInstanceOf(PrepError);
    }
  }
});
