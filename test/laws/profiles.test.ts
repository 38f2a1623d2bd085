import fc from 'fast-check';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { writeProfile } from '../../src/records/profiling.js';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import { alphaBeta, expanded, randomRun } from './random-run.js';

test('law: R-161 a block lists the nodes that run at its instant, looked up one by one', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      fc.boolean(),
      fc.constantFrom(100_000, 1_000_000, 3_000_001),
      fc.constantFrom(0, 1, 5_000_000),
      fc.integer({ min: 0, max: 30_000_000 }),
      (run, spec, sync, intervalPs, startPs, length) => {
        const traces = expanded(run, sync);
        const outcome = replay(traces, { network: analyticalUnaware(spec), startPs, stopPs: startPs + length });
        for (const trace of traces) {
          const { ended, endPs } = outcome.ranks[trace.rank];
          const { simulationEndPs } = outcome;
          const times = outcome.nodeTimes(trace.rank);
          let text = '';
          const when = { startPs, intervalPs, endPs: ended ? endPs : undefined, simulationEndPs };
          writeProfile(trace, times, when, (piece) => (text += piece));

          const expected = ['CHAKRA PROFILING'];
          const nodes = Array.from(trace.idLow, (id, node) => ({ id, node })).sort((a, b) => a.id - b.id);
          const isSend = (node: number): boolean => trace.type[node] === NodeType.send;
          const end = (node: number): number => (isSend(node) ? times.acknowledged : times.finish)[node];
          for (let at = startPs + intervalPs; ended ? at < endPs : at <= simulationEndPs; at += intervalPs) {
            const running = nodes.filter(({ node }) => times.start[node] <= at && !(end(node) <= at));
            const list = (wanted: (type: number) => boolean): string[] =>
              running.filter(({ node }) => wanted(trace.type[node])).map(({ id }) => String(id));
            expected.push(
              '='.repeat(32),
              `sim_time_sec: ${(at / 1e12).toFixed(12)}`,
              ...['send_nodes:', ...list((type) => type === NodeType.send)],
              ...['receive_nodes:', ...list((type) => type === NodeType.receive)],
              ...['computation_nodes:', ...list((type) => type !== NodeType.send && type !== NodeType.receive)],
            );
          }
          expect(
            text
              .trimEnd()
              .replaceAll(/^[SRC]\((\d+),.*$/gm, '$1')
              .split('\n'),
          ).toEqual(expected);
        }
      },
    ),
    { numRuns: 60 },
  );
});
