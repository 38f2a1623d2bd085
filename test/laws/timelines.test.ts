import fc from 'fast-check';
import { writeTimeline } from '../../src/records/timeline/timeline.js';
import { jobOf } from '../../src/replay/job.js';
import { replay } from '../../src/replay/replay.js';
import { chromeTraceFaults, type ChromeTrace } from '../support/chrome-trace.js';
import { alphaBeta, expanded, randomRun, routed, scaleUpGroups } from './random-run.js';

test('law: the timeline of any run keeps the rules of the format and shows every node that started', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      scaleUpGroups,
      fc.boolean(),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 30_000_000 })),
      (random, spec, drawn, sync, stopPs) => {
        const traces = expanded(random, sync);
        const outcome = replay(traces, {
          network: routed(spec, drawn, random.rankCount),
          recordTransfers: true,
          stopPs,
        });
        let text = '';
        const [leftOut] = writeTimeline(outcome, jobOf(traces), {}, (bytes) => (text += Buffer.from(bytes).toString()));
        const timeline = JSON.parse(text) as ChromeTrace;
        expect(chromeTraceFaults(timeline)).toEqual([]);
        const nodes = timeline.traceEvents.filter(({ ph, cat }) => ph === 'X' && cat !== 'collectives');
        const started = traces.reduce((sum, trace, rank) => {
          const { start } = outcome.nodeTimes(rank);
          return sum + trace.type.filter((type, node) => type >= 2 && type <= 6 && !Number.isNaN(start[node])).length;
        }, 0);
        expect(nodes.length + Number(leftOut?.overlapping ?? 0)).toBe(started);
        const arrows = timeline.traceEvents.filter(({ ph }) => ph === 's').length;
        expect(arrows).toBeLessThanOrEqual(outcome.transferLog!.length);
        const last = timeline.traceEvents.filter(({ ph, pid }) => ph === 'C' && pid === random.rankCount).at(-1);
        if (outcome.status === 'finished' && last !== undefined) expect(last.args!.bytes).toBe(0);
      },
    ),
    { numRuns: 120 },
  );
});
