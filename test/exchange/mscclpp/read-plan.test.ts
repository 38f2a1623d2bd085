import type { PrepError } from '../../../src/base/errors.js';
import { readPlan } from '../../../src/exchange/mscclpp/read-plan.js';
import { sourceFromBytes } from '../../../src/formats/open-source.js';
import { at, far, gpu, loop, move, on, plan } from '../../support/plans.js';

const read = (text: string): ReturnType<typeof readPlan> => readPlan(sourceFromBytes(Buffer.from(text), 'p.json'));

function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    const { code, message } = error as PrepError;
    return `${code} ${message}`;
  }
  return 'read';
}

/** A plan of two gpus, of which the first has these ops. */
const withOps = (...ops: Record<string, unknown>[]): string =>
  plan('allgather', [
    gpu({ chunks: [1, 2, 0], peers: [1], buffers: [[1, 'o']], blocks: [ops] }),
    gpu({ chunks: [1, 2, 0], peers: [0], buffers: [[0, 'o']], blocks: [[]] }),
  ]);

const OP = 'gpus[0].threadblocks[0].ops[0]';

test('indexes are looked up: channels by type and peer, remote buffers by thread block', () => {
  const { gpus, inPlace, mostBytes } = read(
    withOps(move('put', [at('o', 0)], [far(0)]), on('signal')).replace(
      '"inplace"',
      '"max_message_size": 18446744073709551615,\n"inplace"',
    ),
  );
  expect(inPlace).toBe(true);
  expect(mostBytes).toBeUndefined(); // 2^64 − 1 is no limit
  const [put, signal] = gpus[0].threadBlocks[0].ops;
  expect(put.destinations).toEqual([{ rank: 1, buffer: 'o', offset: 0, count: 1 }]);
  expect(signal.channels).toEqual([{ type: 'memory', peer: 1, place: 0 }]);
});

test.each([
  ['no JSON', '{"gpus": [}', 'PLAN_MALFORMED p.json:1: byte 10: no JSON: '],
  ['an empty plan', '{"gpus": []}', 'PLAN_MALFORMED p.json:1: gpus is empty, expected one gpu for each rank'],
  [
    'a channel that is not there',
    withOps(on('signal', [1])),
    `PLAN_MALFORMED p.json:20: ${OP}.channel_ids[0] is 1, and names one of the memory channels of the thread block: expected 0 to 0`,
  ],
  [
    'a channel of a type that the thread block has none of',
    withOps(on('signal', [0], 'port')),
    `PLAN_MALFORMED p.json:20: ${OP}.channel_ids[0] is 0, and names one of the port channels of the thread block: there is none`,
  ],
  [
    'a buffer of another gpu that is not there',
    withOps(move('put', [at('o', 0)], [far(0, { buffer: 2 })])),
    `PLAN_MALFORMED p.json:28: ${OP}.dst_buff[0].buffer_id is 2, and names one of the remote buffers of the thread block for memory channels: expected 0 to 0`,
  ],
  [
    'a chunk behind the end of a buffer of another gpu',
    withOps(move('put', [at('o', 0)], [far(2)])),
    `PLAN_MALFORMED p.json:27: ${OP}.dst_buff[0] is chunk 2 of the output buffer of gpu 1, which has chunks 0 to 1`,
  ],
  [
    'a buffer that is not there',
    withOps(move('copy', [at('o', 0)], [at('s', 0)])),
    `PLAN_MALFORMED p.json:27: ${OP}.dst_buff[0] is chunk 0 of the scratch buffer of gpu 0, which has none`,
  ],
  [
    'places of different sizes',
    withOps(move('put', [at('o', 0, 2)], [far(0)])),
    `PLAN_MALFORMED p.json:17: ${OP} is "put" of 2 chunks, and its dst_buff[0] has 1`,
  ],
  [
    'an op that nobody knows',
    withOps({ name: 'push' }),
    expect.stringContaining(`PLAN_MALFORMED p.json:18: ${OP}.name is "push", expected nop, barrier, signal,`),
  ],
  [
    'an op of a switch',
    withOps({ name: 'glres' }),
    `PLAN_UNSUPPORTED p.json:17: ${OP} is "glres": a switch adds up what it reads from all ranks and writes to all, which sends and receives cannot carry`,
  ],
  [
    'a loop in a loop',
    withOps(loop(1024, 1, [loop(1024, 1, [])])),
    `PLAN_UNSUPPORTED p.json:24: ${OP}.ops[0] is a pipeline inside of a pipeline`,
  ],
  [
    'a gpu twice',
    withOps().replace('"id": 1', '"id": 0'),
    expect.stringContaining('gpus[1].id is 0, which another gpu has'),
  ],
])('%s is refused with line and path', (_, text, expected) => {
  const message = refusal(text);
  if (typeof expected === 'string' && expected.endsWith('no JSON: ')) expect(message.startsWith(expected)).toBe(true);
  else expect(message).toEqual(expected);
});
