import { microsText } from '../../../src/records/timeline/event-text.js';
import { writeTimeline, type TimelineOptions } from '../../../src/records/timeline/timeline.js';
import { jobOf } from '../../../src/replay/job.js';
import type { ReplayOptions } from '../../../src/replay/replay-options.js';
import type { Finding } from '../../../src/base/finding.js';
import { chromeTraceFaults, type ChromeEvent, type ChromeTrace } from '../../support/chrome-trace.js';
import { compute, receive, run, send, traces } from '../../support/jobs.js';
import type { NodeObject } from '../../support/traces.js';

/** Latency 1 µs and 1 byte/ns, as test/support/jobs.ts has it: 1,000 bytes take 1 µs. */
function timelineOf(
  ranks: NodeObject[][],
  options: TimelineOptions = {},
  replay: Partial<ReplayOptions> = {},
): ChromeTrace & { findings: Finding[] } {
  const job = traces(...ranks);
  const outcome = run(job, { recordTransfers: true, ...replay });
  let text = '';
  const findings = writeTimeline(outcome, jobOf(job), options, (bytes) => (text += Buffer.from(bytes).toString()));
  const trace = JSON.parse(text) as ChromeTrace;
  expect(chromeTraceFaults(trace)).toEqual([]);
  return { ...trace, findings };
}

function slices({ traceEvents }: ChromeTrace): ChromeEvent[] {
  return traceEvents.filter(({ ph }) => ph === 'X');
}

test('two ranks and one message: every event by hand', () => {
  const timeline = timelineOf([
    [compute(0, 2), send(1, 1, 1000, 7, [0])],
    [receive(0, 0, 1000, 7), compute(1, 3), compute(2, 1, [0], true)],
  ]);
  // The send starts at 2, has sent its bytes at 3, the receive has them at 4, the sender hears of it at 5 µs.
  expect(slices(timeline)).toEqual([
    expect.objectContaining({ pid: 0, tid: 101, ts: 0, dur: 2 }),
    expect.objectContaining({
      ...{ pid: 0, tid: 401, ts: 2, dur: 1, cat: 'sends' },
      args: { id: 1, type: 'COMM_SEND_NODE', to: 1, bytes: 1000, tag: 7, acknowledgedMicros: 5 },
    }),
    expect.objectContaining({ pid: 1, tid: 101, ts: 0, dur: 3 }),
    expect.objectContaining({ pid: 1, tid: 201, ts: 4, dur: 1 }),
    expect.objectContaining({
      ...{ pid: 1, tid: 501, ts: 0, dur: 4, cat: 'receives' },
      args: { id: 0, type: 'COMM_RECV_NODE', from: 0, bytes: 1000, tag: 7 },
    }),
  ]);
  const shared = { id: 1, name: 'message', cat: 'message' };
  expect(timeline.traceEvents.filter(({ ph }) => ph === 's' || ph === 'f')).toEqual([
    { ph: 's', ...shared, pid: 0, tid: 401, ts: 2 },
    { ph: 'f', bp: 'e', ...shared, pid: 1, tid: 501, ts: 3.999 }, // 1 ns before the end, inside the slice
  ]);
  const inFlight = (pid: number) => [
    { ph: 'C', pid, name: 'bytes in flight', ts: 2, args: { bytes: 1000 } },
    { ph: 'C', pid, name: 'bytes in flight', ts: 4, args: { bytes: 0 } },
  ];
  expect(timeline.traceEvents.filter(({ ph }) => ph === 'C')).toEqual([...inFlight(2), ...inFlight(0)]);
  expect(timeline.findings).toEqual([]);
});

test('processes and threads are named and sorted', () => {
  const { traceEvents } = timelineOf([[compute(0, 2)]]);
  const named = traceEvents.filter(({ ph }) => ph === 'M').map(({ pid, tid, args }) => ({ pid, tid, ...args }));
  expect(named).toEqual([
    { pid: 1, tid: 0, name: 'job' },
    { pid: 1, tid: 0, sort_index: -1 },
    { pid: 0, tid: 0, name: 'rank 0' },
    { pid: 0, tid: 0, sort_index: 0 },
    { pid: 0, tid: 101, name: 'NPU' },
    { pid: 0, tid: 101, sort_index: 101 },
  ]);
});

