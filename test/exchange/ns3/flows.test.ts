import { NS3_FLOWS } from '../../../src/exchange/ns3/flows.js';
import { told, writtenAs } from '../../support/goal.js';
import { receive, send, traces } from '../../support/jobs.js';
import { pingPong } from '../../support/small-job.js';

test('flows start as early as dependencies and recorded durations allow', () => {
  const { files, findings, losses } = writtenAs(NS3_FLOWS, pingPong());
  expect(files).toEqual({
    'job.flows.txt': '3\n0 1 3 100 1000 0.000005\n1 0 3 100 500 0.000005\n0 1 3 100 2000 0.000008\n',
  });
  expect(told(findings)).toEqual([
    'FLOW_START_TIMES: flows start as early as the traces allow: after the recorded durations before them, with transfers that take no time',
  ]);
  expect(told(losses)).toEqual([
    'CONVERSION_LOSS: a flow list cannot carry computations: 3 are left out, first rank 0 node 1; they count in the start times only',
    'CONVERSION_LOSS: a flow list cannot carry dependencies: 6 are left out, first rank 0 node 2; a flow starts at its time, whatever the network has done until then',
    'CONVERSION_LOSS: a flow list cannot carry receives: 3 are left out, first rank 0 node 3; every flow is received',
  ]);
});

test('or when a replay starts them, in ascending order', () => {
  // Rank 0's sends are nodes 1 and 4 of its trace, that of rank 1 is node 1.
  const startNs = (rank: number, node: number): number => (rank === 1 ? 6_500.25 : node === 1 ? 5_000 : 2e9);
  const { files, findings } = writtenAs(NS3_FLOWS, pingPong(), { startNs });
  expect(files['job.flows.txt']).toBe('3\n0 1 3 100 1000 0.000005\n1 0 3 100 500 0.00000650025\n0 1 3 100 2000 2\n');
  expect(told(findings)).toEqual([
    'FLOW_START_TIMES: flows start when they start in a replay of the traces on the network named',
  ]);
});

test('a send that the replay never starts is refused', () => {
  expect(() => writtenAs(NS3_FLOWS, pingPong(), { startNs: () => NaN })).toThrow(
    'rank 0 node 2 is a send that never starts in the replay',
  );
});

test('sends without bytes and sends of a rank to itself are no flows', () => {
  const job = traces([send(1, 1, 0, 0), send(2, 0, 8, 0), receive(3, 0, 8, 0)], [receive(1, 0, 0, 0)]);
  const { files, findings, losses } = writtenAs(NS3_FLOWS, job);
  expect(files['job.flows.txt']).toBe('0\n');
  expect(findings).toEqual([]);
  expect(told(losses)).toEqual([
    'CONVERSION_LOSS: a flow list cannot carry sends of no bytes: 1 is left out, first rank 0 node 1; a flow of no bytes never ends',
    'CONVERSION_LOSS: a flow list cannot carry sends of a rank to itself: 1 is left out, first rank 0 node 2; they use no network',
    'CONVERSION_LOSS: a flow list cannot carry receives: 2 are left out, first rank 0 node 3; every flow is received',
  ]);
});
