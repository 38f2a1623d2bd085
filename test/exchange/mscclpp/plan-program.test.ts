import type { CheckedProgram } from '../../../src/collectives/programs/check-program.js';
import { planProgram } from '../../../src/exchange/mscclpp/plan-program.js';
import { readPlan } from '../../../src/exchange/mscclpp/read-plan.js';
import { sourceFromBytes } from '../../../src/formats/open-source.js';
import { at, barrier, far, gpu, loop, move, on, plan, semaphore } from '../../support/plans.js';

function checked(text: string, size?: number): CheckedProgram {
  return planProgram(readPlan(sourceFromBytes(Buffer.from(text), 'p.json')), 'p.json', size);
}

const told = ({ findings }: CheckedProgram): string[] => findings.map(({ code, message }) => `${code} ${message}`);

/** Thread blocks of a rank: peers, then steps as `kind source destination ×count <waits for block.step`. */
function blocks({ program }: CheckedProgram, rank: number): string[] {
  return program.ranks[rank].threadBlocks.map(({ id, send, receive, channel, steps }) => {
    const ends = [send >= 0 && `to ${send}`, receive >= 0 && `from ${receive}`].filter(Boolean);
    const peers = ends.length === 0 ? 'local' : `${ends.join(' ')} on ${channel}`;
    const shown = steps.map(({ kind, source, destination, count, after }) => {
      const places = [source, destination].map((place) => place && `${place.buffer}${place.offset}`);
      const waits = after === undefined ? '' : `<${after.threadBlock}.${after.step}`;
      return [kind, ...places, count === 1 ? '' : `×${count}`, waits].filter(Boolean).join(' ');
    });
    return `${id} ${peers}: ${shown.join(', ')}`;
  });
}

/** The same gpu twice, of which each is the other's peer. */
const pair = (of: (rank: number, peer: number) => Parameters<typeof gpu>[0]): Record<string, unknown>[] => [
  gpu(of(0, 1)),
  gpu(of(1, 0)),
];

test('a put is a send, and the wait for the signal behind it the receive', () => {
  const program = checked(
    plan(
      'allgather',
      pair((rank, peer) => ({
        ...{ chunks: [1, 2, 0], peers: [peer], buffers: [[peer, 'o']] },
        blocks: [[move('put', [at('o', rank)], [far(rank)]), on('signal'), on('wait')]],
      })),
    ),
  );
  expect(told(program)).toEqual([]);
  // The put stands before the wait in the thread block, so the receive waits for the send.
  expect(blocks(program, 0)).toEqual(['1 to 1 on 0: s o0', '2 from 1 on 0: r o1 <1.0']);
  expect(blocks(program, 1)).toEqual(['1 from 0 on 0: r o0 <2.0', '2 to 0 on 0: s o1']);
});

test('packets are received by the op that reads them first; the sum goes back as packets', () => {
  const program = checked(
    plan(
      'allreduce',
      pair((rank, peer) => ({
        ...{ chunks: [2, 2, 2], peers: [peer], buffers: [[peer, 's']] },
        blocks: [
          [move('ppkt', [at('i', peer)], [far(peer)])],
          [move('respkt', [at('i', rank), at('s', rank)], [at('i', rank), far(rank)])],
          [move('upkt', [at('s', peer)], [at('i', peer)])],
        ],
      })),
      { protocol: 'LL' },
    ),
  );
  expect(told(program)).toEqual([]);
  // Gpu 0 adds up chunk 0. Chunk 1 comes back after it was sent (a write of i1 behind a read of it), by the word of gpu 1.
  expect(blocks(program, 0)).toEqual([
    '1 local: re s0 i0 <4.0',
    '2 local: cpy s1 i1 <5.0',
    '3 to 1 on 0: s i1',
    '4 from 1 on 0: r s0',
    '5 from 1 on 1: r s1 <3.0',
    '6 to 1 on 1: s i0 <1.0',
  ]);
});

