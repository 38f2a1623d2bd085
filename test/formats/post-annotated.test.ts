import { writePostAnnotated } from '../../src/formats/post-annotated.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { compute, run, traces } from '../support/jobs.js';
import { runningExample, runningTraces } from '../support/records.js';

function lines(outcome: ReplayOutcome, rank: number, wallClockMicros?: number, ranks = runningTraces()): string[] {
  let text = '';
  writePostAnnotated(ranks[rank], outcome.nodeTimes(rank), (piece) => (text += piece), wallClockMicros);
  return text.slice(0, -1).split('\n');
}

test('R-160 a full run: of a send the end is the acknowledgment', () => {
  const outcome = runningExample();
  expect(lines(outcome, 0)).toEqual([
    '{"id":1,"name":"send 1","type":"COMM_SEND_NODE","ctrlDeps":[],"dataDeps":[],"commSize":1048576,"partner":1,"commTag":0,"dependents":[],"s":"000000.000000","e":"000023.356600","r":"0000000000000"}',
  ]);
  expect(lines(outcome, 1)).toEqual([
    '{"id":1,"name":"receive 1","type":"COMM_RECV_NODE","ctrlDeps":[],"dataDeps":[],"commSize":1048576,"partner":0,"commTag":0,"dependents":[],"s":"000000.000000","e":"000022.351560","r":"0000000000000"}',
  ]);
});

test('R-160 at the 22 µs stop neither end is reached: the send has finished and is not acknowledged', () => {
  const outcome = runningExample({ stopPs: 22_000_000 });
  for (const rank of [0, 1]) {
    expect(lines(outcome, rank)[0]).toContain('"s":"000000.000000","e":"XXXXXXXXXXXXX","r":"0000000000000"}');
  }
});

test('R-160 a node that did not start has neither; long times are wider', () => {
  const ranks = traces([compute(1, 1_234_567), compute(2, 1, [1]), compute(3, 8_000_000_000, [2]), compute(4, 1, [3])]);
  const outcome = run(ranks, { stopPs: 2_000_000_000_000 });
  const members = lines(outcome, 0, undefined, ranks).map((line) => {
    const { s, e } = JSON.parse(line) as { s: string; e: string };
    return [s, e];
  });
  expect(members).toEqual([
    ['000000.000000', '1234567.000000'],
    ['1234567.000000', '1234568.000000'],
    ['1234568.000000', 'XXXXXXXXXXXXX'],
    ['XXXXXXXXXXXXX', 'XXXXXXXXXXXXX'],
  ]);
});

test('R-005 with the wall clock r is real time, where the node has got to its end', () => {
  const r = (stopPs?: number): unknown =>
    (JSON.parse(lines(runningExample(stopPs === undefined ? {} : { stopPs }), 0, 1_500_000.25)[0]) as { r: string }).r;
  expect(r()).toBe('1500000.250000');
  expect(r(22_000_000)).toBe('XXXXXXXXXXXXX');
});
