import type { NetworkFactory } from '../../src/network/network.js';
import { compute, memory, receive, run, send, traces } from '../support/jobs.js';

/** A transfer is sent after `sent`, received after `received` and acknowledged after `acked`, ps from its start. */
function fixed(times: { sent: number; received: number; acked: number }, isScaleUp?: () => boolean): NetworkFactory {
  return (_ranks, kernel, listener) => {
    const sent = kernel.addHandler((transfer) => listener.sent(transfer, kernel.now));
    const received = kernel.addHandler((transfer) => listener.received(transfer, kernel.now));
    const acknowledged = kernel.addHandler((transfer) => listener.acknowledged(transfer, kernel.now));
    return {
      name: 'fixed',
      ...(isScaleUp === undefined ? {} : { isScaleUp }),
      post: (transfer, source, destination, _bytes, now) => {
        kernel.schedule(now + times.sent, 0, source, sent, transfer);
        kernel.schedule(now + times.received, 0, destination, received, transfer);
        kernel.schedule(now + times.acked, 0, source, acknowledged, transfer);
      },
    };
  };
}

const oneTransfer = (): ReturnType<typeof traces> => traces([send(1, 1, 1_048_576, 0)], [receive(1, 0, 1_048_576, 0)]);
/** the same MiB through a NIC and over scale-up. */
const NIC = { sent: 21_268_480, received: 22_351_560, acked: 23_356_600 };
const SCALE_UP = { sent: 10_547_200, received: 10_888_400, acked: 11_147_200 };

describe('how a run ends', () => {
  test('R-140 through the NIC both ranks end at 23.3566 µs, the receiver by (c)', () => {
    const { ranks } = run(oneTransfer(), { network: fixed(NIC) });
    expect(ranks.map(({ endPs }) => endPs)).toEqual([23_356_600, 23_356_600]);
  });

  test('R-140 over scale-up the receiver ends at 10,888.4 ns, the sender at 11,147.2 ns', () => {
    const { ranks, endPs } = run(oneTransfer(), { network: fixed(SCALE_UP, () => true) });
    expect(ranks.map((rank) => rank.endPs)).toEqual([11_147_200, 10_888_400]);
    expect(endPs).toBe(11_147_200);
  });

  test('R-140 a rank without a node that is ready ends at StartTime', () => {
    const job = traces([memory(1, 1, [2]), memory(2, 1, [1])], [memory(1, 4)], []);
    const outcome = run(job, { startPs: 7e6 });
    expect(outcome).toMatchObject({ status: 'stalled', startPs: 7e6 });
    expect(outcome.ranks).toMatchObject([
      { state: 'stalled', ended: true, endPs: 7e6 },
      { state: 'finished', ended: true, endPs: 11e6 },
      { state: 'finished', ended: true, endPs: 7e6 },
    ]);
    // Every rank has ended, so the run is over one interval later, stop or not.
    expect(run(job, { startPs: 7e6, stopPs: 1e12 }).simulationEndPs).toBe(1_011e6);
    expect(outcome.findings.map(({ code, rank }) => [code, rank])).toEqual([
      ['NO_NODES', 2],
      ['CYCLE', 0],
    ]);
  });

  test('R-041 every rank starts at StartTime: A 3 µs, B 5 µs, C after both', () => {
    const job = traces([memory(1, 3), memory(2, 5), memory(3, 1, [1, 2])]);
    const outcome = run(job, { startPs: 100e6 });
    const { start, finish } = outcome.nodeTimes(0);
    expect(Array.from(start)).toEqual([100e6, 100e6, 105e6]);
    expect(Array.from(finish)).toEqual([103e6, 105e6, 106e6]);
    expect(outcome.ranks[0].computePs).toBe(6e6);
  });

  test('R-141 the simulation ends one BeaconReportInterval after the last rank: 1.0233566 ms', () => {
    expect(run(oneTransfer(), { network: fixed(NIC) }).simulationEndPs).toBe(1_023_356_600);
    expect(run(oneTransfer(), { network: fixed(NIC), beaconIntervalPs: 10e6 }).simulationEndPs).toBe(33_356_600);
    expect(run(oneTransfer(), { network: fixed(NIC), stopPs: 30e6 }).simulationEndPs).toBe(30e6);
  });

  test('R-141 a stop at 20 µs leaves both ranks unfinished', () => {
    const outcome = run(oneTransfer(), { network: fixed(NIC), stopPs: 20e6 });
    expect(outcome).toMatchObject({ status: 'limit', endPs: 20e6, simulationEndPs: 20e6 });
    expect(outcome.ranks).toMatchObject([{ state: 'running' }, { state: 'running' }]);
  });

  test('R-141 a run that stalls goes on to its stop', () => {
    const job = traces([receive(1, 1, 8, 0)], [memory(1, 2)]);
    expect(run(job, { stopPs: 50e6 })).toMatchObject({ status: 'stalled', endPs: 2e6, simulationEndPs: 50e6 });
    expect(run(job)).toMatchObject({ status: 'stalled', endPs: 2e6, simulationEndPs: 2e6 });
  });

  test('R-142 the 22 µs stop: sent and not acknowledged', () => {
    const outcome = run(oneTransfer(), { network: fixed(NIC), stopPs: 22e6 });
    expect(outcome.ranks).toMatchObject([
      { sends: 1, bytesSent: 1_048_576, receives: 0, acknowledged: 0 },
      { sends: 0, receives: 0, acknowledged: 0 },
    ]);
  });

  test('R-155 progress at 10, 20 and 30 µs', () => {
    const outcome = run(oneTransfer(), { network: fixed(NIC), beaconIntervalPs: 10e6 });
    const progress = outcome.progress(10e6);
    expect(progress.rows).toBe(3);
    expect(Array.from(progress.sends)).toEqual([0, 0, 1]);
    expect(Array.from(progress.sendBytes)).toEqual([0, 0, 1_048_576]);
    expect(Array.from(progress.receives)).toEqual([0, 0, 1]);
    expect(Array.from(progress.acknowledged)).toEqual([0, 0, 1]);
    expect(progress.totals).toEqual({ sends: 1, sendBytes: 1_048_576, receives: 1, computations: 0 });
  });

  test('a wake-up of compute that a later start has overtaken does not decide how a run ended', () => {
    // Alone A would end at 30 µs; with B from 1 to 3 µs it ends at 31. The wake-up for 30 finds nothing to do.
    const job = traces([compute(1, 30), memory(2, 1), compute(3, 1, [2]), receive(4, 1, 8, 0)], [memory(1, 1)]);
    expect(run(job, { stopPs: 30.5e6 }).status).toBe('limit');
    expect(run(job, { stopPs: 31e6 }).status).toBe('stalled');
  });
});