test('a get is a send of the gpu that has the bytes, behind what the reader knows of it', () => {
  const program = checked(
    plan(
      'allgather',
      pair((rank, peer) => ({
        ...{ chunks: [1, 2, 1], peers: [peer], buffers: [[peer, 's']] },
        blocks: [
          [
            move('copy', [at('o', rank)], [at('s', 0)]),
            on('signal'),
            on('wait'),
            move('get', [far(0)], [at('o', peer)]),
          ],
        ],
      })),
    ),
  );
  expect(told(program)).toEqual([
    'PLAN_ONE_SIDED p.json: signals without a put before them, which cost nothing: 2; reads, which are sends of the gpu that has the bytes, without the way of the request: 2',
  ]);
  // Gpu 0 sends what it copied, and receives behind its own copy.
  expect(blocks(program, 0).sort()).toEqual(
    ['0 local: cpy o0 s0', '1 to 1 on 0: s s0 <0.0', '2 from 1 on 0: r o1 <0.0'].sort(),
  );
});

test('channels to one peer are told apart by their place; puts through ports run beside, until a flush', () => {
  // Each thread block has one of two ports to the peer; gpu 0 sends chunks 0 and 1, gpu 1 chunks 2 and 3 at once.
  const first = gpu({
    ...{ chunks: [2, 4, 0], peers: [1, 1], buffers: [[1, 'o']], type: 'port' },
    blocks: [
      [
        move('put', [at('o', 0)], [far(0)], { type: 'port', channels: [0] }),
        on('signal', [0], 'port'),
        on('flush', [0], 'port'),
        on('wait', [0], 'port'),
      ],
      [move('pws', [at('o', 1)], [far(1)], { type: 'port', channels: [1] })],
    ],
  });
  const second = gpu({
    ...{ chunks: [2, 4, 0], peers: [0, 0], buffers: [[0, 'o']], type: 'port' },
    blocks: [
      [move('pwsf', [at('o', 2, 2)], [far(2, { size: 2 })], { type: 'port', channels: [0] }), on('wait', [0], 'port')],
      [on('wait', [1], 'port')],
    ],
  });
  const program = checked(plan('allgather', [first, second]));
  expect(told(program)).toEqual([]);
  // The flush stands between the put and the wait, so the receive waits for the send on channel 0 alone.
  const ends = blocks(program, 0).map((text) => text.slice(text.indexOf(' ') + 1).replace(/<.*/, '<'));
  expect(ends.sort()).toEqual(['from 1 on 0: r o2 ×2 <', 'to 1 on 0: s o0', 'to 1 on 1: s o1']);
});

test('groups of thread blocks share an op; packets that a gpu writes for itself are passed on', () => {
  const share = (part: number): Record<string, unknown> => ({ tbg_info: { tb_id: part, tbg_size: 2 } });
  const parts = (
    name: string,
    from: Parameters<typeof move>[1],
    to: Parameters<typeof move>[2],
  ): Record<string, unknown>[][] => [0, 1].map((part) => [move(name, from, to, share(part))]);
  const program = checked(
    plan('allgather', [
      gpu({
        ...{ chunks: [1, 2, 2], peers: [1], buffers: [[1, 's']] },
        blocks: [...parts('ppkt', [at('o', 0)], [far(0)]), ...parts('upkt', [at('s', 1)], [at('o', 1)])],
      }),
      gpu({
        ...{ chunks: [1, 2, 2], peers: [0], buffers: [[0, 's']] },
        blocks: [
          ...parts('cpkt', [at('o', 1)], [at('s', 1)]),
          ...parts('rppkt', [at('s', 1)], [far(1)]),
          ...parts('upkt', [at('s', 0)], [at('o', 0)]),
        ],
      }),
    ]),
  );
  expect(told(program)).toEqual([]);
  // Each chunk is two pieces, and every message one of them.
  expect(program.program.chunks).toBe(4);
  expect(blocks(program, 0).slice(0, 2)).toEqual(['2 local: cpy s2 o2 <6.0', '3 local: cpy s3 o3 <7.0']);
  expect(program.steps.step.filter(({ kind }) => kind === 's').map(({ count }) => count)).toEqual([1, 1, 1, 1]);
});

