import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { resultDocument } from '../../src/replay/result-document.js';
import { collective, compute, memory, receive, run, send, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';

const schema = resolve(dirname(fileURLToPath(import.meta.url)), '../../../schemas/simulate-result.schema.json');
const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));

function checked(outcome: ReplayOutcome): unknown {
  const document: unknown = JSON.parse(JSON.stringify(resultDocument(outcome)));
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return document;
}

describe('result document', () => {
  test('design 2.1: the members, in ns with ps decimals', () => {
    // 4 ranks, ring AllReduce of 4,000 B: 6 steps of 2 µs, the last acknowledgment a microsecond later.
    const job = traces(...[0, 1, 2, 3].map(() => [collective(1, 0, 4000, 'world')]));
    const plan = planCollectives(job.map(surveyRank), groupsOf({ world: [0, 1, 2, 3] }), {});
    expect(checked(run(job, { plan }))).toEqual({
      schema: 'chakra-prep/simulate-result/1',
      status: 'finished',
      endNs: 13_000,
      ranks: [0, 1, 2, 3].map((rank) => ({
        rank,
        state: 'finished',
        endNs: 13_000,
        nodes: 1,
        nodesFinished: 1,
        computeNs: 0,
        communicationNs: 12_000,
        exposedCommunicationNs: 12_000,
        bytesSent: 6000,
        bytesReceived: 6000,
        transfersSent: 6,
        transfersReceived: 6,
      })),
      collectives: [
        {
          group: 'world',
          type: 'AllReduce',
          instance: 0,
          algorithm: 'ring',
          size: 4000,
          groupSize: 4,
          startNs: 0,
          endNs: 13_000,
          transfers: 24,
          bytes: 24_000,
        },
      ],
      transfers: 24,
      bytes: 24_000,
      events: 4,
      stall: null,
      findings: [],
    });
  });

  test('picoseconds are decimals', () => {
    const job = traces([compute(1, 1), compute(2, 1), compute(3, 2)]);
    // Three at a third each: 3 µs, then the third alone.
    expect(checked(run(job))).toMatchObject({ endNs: 4000 });
    const network = () => ({
      name: 'odd',
      contentionFree: { sendPs: () => 1_234_567, latencyPs: () => 1 },
      post: () => {},
    });
    expect(checked(run(traces([send(1, 1, 8, 1)], [receive(1, 0, 8, 1)]), { network }))).toMatchObject({
      endNs: 1234.569,
      ranks: [{ communicationNs: 1234.567 }, { communicationNs: 1234.568 }],
    });
  });

  test('a stalled run of every kind of wait', () => {
    const job = traces(
      [receive(1, 1, 8, 1), memory(2, 1, [3]), memory(3, 1, [2]), collective(4, 0, 100, 'g')],
      [receive(1, 0, 8, 2), collective(4, 0, 100, 'g', [1]), { id: '18446744073709551615' as never, type: 4 }],
    );
    const plan = planCollectives(job.map(surveyRank), groupsOf({ g: [0, 1] }), {});
    expect(checked(run(job, { plan }))).toMatchObject({
      status: 'stalled',
      collectives: [{ startNs: 0, algorithm: 'ring', transfers: 1 }],
      stall: { unfinished: 6, stalledRanks: 2 },
    });
  });

  test('a circle, and a collective that did not start', () => {
    const ring = (peer: number) => [receive(1, peer, 8, 5), send(2, peer, 8, 5, [1]), collective(3, 0, 100, 'g', [2])];
    const job = traces(ring(1), ring(0));
    const plan = planCollectives(job.map(surveyRank), groupsOf({ g: [0, 1] }), {});
    expect(checked(run(job, { plan }))).toMatchObject({
      collectives: [{ startNs: null, endNs: null, transfers: 0 }],
      stall: { cycle: [{ rank: 0, node: 1 }, {}, {}, {}] },
    });
  });

  test('a run cut off by its limit', () => {
    expect(checked(run(traces([memory(1, 5)]), { stopPs: 2e6 }))).toMatchObject({
      status: 'limit',
      endNs: 2000,
      ranks: [{ state: 'running', nodesFinished: 0, computeNs: 2000 }],
      stall: { reasons: [{ code: 'stop-reached', count: 1 }], unfinished: 1 },
    });
  });

  test('what packets went through, where there are any', () => {
    const outcome = run(traces([compute(1, 5)]));
    const counts = { data: 7, control: 6, retransmissions: 5, timeouts: 4, lost: 3, dropped: 2, trimmed: 1, marked: 0 };
    const document = resultDocument(outcome, [], { ...counts, pauses: 9, lastingPauses: 8, pausedPs: 1234 });
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    expect(document.packets).toEqual({ ...counts, pauses: 9, lastingPauses: 8, pausedNs: 1.234 });
    expect(resultDocument(outcome)).not.toHaveProperty('packets');
  });
});
