import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { EXAMPLE_NETWORK, compute, memory, micros, receive, run, send, traces } from '../support/jobs.js';

/** The same network, asked through `post` and its events instead of for times. */
const THROUGH_EVENTS: NetworkFactory = (ranks, kernel, listener) => {
  const network = EXAMPLE_NETWORK(ranks, kernel, listener);
  return { name: network.name, post: (...transfer) => network.post(...transfer) };
};

describe.each([
  ['times asked for', EXAMPLE_NETWORK],
  ['posted', THROUGH_EVENTS],
])('transfers, %s', (_name, network) => {
  test('R-062 a node after a send starts when the last byte has left, R-066 a receive ends when it has arrived', () => {
    const job = traces(
      [send(1, 1, 1000, 7), memory(2, 1, [1]), memory(3, 1, [1])],
      [receive(1, 0, 1000, 7), memory(2, 1, [1])],
    );
    const outcome = run(job, { network });
    expect(micros(outcome, job, 0)).toEqual({ 1: [0, 1], 2: [1, 2], 3: [1, 2] });
    expect(micros(outcome, job, 1)).toEqual({ 1: [0, 2], 2: [2, 3] });
  });

  test('R-061 zero bytes are sent as well and take the latency', () => {
    const job = traces([send(1, 1, 0, 7)], [receive(1, 0, 0, 7)]);
    expect(micros(run(job, { network }), job, 1)[1]).toEqual([0, 1]);
  });

  test('R-063 and R-070 start 5 µs: sent 6, received 7, acknowledged 8 µs', () => {
    const job = traces([memory(1, 5), send(2, 1, 1000, 7, [1])], [receive(1, 0, 1000, 7)]);
    const outcome = run(job, { network });
    expect(micros(outcome, job, 0)[2]).toEqual([5, 6]);
    expect(micros(outcome, job, 1)[1]).toEqual([0, 7]);
    expect(outcome.nodeTimes(0).acknowledged[1]).toBe(8e6);
  });

  test('R-064 tag 5 from 0 to 1 and tag 5 from 2 to 1 never match each other', () => {
    const job = traces(
      [memory(1, 10), send(2, 1, 1000, 5, [1])],
      [receive(1, 0, 1000, 5), receive(2, 2, 1000, 5)],
      [send(1, 1, 1000, 5)],
    );
    expect(micros(run(job, { network }), job, 1)).toEqual({ 1: [0, 12], 2: [0, 2] });
  });

  test('R-065 a transfer done at 7 µs is held; the receive that starts at 8 finishes at 8', () => {
    const job = traces([memory(1, 5), send(2, 1, 1000, 7, [1])], [memory(1, 8), receive(2, 0, 1000, 7, [1])]);
    expect(micros(run(job, { network }), job, 1)[2]).toEqual([8, 8]);
  });

  test('R-067 T1 (100 B) and T2 (50 B) of one key complete as T2, T1: R1 gets T2, R2 gets T1', () => {
    // Received at 1.1 and 1.05 µs.
    const job = traces(
      [send(1, 1, 100, 7), send(2, 1, 50, 7)],
      [memory(1, 1), receive(2, 0, 50, 7), receive(3, 0, 100, 7, [1])],
    );
    const outcome = run(job, { network });
    expect(micros(outcome, job, 1)).toEqual({ 1: [0, 1], 2: [0, 1.05], 3: [1, 1.1] });
    expect(outcome.findings).toEqual([]);
  });

  test('R-067 held transfers of one key are claimed in order of completion', () => {
    const job = traces(
      [send(1, 1, 100, 7), send(2, 1, 50, 7)],
      [memory(1, 5), receive(2, 0, 50, 7, [1]), memory(3, 9), receive(4, 0, 100, 7, [3])],
    );
    const outcome = run(job, { network });
    expect(micros(outcome, job, 1)).toMatchObject({ 2: [5, 5], 4: [9, 9] });
    expect(outcome.findings).toEqual([]);
  });

  test('R-068 a send of 1,000 B, a receive of 900 B: a warning, 1,000 B received', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [receive(1, 0, 900, 7)]), { network });
    expect(outcome.findings).toMatchObject([
      {
        code: 'TRANSFER_SIZE',
        severity: 'warning',
        message: 'rank 1 node 1 "receive 1" expects 900 B, rank 0 node 1 "send 1" sends 1,000 B',
      },
    ]);
    expect(outcome.ranks[1].bytesReceived).toBe(1000);
  });

  test('R-068 also where the key is matched while the run goes', () => {
    const job = traces([send(1, 1, 100, 7), send(2, 1, 60, 7)], [receive(1, 0, 50, 7), receive(2, 0, 100, 7)]);
    const outcome = run(job, { network });
    expect(outcome.findings).toMatchObject([
      { code: 'TRANSFER_SIZE', message: expect.stringContaining('expects 50 B') },
    ]);
    expect(outcome.ranks[1].bytesReceived).toBe(160);
  });

  test('R-060 a transfer to the rank itself takes no time and is warned about', () => {
    const job = traces([memory(1, 3), send(2, 0, 1000, 7, [1]), receive(3, 0, 1000, 7)]);
    const outcome = run(job, { network });
    expect(micros(outcome, job)).toEqual({ 1: [0, 3], 2: [3, 3], 3: [0, 3] });
    expect(outcome.nodeTimes(0).acknowledged[1]).toBe(3e6);
    expect(outcome.findings).toMatchObject([{ code: 'PEER_SELF', count: 2, nodes: [2, 3] }]);
    expect(outcome.ranks[0]).toMatchObject({ sends: 1, receives: 1, acknowledged: 1, endPs: 3e6 });
  });

  test('R-069 three receives, two sends of one key: a warning, and that rank does not end', () => {
    const job = traces(
      [send(1, 1, 8, 7), send(2, 1, 8, 7)],
      [receive(1, 0, 8, 7), receive(2, 0, 8, 7), receive(3, 0, 8, 7)],
    );
    const outcome = run(job, { network });
    expect(outcome.findings).toMatchObject([{ code: 'RECEIVE_UNMATCHED', severity: 'warning', rank: 1 }]);
    expect(outcome.findings[0].message).toContain('tag 7 from rank 0 to rank 1: 2 sends and 3 receives');
    expect(outcome.status).toBe('stalled');
    expect(outcome.ranks.map((rank) => rank.state)).toEqual(['finished', 'stalled']);
    expect(outcome.ranks[1].nodesFinished).toBe(2);
  });

  test('R-069 a transfer nobody receives: a warning, and the run finishes', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [memory(1, 2)]), { network });
    expect(outcome.findings).toMatchObject([{ code: 'SEND_UNMATCHED', severity: 'warning', rank: 0 }]);
    // R-140 (c), design 2.3: the receiver waits for the acknowledgment of what it never claims.
    expect(outcome).toMatchObject({ status: 'finished', ranks: [{ endPs: 3e6 }, { endPs: 3e6 }] });
  });

  test('R-140 a transfer that nobody receives and that arrives when the rank has ended does not open it again', () => {
    // Sent at 1 µs, there at 2, acknowledged at 3: the rank has received nothing when its nodes have finished.
    const early = run(traces([send(1, 1, 1000, 7)], [memory(1, 1)]), { network });
    expect(early).toMatchObject({ status: 'finished', endPs: 3e6, ranks: [{ endPs: 3e6 }, { endPs: 1e6 }] });
    // A second one comes at 2.5 µs, while the rank still waits for the acknowledgment of the first, until 3.5.
    const chain = run(traces([send(1, 1, 1000, 7)], [memory(1, 2)], [send(1, 1, 1500, 8)]), { network });
    expect(chain.ranks.map((rank) => rank.endPs)).toEqual([3e6, 3.5e6, 3.5e6]);
    const stopped = run(traces([send(1, 1, 1000, 7)], [memory(1, 1)]), { network, stopPs: 2.5e6 });
    expect(stopped).toMatchObject({ status: 'limit', ranks: [{ ended: false }, { ended: true, endPs: 1e6 }] });
  });

  test('R-004 a send that takes no time frees its dependents before later nodes of the instant start', () => {
    // Node 2, freed by the send of no bytes, starts before node 3 and gets the first of two transfers with one key.
    const job = traces(
      [send(1, 1, 0, 1), receive(2, 1, 500, 9, [1]), receive(3, 1, 500, 9)],
      [receive(1, 0, 0, 1), send(2, 0, 500, 9), memory(3, 4), send(4, 0, 500, 9, [3])],
    );
    const { finish } = run(job, { network }).nodeTimes(0);
    // 500 B and 1 µs after 0, and after 4 µs.
    expect(Array.from(finish)).toEqual([0, 1.5e6, 5.5e6]);
  });

  test('R-140 the ends of both ranks wait for the acknowledgment', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [receive(1, 0, 1000, 7)], []), { network });
    expect(outcome.ranks.map((rank) => rank.endPs)).toEqual([3e6, 3e6, 0]);
    expect(outcome.endPs).toBe(3e6);
  });

  test('R-142 at a limit of 2.5 µs the transfer is received and not acknowledged', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [receive(1, 0, 1000, 7)]), { network, stopPs: 2.5e6 });
    expect(outcome).toMatchObject({ status: 'limit', endPs: 2.5e6, transfers: 1, bytes: 1000 });
    expect(outcome.ranks).toMatchObject([
      { state: 'running', endPs: 2.5e6, sends: 1, bytesSent: 1000, acknowledged: 0 },
      { state: 'running', endPs: 2.5e6, receives: 1, bytesReceived: 1000 },
    ]);
  });

  test('R-142 at a limit of 1.5 µs it is sent and not received', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [receive(1, 0, 1000, 7)]), { network, stopPs: 1.5e6 });
    expect(outcome.ranks).toMatchObject([
      { sends: 1, acknowledged: 0, nodesFinished: 1 },
      { receives: 0, bytesReceived: 0, nodesFinished: 0 },
    ]);
    expect(outcome.nodeTimes(1).finish[0]).toBeNaN();
  });

  test('R-141 what happens at the limit itself counts', () => {
    const outcome = run(traces([send(1, 1, 1000, 7)], [receive(1, 0, 1000, 7)]), { network, stopPs: 3e6 });
    expect(outcome).toMatchObject({ status: 'finished', ranks: [{ acknowledged: 1 }, { receives: 1 }] });
  });

  test('the table of section 7: ring AllReduce of two ranks written out, rank 0 ready at 5 µs, rank 1 at 8', () => {
    // Per step k: send 10 + 2k, receive 11 + 2k; the send and receive of step 1 wait for the receive of step 0.
    const share = (peer: number, ready: number): Parameters<typeof traces>[0] => [
      memory(1, ready),
      send(10, peer, 1000, 100, [1]),
      receive(11, peer, 1000, 100, [1]),
      send(12, peer, 1000, 101, [11]),
      receive(13, peer, 1000, 101, [11]),
      { id: 20, type: 'METADATA_NODE', data_deps: [10, 11, 12, 13] },
    ];
    const job = traces(share(1, 5), share(0, 8));
    const outcome = run(job, { network });
    expect(micros(outcome, job, 0)).toEqual({
      1: [0, 5],
      10: [5, 6],
      11: [5, 10],
      12: [10, 11],
      13: [10, 10],
      20: [11, 11],
    });
    expect(micros(outcome, job, 1)).toEqual({
      1: [0, 8],
      10: [8, 9],
      11: [8, 8],
      12: [8, 9],
      13: [8, 12],
      20: [12, 12],
    });
    expect([...outcome.nodeTimes(0).acknowledged].filter((time) => time > 0)).toEqual([8e6, 13e6]);
    expect([...outcome.nodeTimes(1).acknowledged].filter((time) => time > 0)).toEqual([11e6, 11e6]);
  });

  test('times of communication and computation are unions, exposed is what no compute covers', () => {
    // Rank 0: compute 0–4, send 0–1; then a receive 4–12 (sent 10–11, latency 1); memory 6–8 lies inside it.
    const job = traces(
      [compute(1, 4), send(2, 1, 1000, 1), receive(3, 1, 1000, 2, [1]), memory(4, 6), memory(5, 2, [4])],
      [receive(1, 0, 1000, 1), memory(2, 10), send(3, 0, 1000, 2, [2])],
    );
    const outcome = run(job, { network });
    // Memory node 4 runs 0–6 and node 5 6–8: compute and memory together cover 0–8. Communication covers 0–1 and 4–12.
    expect(outcome.ranks[0]).toMatchObject({
      computePs: 8e6,
      communicationPs: 9e6,
      exposedCommunicationPs: 4e6,
    });
    // Rank 1: receive 0–2, memory 0–10, send 10–11.
    expect(outcome.ranks[1]).toMatchObject({ computePs: 10e6, communicationPs: 3e6, exposedCommunicationPs: 1e6 });
  });

  test('no latency and no bytes: everything happens at one instant', () => {
    const instant = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 0, bytesPerNs: 1 });
    const job = traces(
      [send(1, 1, 0, 1), receive(2, 1, 0, 2), memory(3, 1, [2])],
      [receive(1, 0, 0, 1), send(2, 0, 0, 2, [1])],
    );
    const outcome = run(job, { network: instant });
    expect(micros(outcome, job, 0)[3]).toEqual([0, 1]);
    expect(outcome.status).toBe('finished');
  });
});

describe('refused', () => {
  test('R-060 a partner outside the job: 6 → 9 with 8 ranks', () => {
    const job = traces(...Array.from({ length: 8 }, (_, rank) => (rank === 6 ? [send(1, 9, 8, 1)] : [])));
    expect(() => run(job)).toThrow('rank 6 node 1 "send 1" sends to rank 9; the traceset has ranks 0 … 7');
  });

  test('a partner that is missing', () => {
    expect(() => run(traces([{ id: 1, type: 'COMM_RECV_NODE' }]))).toThrow('rank 0 node 1 names no partner rank');
  });
});
