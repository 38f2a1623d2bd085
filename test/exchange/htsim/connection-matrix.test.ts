import { HTSIM_MATRIX } from '../../../src/exchange/htsim/connection-matrix.js';
import { told, writtenAs } from '../../support/goal.js';
import { compute, receive, send, traces } from '../../support/jobs.js';
import { pingPong } from '../../support/small-job.js';

function matrix(job: ReturnType<typeof traces>): { lines: string[]; losses: string[] } {
  const { files, losses } = writtenAs(HTSIM_MATRIX, job);
  return { lines: files['job.cm'].trimEnd().split('\n'), losses: told(losses) };
}

test('connections start each other, and the first one at the end of the computation before it', () => {
  const { lines, losses } = matrix(pingPong());
  // Connection 3 waits for 1 and 2; 2 waits for 1 anyway.
  expect(lines).toEqual([
    'Nodes 2',
    'Connections 3',
    'Triggers 2',
    'Failures 0',
    '0->1 id 1 start 5000000 size 1000 send_done_trigger 1',
    '1->0 id 2 trigger 1 size 500 send_done_trigger 2',
    '0->1 id 3 trigger 2 size 2000',
    'trigger id 1 oneshot',
    'trigger id 2 oneshot',
  ]);
  expect(losses).toEqual([
    'CONVERSION_LOSS: a connection matrix cannot carry computations behind a transfer: 1 is left out, first rank 0 node 4; what waits for them starts without delay',
    'CONVERSION_LOSS: a connection matrix cannot carry computations that no connection waits for: 1 is left out, first rank 1 node 3',
  ]);
});

test('two that wait for the same two share a barrier', () => {
  const { lines, losses } = matrix(
    traces(
      [send(1, 2, 100, 0), receive(2, 2, 300, 0)],
      [send(1, 2, 200, 0), receive(2, 2, 400, 0)],
      [receive(1, 0, 100, 0), receive(2, 1, 200, 0), send(3, 0, 300, 0, [1, 2]), send(4, 1, 400, 0, [1, 2])],
    ),
  );
  expect(lines.slice(2)).toEqual([
    'Triggers 1',
    'Failures 0',
    '0->2 id 1 start 0 size 100 send_done_trigger 1',
    '1->2 id 2 start 0 size 200 send_done_trigger 1',
    '2->0 id 3 trigger 1 size 300',
    '2->1 id 4 trigger 1 size 400',
    'trigger id 1 barrier count 2',
  ]);
  expect(losses).toEqual([]);
});

test('what a second trigger would be needed for is told', () => {
  const { lines, losses } = matrix(
    traces(
      [send(1, 2, 100, 0), receive(2, 2, 300, 0)],
      [compute(3, 1), send(1, 2, 200, 0, [3]), receive(2, 2, 400, 0)],
      [receive(1, 0, 100, 0), receive(2, 1, 200, 0), send(3, 0, 300, 0, [1, 2]), send(4, 1, 400, 0, [1])],
    ),
  );
  // 0->2 starts 2->1; 2->0 waits for both, and for 1->2 longer, which starts later.
  expect(lines.slice(2)).toEqual([
    'Triggers 2',
    'Failures 0',
    '0->2 id 1 start 0 size 100 send_done_trigger 1',
    '2->1 id 2 trigger 1 size 400',
    '1->2 id 3 start 1000000 size 200 send_done_trigger 2',
    '2->0 id 4 trigger 2 size 300',
    'trigger id 1 oneshot',
    'trigger id 2 oneshot',
  ]);
  expect(losses).toEqual([
    'CONVERSION_LOSS: a connection matrix cannot carry dependencies that its triggers cannot have: 1 is left out, first rank 2 node 3; a connection may start before them',
  ]);
});

test('what is no connection hands on what it waits for', () => {
  const { lines, losses } = matrix(
    traces(
      [send(1, 1, 100, 0)],
      // A send without bytes behind a receive, whose receive on rank 2 starts a connection.
      [receive(1, 0, 100, 0), send(2, 2, 0, 0, [1])],
      [receive(1, 1, 0, 0), send(2, 0, 50, 0, [1])],
    ).map((trace, rank) => (rank === 0 ? traces([send(1, 1, 100, 0), receive(2, 2, 50, 0)])[0] : trace)),
  );
  expect(lines.slice(4)).toEqual([
    '0->1 id 1 start 0 size 100 send_done_trigger 1',
    '2->0 id 2 trigger 1 size 50',
    'trigger id 1 oneshot',
  ]);
  expect(losses).toEqual([
    'CONVERSION_LOSS: a connection matrix cannot carry sends of no bytes: 1 is left out, first rank 1 node 2; what waits for one waits for what it waited for',
  ]);
});

test('a job that never ends is refused', () => {
  expect(() => matrix(traces([receive(1, 1, 8, 0), send(2, 1, 8, 0, [1])], [receive(1, 0, 8, 0)]))).toThrow(
    '3 nodes of the job never end: rank 0 node 1 is a receive that gets no message',
  );
});