test('a barrier joins thread blocks: one signals for all, and all wait for what one received', () => {
  const program = checked(
    plan(
      'allgather',
      pair((rank, peer) => ({
        ...{ chunks: [2, 4, 2], peers: [peer], buffers: [[peer, 's']] },
        blocks: [
          [
            move('put', [at('o', 2 * rank)], [far(0)]),
            barrier(0, 2),
            on('signal'),
            on('wait'),
            barrier(0, 2),
            move('copy', [at('s', 0)], [at('o', 2 * peer)]),
          ],
          [
            move('put', [at('o', 2 * rank + 1)], [far(1)]),
            barrier(0, 2),
            barrier(0, 2),
            move('copy', [at('s', 1)], [at('o', 2 * peer + 1)]),
          ],
        ],
      })),
    ),
  );
  expect(told(program)).toEqual([]);
  expect(program.steps.step.filter(({ kind }) => kind === 'r')).toHaveLength(4);
});

test('loops have one turn for each unit of bytes; semaphores order thread blocks', () => {
  const text = plan(
    'allgather',
    pair((rank, peer) => ({
      ...{ chunks: [1, 2, 1], peers: [peer], buffers: [[peer, 'o']], semaphores: [0] },
      blocks: [
        [loop(1024, 1, [move('copy', [at('o', rank)], [at('s', 0)]), semaphore('sem_release', 0)])],
        [loop(1024, 1, [semaphore('sem_acquire', 0), move('put', [at('s', 0)], [far(rank)]), on('signal')])],
        [loop(1024, 1, [on('wait')])],
      ],
    })),
  );
  // 2,500 bytes a chunk are three turns of 1,024, the last one begun.
  const unrolled = checked(text, 2500);
  expect(told(unrolled)).toEqual(['PROGRAM_ASSUMED p.json: loops have up to 3 turns, on equal parts of their chunks']);
  expect(blocks(unrolled, 0)).toEqual([
    '0 local: cpy o0 s0, cpy o1 s1, cpy o2 s2',
    '3 to 1 on 0: s s0 <0.0, s s1 <0.1, s s2 <0.2',
    '4 from 1 on 0: r o3, r o4, r o5',
  ]);
  const once = checked(text);
  expect(told(once)).toEqual([
    'PROGRAM_ASSUMED p.json: as no size is stated, each loop has one turn over all its chunks',
  ]);
  expect(blocks(once, 0)).toEqual(['0 local: cpy o0 s0', '3 to 1 on 0: s s0 <0.0', '4 from 1 on 0: r o1']);
});

test('reads that add up, sums that are sent, and copies of packets give the sum everywhere', () => {
  // Gpu 0 reads what it adds; gpu 1 sends its own sum. Both halves end on both.
  const first = gpu({
    ...{ chunks: [2, 2, 2], peers: [1], buffers: [[1, 'i']] },
    blocks: [
      [
        ...[on('signal'), on('wait')],
        move('rres', [at('i', 0), far(0)], [at('i', 0), far(0)]),
        move('get', [far(1)], [at('s', 1)]),
        move('res', [at('i', 1), at('s', 1)], [at('i', 1), far(1)]),
        on('signal'),
      ],
    ],
  });
  const second = gpu({
    ...{ chunks: [2, 2, 2], peers: [0], buffers: [[0, 'i']] },
    blocks: [[on('rlxsignal'), on('rlxwait'), on('wait')]],
  });
  const sums = checked(plan('allreduce', [first, second]));
  expect(told(sums).filter((text) => !text.startsWith('PLAN_ONE_SIDED'))).toEqual([]);
  expect(blocks(sums, 0)[0]).toBe('0 local: re s1 i1 <1.1');
  // Packets: gpu 1 keeps a copy of the sum and passes it on from there.
  const adds = gpu({
    ...{ chunks: [1, 1, 2], peers: [1], buffers: [[1, 's']] },
    blocks: [[move('ppkt', [at('i', 0)], [far(0)]), move('repkt', [at('i', 0), at('s', 0)], [at('i', 0)])]],
  });
  const copies = gpu({
    ...{ chunks: [1, 1, 2], peers: [0], buffers: [[0, 's']] },
    blocks: [
      [move('ppkt', [at('i', 0)], [far(0)]), move('recpkt', [at('i', 0), at('s', 0)], [at('i', 0), at('s', 1)])],
    ],
  });
  expect(told(checked(plan('allreduce', [adds, copies])))).toEqual([]);
});

