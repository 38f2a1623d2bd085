import { Share } from '../../../src/collectives/algorithm.js';
import { checkProgram } from '../../../src/collectives/programs/check-program.js';
import {
  chunkOffset,
  largerBuffer,
  programAlgorithm,
  programScript,
} from '../../../src/collectives/programs/program-algorithm.js';
import { ProgramBuilder, ringProgram } from '../../support/chunk-programs.js';

interface Row {
  readonly send: number;
  readonly peer: number;
  readonly bytes: number;
  readonly index: number;
  readonly after: readonly number[];
}

function rowsOf(share: Share): Row[] {
  return Array.from({ length: share.length }, (_, at) => ({
    send: share.send[at],
    peer: share.peer[at],
    bytes: share.bytes[at],
    index: share.index[at],
    after: [...share.dependency.subarray(share.dependencyStart[at], share.dependencyStart[at + 1])],
  }));
}

const CASES: [number, number, number[]][] = [
  [10, 2, [5, 5]],
  [11, 2, [5, 6]],
  [1000, 3, [333, 333, 334]],
  [2, 3, [0, 1, 1]],
  [0, 4, [0, 0, 0, 0]],
  [7, 1, [7]],
];

test.each(CASES)('chunks of %d bytes in %d, by hand', (bytes, chunks, sizes) => {
  const offsets = Array.from({ length: chunks + 1 }, (_, chunk) => chunkOffset(chunk, bytes, chunks));
  expect(sizes.map((_, chunk) => offsets[chunk + 1] - offsets[chunk])).toEqual(sizes);
  expect(offsets[chunks]).toBe(bytes);
});

test('chunk boundaries are exact where the product is no whole number of a double', () => {
  const bytes = 2 ** 53 - 1;
  const chunks = 1_000_003;
  const chunk = 999_999;
  expect(chunkOffset(chunk, bytes, chunks)).toBe(Number((BigInt(chunk) * BigInt(bytes)) / BigInt(chunks)));
  expect(chunkOffset(chunks, bytes, chunks)).toBe(bytes);
});

test('exchange-formats 4.2: B by collective', () => {
  const of = (type: number): number => largerBuffer(type, { groupSize: 4, bytes: 100, root: 0 });
  // allreduce, reduce, allgather, gather, scatter, broadcast, alltoall, reduce_scatter, its block form, barrier
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(of)).toEqual([100, 100, 400, 400, 100, 100, 100, 100, 100, 0]);
});

test('the ring of two ranks, 1,001 bytes: chunk 0 has 500 and chunk 1 has 501', () => {
  const checked = checkProgram(ringProgram(2), 'ring');
  const algorithm = programAlgorithm(programScript(checked, 'ring2', 0, false));
  const share = new Share();
  algorithm.share(0, { groupSize: 2, bytes: 1001, root: 0 }, share);
  expect(rowsOf(share)).toEqual([
    { send: 1, peer: 1, bytes: 500, index: 0, after: [] },
    { send: 0, peer: 1, bytes: 501, index: 0, after: [0] },
    { send: 1, peer: 1, bytes: 501, index: 1, after: [1] },
    { send: 0, peer: 1, bytes: 500, index: 1, after: [2] },
  ]);
  algorithm.share(1, { groupSize: 2, bytes: 1001, root: 0 }, share);
  expect(rowsOf(share)).toEqual([
    { send: 1, peer: 0, bytes: 501, index: 0, after: [] },
    { send: 0, peer: 0, bytes: 500, index: 0, after: [0] },
    { send: 1, peer: 0, bytes: 500, index: 1, after: [1] },
    { send: 0, peer: 0, bytes: 501, index: 1, after: [2] },
  ]);
  expect({ size: algorithm.groupSize, indices: algorithm.indexCount(2), family: algorithm.family }).toEqual({
    size: 2,
    indices: 2,
    family: 'chained',
  });
  algorithm.share(0, { groupSize: 1, bytes: 1001, root: 0 }, share);
  expect(share.length).toBe(0);
});

test('local steps take no time: what waits for them waits for the transfers they wait for', () => {
  // Rank 0 receives from 1 and 2 in thread blocks of their own, adds both in a third, and passes the sum on from a fourth.
  const builder = new ProgramBuilder({
    type: -1,
    collective: 'custom',
    chunks: 1,
    buffers: [
      [1, 1, 2],
      [1, 1, 0],
      [1, 1, 0],
    ],
    inPlace: false,
  });
  const place = (buffer: 'i' | 'o' | 's', offset: number): { buffer: 'i' | 'o' | 's'; offset: number } => ({
    buffer,
    offset,
  });
  const from1 = builder.step(0, { receive: 1 }, 'r', undefined, place('s', 0));
  const from2 = builder.step(0, { receive: 2 }, 'r', undefined, place('s', 1));
  builder.step(0, {}, 'nop', undefined, undefined, { count: 0, after: from1 });
  const added = builder.step(0, {}, 're', place('s', 0), place('s', 1), { after: from2 });
  builder.step(0, { send: 1, channel: 1 }, 's', place('s', 1), place('o', 0), { after: added });
  builder.step(1, { send: 0 }, 's', place('i', 0), place('s', 0));
  builder.step(2, { send: 0 }, 's', place('i', 0), place('s', 1));
  builder.step(1, { receive: 0, channel: 1 }, 'r', undefined, place('o', 0));
  const checked = checkProgram(builder.program(), 'x');
  expect(checked.findings.map(({ code }) => code)).toEqual(['PROGRAM_CUSTOM']);
  const share = new Share();
  programAlgorithm(programScript(checked, 'x', 0, false)).share(0, { groupSize: 3, bytes: 64, root: 0 }, share);
  expect(rowsOf(share)).toEqual([
    { send: 0, peer: 1, bytes: 64, index: 0, after: [] },
    { send: 0, peer: 2, bytes: 64, index: 0, after: [] },
    { send: 1, peer: 1, bytes: 64, index: 0, after: [0, 1] },
  ]);
});

test('messages of one pair on two channels have indices of their own, equal at both ends', () => {
  const builder = new ProgramBuilder({
    type: 5,
    collective: 'broadcast',
    chunks: 3,
    buffers: [
      [3, 3, 0],
      [3, 3, 0],
    ],
  });
  const chunk = (offset: number): { buffer: 'i'; offset: number } => ({ buffer: 'i', offset });
  for (const [at, channel] of [1, 0, 1].entries()) {
    builder.step(0, { send: 1, channel }, 's', chunk(at), chunk(at));
    builder.step(1, { receive: 0, channel }, 'r', undefined, chunk(at));
  }
  const checked = checkProgram(builder.program(), 'x');
  const algorithm = programAlgorithm(programScript(checked, 'x', 5, true));
  const [sender, receiver] = [new Share(), new Share()];
  algorithm.share(0, { groupSize: 2, bytes: 10, root: 0 }, sender);
  algorithm.share(1, { groupSize: 2, bytes: 10, root: 0 }, receiver);
  // 10 bytes in three: 3, 3, 4. Channel 0 has the message of chunk 1, channel 1 those of chunks 0 and 2.
  const byIndex = (share: Share): (readonly [number, number])[] =>
    rowsOf(share)
      .map(({ index, bytes }) => [index, bytes] as const)
      .sort(([a], [b]) => a - b);
  expect(byIndex(sender)).toEqual([
    [0, 3],
    [1, 3],
    [2, 4],
  ]);
  expect(byIndex(receiver)).toEqual(byIndex(sender));
});