test('nodes that overlap get threads of their own, and a thread is used again', () => {
  const timeline = timelineOf([[compute(0, 3, [], true), compute(1, 1, [], true), compute(2, 1, [1], true)]]);
  expect(slices(timeline).map(({ tid, ts, dur, args }) => [args!.id, tid, ts, dur])).toEqual([
    [0, 201, 0, 3],
    [1, 202, 0, 1],
    [2, 202, 1, 1],
  ]);
});

test('a node that does not finish lasts until the last thing happened, and says so', () => {
  const timeline = timelineOf([[receive(0, 1, 8, 1), compute(1, 1, [0])], [compute(0, 5)]]);
  expect(timeline.otherData.status).toBe('stalled');
  expect(JSON.stringify(timeline.otherData.stall)).toContain('rank 0');
  const [waiting] = slices(timeline);
  expect(waiting).toMatchObject({ pid: 0, tid: 501, ts: 0, cname: 'terrible', args: { from: 1, unfinished: true } });
  expect(waiting.dur).toBe(5); // until rank 1 is done
  expect(timeline.findings).toEqual([
    expect.objectContaining({
      code: 'TIMELINE_LEFT_OUT',
      message: 'the timeline does not show 1 node that the run did not come to',
    }),
  ]);
});

test('ranks that are not asked for are left out, and arrows to them counted', () => {
  const timeline = timelineOf([[send(0, 1, 8, 1)], [receive(0, 0, 8, 1)]], { ranks: [1] });
  expect(slices(timeline).map(({ pid }) => pid)).toEqual([1]);
  expect(timeline.findings.map(({ message }) => message)).toEqual([
    'the timeline does not show 1 rank not asked for, 1 arrow of messages without two ends in the picture',
  ]);
});

test('more overlapping nodes than lanes are counted', () => {
  const many = Array.from({ length: 67 }, (_, id) => compute(id, 1, [], true));
  const timeline = timelineOf([many]);
  expect(slices(timeline)).toHaveLength(64);
  expect(timeline.findings.map(({ message }) => message)).toEqual([
    'the timeline does not show 3 nodes that overlap more than 64 others on their track',
  ]);
});

test('messages of one key are drawn as they are matched (R-067)', () => {
  // The second transfer is shorter and arrives first: it goes to the receive that starts first.
  const timeline = timelineOf([
    [send(0, 1, 1_000_000, 5), send(1, 1, 1000, 5)],
    [receive(0, 0, 1000, 5), compute(1, 1), receive(2, 0, 1_000_000, 5, [1])],
  ]);
  const receives = slices(timeline).filter(({ cat }) => cat === 'receives');
  // 1,000 bytes: 1 + 1 µs; 1,000,000 bytes: 1,000 + 1 µs.
  expect(receives.map(({ args, ts, dur }) => [args!.id, ts, dur])).toEqual([
    [0, 0, 2],
    [2, 1, 1000],
  ]);
  const ends = timeline.traceEvents.filter(({ ph }) => ph === 'f').map(({ id, ts }) => [id, ts]);
  expect(ends).toEqual([
    [2, 1.999],
    [1, 1000.999],
  ]);
});

test('names are JSON whatever they hold', () => {
  const timeline = timelineOf([[{ ...compute(0, 1), name: 'a "b" \\ \u0001 <c>, d=é' }]]);
  expect(slices(timeline)[0].name).toBe('a "b" \\ \u0001 <c>, d=é');
});

test('long times are digits, without an exponent', () => {
  const timeline = timelineOf([[compute(0, 1_000_000_000), send(1, 1, 1, 1, [0])], [receive(0, 0, 1, 1)]]);
  // 1 byte takes 1 ns.
  expect(slices(timeline)[1]).toMatchObject({ ts: 1_000_000_000, dur: 0.001 });
  expect([0, 1, 1_500_000, 20, 9e15].map(microsText)).toEqual(['0', '0.000001', '1.5', '0.00002', '9000000000']);
});

test('a run without its transfers has no timeline', () => {
  const job = traces([compute(0, 1)]);
  expect(() => writeTimeline(run(job), jobOf(job), {}, () => {})).toThrow(
    'a timeline needs a run that kept its transfers',
  );
});
