import { chakraCdf } from '../../src/records/chakra-cdf.js';
import { compute, receive, run, send, traces } from '../support/jobs.js';
import { factsOf, linesOf, runningExample } from '../support/records.js';

test('R-155 the running example every 10 µs, which lasts to 33.3566 µs; no computation is all of them', () => {
  const outcome = runningExample({ beaconIntervalPs: 10_000_000 });
  expect(outcome.simulationEndPs).toBe(33_356_600);
  expect(linesOf(chakraCdf, outcome, factsOf({ beaconIntervalPs: 10_000_000 }))).toEqual([
    'sim_time_sec,CDF_send_bytes,CDF_chakra_sends_completed,CDF_chakra_receives_completed,CDF_chakra_sends_fully_acked,CDF_chakra_computations_completed',
    '0.000010000000,0.000000,0.000000,0.000000,0.000000,1.000000',
    '0.000020000000,0.000000,0.000000,0.000000,0.000000,1.000000',
    '0.000030000000,1.000000,1.000000,1.000000,1.000000,1.000000',
  ]);
});

test('R-155 parts of each total, halves up', () => {
  // Sends of 1,000 B and 2,000 B go at 1 B/ns from 0: sent at 1 and 2 µs, received 1 µs and acknowledged 2 µs later.
  // The computations end at 1, 2 and 6 µs; the third receive is never served.
  const job = traces(
    [send(1, 1, 1000, 1), send(2, 1, 2000, 2), compute(3, 1, [], true)],
    [
      receive(1, 0, 1000, 1),
      receive(2, 0, 2000, 2),
      receive(3, 0, 8, 3),
      compute(4, 2, [], true),
      compute(5, 6, [], true),
    ],
  );
  const lines = linesOf(chakraCdf, run(job), factsOf({ beaconIntervalPs: 1_000_000 }));
  expect(lines.slice(1, 5)).toEqual([
    '0.000001000000,0.333333,0.500000,0.000000,0.000000,0.333333',
    '0.000002000000,1.000000,1.000000,0.333333,0.000000,0.666667',
    '0.000003000000,1.000000,1.000000,0.666667,0.500000,0.666667',
    '0.000004000000,1.000000,1.000000,0.666667,1.000000,0.666667',
  ]);
  expect(lines[6]).toBe('0.000006000000,1.000000,1.000000,0.666667,1.000000,1.000000');
});
