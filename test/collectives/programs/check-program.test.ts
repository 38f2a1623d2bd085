import fc from 'fast-check';
import { checkProgram } from '../../../src/collectives/programs/check-program.js';
import type { ChunkPlace, ChunkProgram } from '../../../src/collectives/programs/program.js';
import { readMsccl } from '../../../src/exchange/msccl/read-msccl.js';
import { ProgramBuilder, ringProgram, soundProgram } from '../../support/chunk-programs.js';
import { RING2, ringWith } from '../../support/ring-xml.js';

const told = (program: ChunkProgram): string[] =>
  checkProgram(program, 'x.xml').findings.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
const toldOf = (text: string): string[] => told(readMsccl(text, 'x.xml').program);

/** A second thread block for gpu 0 of the ring, with these steps, in front of line 9. */
function withBlock(text: string, attributes: string, ...steps: readonly string[]): string {
  const lines = text.split('\n');
  lines.splice(8, 0, `    <tb ${attributes}>`, ...steps.map((step) => `      <step ${step}/>`), '    </tb>');
  return lines.join('\n');
}

describe('exchange-formats 4.3 the ring of 4.4', () => {
  test('is sound', () => {
    expect(toldOf(RING2)).toEqual([]);
  });

  test.each([2, 3, 4, 8, 17])('on %d ranks is sound', (ranks) => {
    expect(told(ringProgram(ranks))).toEqual([]);
  });

  test.each<[string, string, string[]]>([
    [
      'with a buffer of another length',
      ringWith(10, 'i_chunks="2"', 'i_chunks="3"'),
      ['error PROGRAM_BUFFERS x.xml: gpu 1 has i_chunks="3", expected 2 or 0 for allreduce'],
    ],
    [
      'with a peer that is not there',
      ringWith(3, 'send="1"', 'send="2"'),
      ['error PROGRAM_PEER x.xml: gpu 0 thread block 0 has send="2", expected another of the 2 gpus, or -1'],
    ],
    [
      'that sends to itself',
      ringWith(3, 'send="1"', 'send="0"'),
      ['error PROGRAM_PEER x.xml: gpu 0 thread block 0 has send="0", expected another of the 2 gpus, or -1'],
    ],
    [
      'that sends to nobody',
      ringWith(3, 'send="1"', 'send="-1"'),
      [
        'error PROGRAM_PEER x.xml: gpu 0 thread block 0 step 0 (s, line 4) sends, and its thread block has send="-1"',
        'error PROGRAM_PEER x.xml: gpu 0 thread block 0 step 2 (s, line 6) sends, and its thread block has send="-1"',
      ],
    ],
    [
      'on a channel that is not there',
      ringWith(3, 'chan="0"', 'chan="1"'),
      ['error PROGRAM_PEER x.xml: gpu 0 thread block 0 has chan="1", expected 0 to 0 as nchannels says'],
    ],
    [
      'with two thread blocks on a connection',
      withBlock(RING2, 'id="1" send="1" recv="-1" chan="0"'),
      ['error PROGRAM_PEER x.xml: gpu 0 thread blocks 0 and 1 both send to gpu 1 on channel 0; expected one'],
    ],
    [
      'with a thread block twice',
      withBlock(RING2, 'id="0" send="-1" recv="-1" chan="0"'),
      ['error PROGRAM_PEER x.xml: gpu 0 thread block 0 is there twice, expected ids that differ'],
    ],
    [
      'outside its buffer',
      ringWith(7, 'dstoff="0"', 'dstoff="2"'),
      [
        'error PROGRAM_OFFSET x.xml: gpu 0 thread block 0 step 3 (r, line 7) has as its destination chunk 2 of the input buffer, which has chunks 0 to 1',
      ],
    ],
    [
      'in a buffer that is not used',
      ringWith(7, 'dstbuf="i"', 'dstbuf="s"'),
      [
        'error PROGRAM_OFFSET x.xml: gpu 0 thread block 0 step 3 (r, line 7) has as its destination chunk 0 of the scratch buffer, which has none',
      ],
    ],
    [
      'that moves nothing',
      ringWith(7, 'cnt="1"', 'cnt="0"'),
      ['error PROGRAM_OFFSET x.xml: gpu 0 thread block 0 step 3 (r, line 7) has cnt="0", expected 1 or more'],
    ],
    [
      'that waits for what is not there',
      ringWith(7, 'depid="-1" deps="-1"', 'depid="1" deps="0"'),
      [
        'error PROGRAM_DEPENDENCY x.xml: gpu 0 thread block 0 step 3 (r, line 7) waits for thread block 1 step 0, which its gpu does not have',
      ],
    ],
    [
      'that waits for what tells nobody',
      ringWith(7, 'depid="-1" deps="-1"', 'depid="0" deps="1"'),
      [
        'error PROGRAM_DEPENDENCY x.xml: gpu 0 thread block 0 step 3 (r, line 7) waits for gpu 0 thread block 0 step 1 (rrc, line 5), which has hasdep="0" and tells nobody',
      ],
    ],
    [
      'with a receive too few',
      RING2.replace(/ *<step s="3".*\n/, ''),
      [
        'error PROGRAM_UNMATCHED x.xml: gpu 1 to gpu 0 on channel 0: 2 sends and 1 receive, expected as many; the first without the other is gpu 1 thread block 0 step 2 (s, line 13)',
      ],
    ],
    [
      'whose ends differ in cnt',
      ringWith(4, 'cnt="1"', 'cnt="2"'),
      [
        'error PROGRAM_UNMATCHED x.xml: gpu 0 to gpu 1 on channel 0: gpu 0 thread block 0 step 0 (s, line 4) sends 2 chunks, gpu 1 thread block 0 step 1 (rrc, line 13) receives 1',
      ],
    ],
    [
      'in a circle',
      // Gpu 0 receives what gpu 1 sends after it has received what gpu 0 sends afterwards.
      RING2.replaceAll(/s="0" type="s"(.*)\n(.*)s="1" type="rrc"/g, 's="0" type="rrc"$1\n$2s="1" type="s"'),
      [
        'error PROGRAM_CYCLE x.xml: 8 steps never run: these wait for each other in a circle: gpu 0 thread block 0 step 0 (rrc, line 4), gpu 0 thread block 0 step 1 (s, line 5), gpu 1 thread block 0 step 0 (rrc, line 12), gpu 1 thread block 0 step 1 (s, line 13)',
      ],
    ],
    [
      'that ends too early',
      RING2.replaceAll(/ *<step s="[23]".*\n/g, ''),
      [
        'error PROGRAM_RESULT x.xml: gpu 0 chunk 0 ends with chunk 0 of rank 0, expected chunk 0 of ranks 0, 1; no step writes it (and 1 more chunk)',
      ],
    ],
    [
      'that stores what it should add',
      ringWith(5, '"rrc"', '"r"'),
      [
        'error PROGRAM_RESULT x.xml: gpu 0 chunk 1 ends with chunk 1 of rank 1, expected chunk 1 of ranks 0, 1; written last by gpu 0 thread block 0 step 1 (r, line 5) (and 1 more chunk)',
      ],
    ],
    [
      'that adds what it should store',
      ringWith(7, '"r"', '"rrc"'),
      [
        'error PROGRAM_CONTENT x.xml: gpu 0 thread block 0 step 3 (rrc, line 7) adds chunk 0 of ranks 0, 1 and chunk 0 of rank 0 at chunk 0; chunk 0 of rank 0 would count twice',
      ],
    ],
    [
      'that sends what holds nothing',
      ringWith(2, 's_chunks="0"', 's_chunks="1"').replace(
        'srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>\n      <step s="3"',
        'srcbuf="s" srcoff="0" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>\n      <step s="3"',
      ),
      [
        'error PROGRAM_CONTENT x.xml: gpu 0 thread block 0 step 2 (s, line 6) sends scratch chunk 0, which holds nothing yet',
      ],
    ],
    [
      'with a copy beside it that nobody waits for',
      withBlock(
        ringWith(2, 's_chunks="0"', 's_chunks="1"'),
        'id="1" send="-1" recv="-1" chan="0"',
        's="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"',
      ),
      [
        'error PROGRAM_RACE x.xml: gpu 0 thread block 1 step 0 (cpy, line 10) reads chunk 0 and gpu 0 thread block 0 step 3 (r, line 7) writes it, and neither waits for the other',
      ],
    ],
  ])('%s', (_name, text, expected) => {
    expect(toldOf(text)).toEqual(expected);
  });

  test('a copy that waits for the last step is no race', () => {
    const waited = withBlock(
      ringWith(2, 's_chunks="0"', 's_chunks="1"').replace(/(<step s="3".*?)hasdep="0"/, '$1hasdep="1"'),
      'id="1" send="-1" recv="-1" chan="0"',
      's="0" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="0" deps="3" hasdep="0"',
      's="1" type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"',
    );
    expect(toldOf(waited)).toEqual([]);
  });
});

