import fc from 'fast-check';
import type { PrepError } from '../../../src/base/errors.js';
import { checkProgram } from '../../../src/collectives/programs/check-program.js';
import type { ChunkProgram } from '../../../src/collectives/programs/program.js';
import { readMsccl } from '../../../src/exchange/msccl/read-msccl.js';
import { writeMsccl } from '../../../src/exchange/msccl/write-msccl.js';
import { soundProgram } from '../../support/chunk-programs.js';
import { RING2, RING2_SHORT, ringWith } from '../../support/ring-xml.js';

const place = (offset: number): { buffer: 'i'; offset: number } => ({ buffer: 'i', offset });

test('exchange-formats 4.4 is read as it stands', () => {
  const { program, findings } = readMsccl(RING2, 'ring.xml');
  expect(findings).toEqual([]);
  expect({ ...program, ranks: [] }).toEqual({
    name: 'ring2',
    type: 0,
    collective: 'allreduce',
    protocol: 'Simple',
    channels: 1,
    chunks: 2,
    inPlace: true,
    root: 0,
    others: new Map(),
    ranks: [],
  });
  const [first] = program.ranks;
  expect({ ...first, threadBlocks: 0 }).toEqual({ inputChunks: 2, outputChunks: 0, scratchChunks: 0, threadBlocks: 0 });
  const common = { count: 1, after: undefined, hasDependent: false };
  expect(first.threadBlocks).toEqual([
    {
      ...{ id: 0, send: 1, receive: 1, channel: 0 },
      steps: [
        { kind: 's', source: place(0), destination: place(0), ...common, line: 4 },
        { kind: 'rrc', source: place(1), destination: place(1), ...common, line: 5 },
        { kind: 's', source: place(1), destination: place(1), ...common, line: 6 },
        { kind: 'r', source: place(0), destination: place(0), ...common, line: 7 },
      ],
    },
  ]);
});

test('with op and step, one buffer a step and defaults left out it is the same program', () => {
  const { program, findings } = readMsccl(RING2_SHORT, 'ring.xml');
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'PROGRAM_ASSUMED ring.xml:1: no nchunksperloop; 2, the chunks of the largest buffer, is taken',
  ]);
  expect(writeMsccl(program)).toBe(RING2);
});

test('what is read and written is the canonical text', () => {
  expect(writeMsccl(readMsccl(RING2, 'ring.xml').program)).toBe(RING2);
});

test('attributes that no rule reads, and texts with marks, come back', () => {
  const text = RING2.replace('name="ring2"', 'name="a &lt;b&gt; &amp; &quot;c&quot;"').replace(
    'inplace="1"',
    'inplace="1" outofplace="0" minBytes="1024" nthreads="512" redop="sum"',
  );
  const { program } = readMsccl(text, 'ring.xml');
  expect(program.name).toBe('a <b> & "c"');
  expect([...program.others]).toEqual([
    ['outofplace', '0'],
    ['minBytes', '1024'],
    ['nthreads', '512'],
    ['redop', 'sum'],
  ]);
  expect(writeMsccl(program)).toBe(text.replace('&gt;', '>'));
});

test('the remote fields of sends and receives are those of the other end', () => {
  // A send of i1 that is received into s0: tools that leave the remote place out, or write nonsense there.
  const text = `<algo name="x" proto="LL" nchannels="1" nchunksperloop="2" ngpus="2" coll="custom" inplace="0">
  <gpu id="0" i_chunks="2" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="7" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="2" s_chunks="1">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
`;
  const steps = writeMsccl(readMsccl(text, 'x.xml').program).match(/<step.*>/g);
  const operands = 'srcbuf="i" srcoff="1" dstbuf="s" dstoff="0" cnt="1"';
  expect(steps).toEqual([
    `<step s="0" type="s" ${operands} depid="-1" deps="-1" hasdep="0"/>`,
    `<step s="0" type="r" ${operands} depid="-1" deps="-1" hasdep="0"/>`,
  ]);
});