describe('what does not meet is told with its op', () => {
  const gather = (ops: (rank: number) => Record<string, unknown>[][], chunks = 0): string =>
    plan(
      'allgather',
      pair((rank, peer) => ({
        chunks: [1, 2, chunks],
        peers: [peer],
        buffers: [[peer, 'o']],
        semaphores: [0],
        blocks: ops(rank),
      })),
    );
  const put = (rank: number): Record<string, unknown> => move('put', [at('o', rank)], [far(rank)]);

  test.each([
    [
      'a signal that nobody waits for',
      (rank: number) => [[put(rank), on('signal'), ...(rank === 0 ? [on('wait')] : [])]],
      'PLAN_UNMATCHED p.json: memory channel 0 from gpu 0 to gpu 1: 1 signal and 0 waits, expected as many; the first without a wait is that of gpu 0 thread block 0 (line 35)',
    ],
    [
      'a wait for a signal that never comes',
      (rank: number) => [[put(rank), on('signal'), on('wait'), ...(rank === 0 ? [on('wait')] : [])]],
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 49) waits for a signal on memory channel 0 from gpu 1 to gpu 0, which sends 1 signal in all',
    ],
    [
      'a put without a signal',
      (rank: number) => [[...(rank === 0 ? [on('signal'), put(0)] : [put(1), on('signal')]), on('wait')]],
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 24) puts into gpu 1, and no signal to it follows: nobody knows when the bytes are there',
    ],
    [
      'waits before signals',
      (rank: number) => [[on('wait'), put(rank), on('signal')]],
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 17) waits for a signal on memory channel 0 from gpu 1 to gpu 0, and the two wait for each other (and 1 more thread block never end)',
    ],
    [
      'a semaphore that nobody releases',
      (rank: number) => [[semaphore('sem_acquire', 0), put(rank), on('signal'), on('wait')]],
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 17) acquires semaphore 0, which nobody releases any more',
    ],
    [
      'a barrier that too few come to',
      (rank: number) => [[put(rank), on('signal'), on('wait'), barrier(3, 2)]],
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 49) waits at barrier 3 for 2 thread blocks, and 1 reached it',
    ],
  ])('%s', (_, ops, expected) => {
    expect(told(checked(gather(ops)))).toContainEqual(expected);
  });

  test('packets that nobody reads, and packets that nobody writes', () => {
    const text = plan(
      'allgather',
      pair((rank, peer) => ({
        ...{ chunks: [1, 2, 2], peers: [peer], buffers: [[peer, 's']] },
        blocks: [[rank === 0 ? move('ppkt', [at('o', 0)], [far(0)]) : move('copy', [at('o', 1)], [at('o', 1)])]],
      })),
    );
    expect(told(checked(text))).toEqual([
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 17) writes packets into gpu 1, which never reads them',
    ]);
    const unwritten = text
      .replace('"ppkt"', '"upkt"')
      .replace(/"buffer_id": 0/, '"type": "o"')
      .replace('"type": "o"', '"type": "s"');
    expect(told(checked(unwritten))).toEqual([
      'PLAN_UNMATCHED p.json: gpu 0 thread block 0 (line 17) reads packets (upkt) of its scratch buffer that nobody writes',
    ]);
  });
});

test('a plan that does not do what its collective has to is told', () => {
  const text = plan(
    'allgather',
    pair((_, peer) => ({
      ...{ chunks: [1, 2, 0], peers: [peer], buffers: [[peer, 'o']] },
      blocks: [[move('put', [at('o', 0)], [far(0)]), on('signal'), on('wait')]],
    })),
  );
  const codes = checked(text).findings.map(({ code }) => code);
  expect(codes).toContain('PROGRAM_CONTENT');
});

test('a collective of no known name has no result to be checked', () => {
  const text = plan(
    'sendrecv',
    [
      gpu({
        ...{ chunks: [1, 1, 0], peers: [1], buffers: [[1, 'o']] },
        blocks: [[move('put', [at('i', 0)], [far(0)]), on('signal')]],
      }),
      gpu({ chunks: [1, 1, 0], peers: [0], buffers: [], blocks: [[on('wait')]] }),
    ],
    { inplace: false, weight: 3 },
  );
  expect(told(checked(text)).map((line) => line.split(' p.json: ')[1])).toEqual([
    'keys that are not known are not used: weight',
    'collective "sendrecv" is none that is known; it is taken for custom, of which no result is checked',
    expect.stringContaining('states no result'),
  ]);
});