describe('R-095 scaling as nodes are read', () => {
  test('125 B × 0.5 is 62 B, 1 µs × 0.5 nothing, 100 × 0.29 is 28', () => {
    const job = traces([send(1, 1, 125, 0), compute(2, 1), memory(3, 100)], [receive(1, 0, 125, 0)]);
    const half = run(job, { scale: 0.5, recordTransfers: true });
    expect(half.ranks[0]).toMatchObject({ bytesSent: 62, computationMicros: 0 });
    expect(Array.from(half.transferLog!.bytes.subarray(0, 1))).toEqual([62]);
    expect(Array.from(half.transferLog!.traceBytes.subarray(0, 1))).toEqual([125]);
    expect(Array.from(run(job, { scale: 0.29 }).nodeTimes(0).finish)[2]).toBe(28e6);
  });

  test('a factor of 0 takes no time and keeps the order', () => {
    const job = traces([memory(1, 5), send(2, 1, 100, 0, [1])], [receive(1, 0, 100, 0)]);
    const outcome = run(job, { scale: 0 });
    expect(outcome).toMatchObject({ status: 'finished', transfers: 1, bytes: 0 });
    expect(Array.from(outcome.nodeTimes(0).start)).toEqual([0, 0]);
  });
});

describe('why a run does not finish', () => {
  const reasons = (...[job, options]: Parameters<typeof run>): unknown =>
    run(job, options).stall!.reasons.map(({ code, count }) => [code, count]);

  test('a receive that nobody sends to, and the send that may be meant', () => {
    const job = traces([send(3, 1, 8, 6)], [receive(7, 0, 8, 5)]);
    expect(reasons(job)).toEqual([['unmatched-receive', 1]]);
    expect(run(job).stall!.ranks[0].nodes[0].text).toBe(
      'node 7 "receive 7" waits for a transfer from rank 0 (tag 5); rank 0 has no such send and has ended, but node 3 "send 3" sends to it with tag 6',
    );
  });

  test('a cycle of dependencies', () => {
    expect(reasons(traces([memory(1, 1), memory(2, 1, [3]), memory(3, 1, [2])]))).toEqual([['dependency-cycle', 2]]);
  });

  test('ranks that wait for each other', () => {
    const ring = (peer: number) => [receive(1, peer, 8, 5), send(2, peer, 8, 5, [1])];
    expect(reasons(traces(ring(1), ring(0)))).toEqual([['cross-rank-cycle', 4]]);
  });

  test('the stop, with what ran when it came', () => {
    const job = traces([compute(1, 10), send(2, 1, 1000, 0)], [receive(1, 0, 1000, 0)]);
    expect(reasons(job, { stopPs: 0.5e6 })).toEqual([['stop-reached', 3]]);
    expect(run(job, { stopPs: 0.5e6 }).stall!.lines).toEqual([
      'stop reached: 3 nodes on 2 ranks had not finished',
      '  3 nodes ran or had a transfer under way',
      'rank 0: 2 of 2 nodes not finished',
      '  node 1 "compute 1" runs, with 10 µs of work',
      '  node 2 "send 2" is being sent to rank 1, 1,000 B',
      'rank 1: 1 of 1 node not finished',
      '  node 1 "receive 1" waits for a transfer from rank 0 (tag 0) that is under way',
    ]);
  });

  test('sizes that differ are named beside what holds the run up', () => {
    const job = traces([send(1, 1, 8, 0)], [receive(1, 0, 9, 0), receive(2, 0, 9, 1)]);
    expect(reasons(job)).toEqual([
      ['unmatched-receive', 1],
      ['size-mismatch', 1],
    ]);
  });
});