test('law: a program that was written is read as the same program', () => {
  const withoutLines = ({ ranks, ...rest }: ChunkProgram): unknown => ({
    ...rest,
    ranks: ranks.map(({ threadBlocks, ...buffers }) => ({
      ...buffers,
      threadBlocks: threadBlocks.map(({ steps, ...block }) => ({
        ...block,
        steps: steps.map((step) => ({ ...step, line: 0 })),
      })),
    })),
  });
  fc.assert(
    fc.property(soundProgram, (program) => {
      const { program: read } = readMsccl(writeMsccl(program), 'x.xml');
      expect(withoutLines(read)).toEqual(withoutLines(program));
      expect(checkProgram(read, 'x').findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

describe('a file that cannot be read is refused with line and column', () => {
  const refusal = (text: string): string => {
    try {
      readMsccl(text, 'ring.xml');
    } catch (error) {
      expect((error as PrepError).code).toBe('MSCCL_MALFORMED');
      return (error as PrepError).message;
    }
    throw new Error('nothing thrown');
  };
  test.each<[string, string, string]>([
    ['another element', '<graph/>', 'ring.xml:1:1: <graph>, expected <algo>'],
    ['nothing', '', 'ring.xml:1:1: XML: document must contain a root element.'],
    [
      'a collective that is none',
      ringWith(1, 'allreduce', 'allred'),
      'ring.xml:1:1: coll="allred", expected one of allreduce, allgather, reduce_scatter, alltoall, reduce, broadcast, gather, scatter, alltoallv, custom',
    ],
    ['no collective', ringWith(1, 'coll="allreduce" ', ''), 'ring.xml:1:1: <algo> has no coll'],
    [
      'an element in a wrong place',
      ringWith(3, 'tb id', 'block id').replace('</tb>', '</block>'),
      'ring.xml:3:5: <block> in <gpu>, expected <tb>',
    ],
    [
      'a type that is none',
      ringWith(5, '"rrc"', '"rrx"'),
      'ring.xml:5:7: type="rrx", expected one of s, r, cpy, re, rcs, rrc, rrs, rrcs, nop',
    ],
    [
      'a step out of turn',
      ringWith(6, 's="2"', 's="3"'),
      'ring.xml:6:7: <step> has s="3", expected 2: steps count from 0 without gaps',
    ],
    [
      'text where a number is',
      ringWith(4, 'cnt="1"', 'cnt="one"'),
      'ring.xml:4:7: <step> has cnt="one", expected an integer from 0 to 67108863',
    ],
    ['a buffer that is none', ringWith(4, 'srcbuf="i"', 'srcbuf="x"'), 'ring.xml:4:7: srcbuf="x", expected i, o or s'],
    ['no source', ringWith(4, 'srcoff="0"', 'srcoff="-1"'), 'ring.xml:4:7: a step of type s names no source'],
    [
      'half a dependency',
      ringWith(4, 'depid="-1"', 'depid="0"'),
      'ring.xml:4:7: depid="0" and deps="-1", expected a thread block and a step, or -1 for both',
    ],
    ['a rank twice', ringWith(10, 'id="1"', 'id="0"'), 'ring.xml:10:3: <gpu> id="0" is there twice'],
    [
      'a rank too many',
      ringWith(1, 'ngpus="2"', 'ngpus="1"'),
      'ring.xml:10:3: <gpu> has id="1", expected 0 to 0 as ngpus says',
    ],
    [
      'a rank too few',
      ringWith(1, 'ngpus="2"', 'ngpus="3"'),
      'ring.xml:1:1: <gpu> id="2" is missing, expected ids 0 to 2 as ngpus says',
    ],
    ['XML that ends too early', RING2.slice(0, 400), 'ring.xml:5:'],
    [
      'text between elements',
      ringWith(8, '</tb>', 'hello</tb>'),
      'ring.xml:8:1: text "hello" in <tb>, expected elements alone',
    ],
    [
      'a copy with one buffer',
      RING2_SHORT.replace('type="rrc"', 'type="cpy"'),
      'ring.xml:4:47: a step of type cpy has buf and off alone, expected a source and a destination',
    ],
  ])('%s', (_name, text, message) => {
    expect(refusal(text).slice(0, message.length)).toBe(message);
  });
});