const i = (offset: number): { buffer: 'i'; offset: number } => ({ buffer: 'i', offset });
const o = (offset: number): { buffer: 'o'; offset: number } => ({ buffer: 'o', offset });
const s = (offset: number): { buffer: 's'; offset: number } => ({ buffer: 's', offset });

/** Two ranks that exchange one chunk each over a thread block each, beside copies of their own. */
function pair(
  facts: { type: number; collective: string; buffers: [number, number, number]; chunks?: number; inPlace?: boolean },
  steps: (builder: ProgramBuilder, rank: number, other: number) => void,
): ChunkProgram {
  const { buffers, chunks = 2, ...rest } = facts;
  const builder = new ProgramBuilder({ inPlace: false, ...rest, chunks, buffers: [buffers, buffers] });
  for (const rank of [0, 1]) steps(builder, rank, 1 - rank);
  return builder.program();
}

describe('the result of every collective, out of place and in place', () => {
  const exchange = (builder: ProgramBuilder, rank: number, from: ChunkPlace, to: ChunkPlace): void => {
    const peers = { send: 1 - rank, receive: 1 - rank };
    builder.step(rank, peers, 's', from, to);
    builder.step(rank, peers, 'r', from, to);
  };
  const sound: [string, ChunkProgram][] = [
    [
      'allgather: o[q] is the chunk of q',
      pair({ type: 2, collective: 'allgather', buffers: [1, 2, 0] }, (builder, rank, other) => {
        exchange(builder, rank, i(0), o(other));
        builder.step(rank, {}, 'cpy', i(0), o(rank));
      }),
    ],
    [
      'allgather in place: i[0] is o[rank]',
      pair({ type: 2, collective: 'allgather', buffers: [1, 2, 0], inPlace: true }, (builder, rank, other) => {
        exchange(builder, rank, i(0), o(other));
      }),
    ],
    [
      'alltoall: o[q] is chunk rank of q',
      pair({ type: 6, collective: 'alltoall', buffers: [2, 2, 0] }, (builder, rank, other) => {
        exchange(builder, rank, i(other), o(other));
        builder.step(rank, {}, 'cpy', i(rank), o(rank));
      }),
    ],
    [
      'reduce_scatter: o[0] is the sum of chunk rank',
      pair({ type: 7, collective: 'reduce_scatter', buffers: [2, 1, 0] }, (builder, rank, other) => {
        const peers = { send: other, receive: other };
        builder.step(rank, peers, 's', i(other), undefined);
        builder.step(rank, peers, 'rrc', i(rank), o(0));
      }),
    ],
    [
      'reduce_scatter in place: o[0] is i[rank]',
      pair({ type: 7, collective: 'reduce_scatter', buffers: [2, 1, 0], inPlace: true }, (builder, rank, other) => {
        const peers = { send: other, receive: other };
        builder.step(rank, peers, 's', i(other), undefined);
        builder.step(rank, peers, 'rrc', o(0), i(rank));
      }),
    ],
    [
      'allreduce in one step, through scratch',
      pair({ type: 0, collective: 'allreduce', buffers: [2, 2, 2] }, (builder, rank, other) => {
        const peers = { send: other, receive: other };
        builder.step(rank, peers, 's', i(0), s(0), { count: 2 });
        const received = builder.step(rank, peers, 'r', undefined, s(0), { count: 2 });
        builder.step(rank, {}, 'cpy', i(0), o(0), { count: 2 });
        builder.step(rank, {}, 're', s(0), o(0), { count: 2, after: received });
      }),
    ],
    [
      'broadcast',
      pair({ type: 5, collective: 'broadcast', buffers: [2, 2, 0], inPlace: true }, (builder, rank) => {
        if (rank === 0) builder.step(0, { send: 1 }, 's', i(0), i(0), { count: 2 });
        else builder.step(1, { receive: 0 }, 'r', undefined, i(0), { count: 2 });
      }),
    ],
    [
      'reduce',
      pair({ type: 1, collective: 'reduce', buffers: [2, 2, 0] }, (builder, rank) => {
        if (rank === 1) builder.step(1, { send: 0 }, 's', i(0), o(0), { count: 2 });
        else builder.step(0, { receive: 1 }, 'rrc', i(0), o(0), { count: 2 });
      }),
    ],
    [
      'gather',
      pair({ type: 3, collective: 'gather', buffers: [1, 2, 0] }, (builder, rank) => {
        if (rank === 1) builder.step(1, { send: 0 }, 's', i(0), o(1));
        else {
          builder.step(0, { receive: 1 }, 'r', undefined, o(1));
          builder.step(0, {}, 'cpy', i(0), o(0));
        }
      }),
    ],
    [
      'gather with an input buffer as large as the output',
      pair({ type: 3, collective: 'gather', buffers: [2, 2, 0], inPlace: true }, (builder, rank) => {
        if (rank === 1) builder.step(1, { send: 0 }, 's', i(1), o(1));
        else builder.step(0, { receive: 1 }, 'r', undefined, o(1));
      }),
    ],
    [
      'scatter',
      pair({ type: 4, collective: 'scatter', buffers: [2, 1, 0] }, (builder, rank) => {
        if (rank === 1) builder.step(1, { receive: 0 }, 'r', undefined, o(0));
        else {
          builder.step(0, { send: 1 }, 's', i(1), o(0));
          builder.step(0, {}, 'cpy', i(0), o(0));
        }
      }),
    ],
  ];

  test.each(sound)('%s', (_name, program) => {
    expect(told(program)).toEqual([]);
  });

  test('coll="custom" states none, and that is said', () => {
    const swap = pair({ type: -1, collective: 'custom', buffers: [1, 1, 0], chunks: 1 }, (builder, rank) => {
      exchange(builder, rank, i(0), o(0));
    });
    expect(told(swap)).toEqual([
      'note PROGRAM_CUSTOM x.xml: coll="custom" states no result; only that chunks are there when they are used, and counted once, is checked',
    ]);
  });

  test('exchange-formats 6.2: output buffers alone, and chunks with whoever sends them first', () => {
    // Chunk 0 begins on rank 1 and chunk 1 on rank 0.
    const program = pair({ type: 2, collective: 'allgather', buffers: [0, 2, 0] }, (builder, rank, other) => {
      builder.step(rank, { receive: other }, 'r', o(rank), o(rank));
      builder.step(rank, { send: other }, 's', o(other), o(other));
    });
    expect(told(program)).toEqual([
      'note PROGRAM_ASSUMED x.xml: chunks are not dealt out in blocks: each is taken to begin on the gpu that sends it and never receives it',
      'note PROGRAM_ASSUMED x.xml: inplace="0", and all gpus have only an output buffer: it is taken for both',
    ]);
  });

  test('chunks that cannot be divided', () => {
    const program = pair({ type: 2, collective: 'allgather', buffers: [1, 3, 0], chunks: 3 }, () => undefined);
    expect(told(program)).toEqual([
      'error PROGRAM_BUFFERS x.xml: 3 chunks cannot be divided among 2 gpus, as allgather has to',
    ]);
  });

  test('limits of real runtimes are warnings', () => {
    const program = pair(
      { type: 5, collective: 'broadcast', buffers: [72, 72, 0], chunks: 72, inPlace: true },
      (builder, rank) => {
        if (rank === 0) builder.step(0, { send: 1 }, 's', i(0), i(0), { count: 72 });
        else builder.step(1, { receive: 0 }, 'r', undefined, i(0), { count: 72 });
      },
    );
    expect(told(program)).toEqual([
      'warning PROGRAM_LIMIT x.xml: gpu 0 thread block 0 step 0 moves 72 chunks; runtimes take 71 at most (and 1 more place)',
    ]);
  });
});

describe('law: programs of random trees', () => {
  test('are sound', () => {
    fc.assert(
      fc.property(soundProgram, (program) => {
        expect(told(program).filter((line) => line.startsWith('error'))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('are not when a receive that adds stores instead, or the other way round', () => {
    fc.assert(
      fc.property(soundProgram, fc.nat(), (program, pick) => {
        const at: [rank: number, block: number, step: number][] = program.ranks.flatMap(({ threadBlocks }, rank) =>
          threadBlocks.flatMap(({ steps }, block) =>
            steps.flatMap(({ kind }, step) => (kind === 's' ? [] : [[rank, block, step] as [number, number, number]])),
          ),
        );
        const [rank, block, step] = at[pick % at.length];
        const changed = structuredClone(program) as unknown as {
          ranks: { threadBlocks: { steps: { kind: string }[] }[] }[];
        };
        const broken = changed.ranks[rank].threadBlocks[block].steps[step];
        broken.kind = broken.kind === 'r' ? 'rrc' : 'r';
        const source = broken as { source?: unknown; destination?: unknown };
        source.source = source.destination;
        const codes = checkProgram(changed as unknown as ChunkProgram, 'x').findings.map(({ code }) => code);
        expect(codes.some((code) => code === 'PROGRAM_CONTENT' || code === 'PROGRAM_RESULT')).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
