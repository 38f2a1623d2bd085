import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { SystemOutcome, SystemStall } from '../../src/astra-sim/outcome.js';
import { systemResultDocument } from '../../src/records/system-result-document.js';
import { REPOSITORY } from '../support/repository.js';
import { exampleH, systemCollective, systemOutcome, systemRank } from '../support/system-outcomes.js';

const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'simulate-result.schema.json'), 'utf8')) as object;
const validate = new Ajv({ strict: true }).compile(schema);

/** The document as it is printed; it follows the schema. */
function printed(outcome: SystemOutcome): Record<string, unknown> {
  const document = JSON.parse(JSON.stringify(systemResultDocument(outcome))) as Record<string, unknown>;
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return document;
}

test('example H: the members of every result document, and the statistics', () => {
  expect(printed(exampleH())).toEqual({
    schema: 'chakra-prep/simulate-result/1',
    ranksSimulated: 4,
    status: 'finished',
    endNs: 130_000,
    ranks: [0, 1, 2, 3].map((rank) => ({
      rank,
      state: 'finished',
      endNs: 130_000,
      nodes: 3,
      nodesFinished: 3,
      computeNs: 130_000,
      communicationNs: 33_829,
      exposedCommunicationNs: 0,
      bytesSent: 1_572_864,
      bytesReceived: 1_572_864,
      transfersSent: 6,
      transfersReceived: 6,
      statistics: { wallNs: 130_000, gpuNs: 130_000, communicationNs: 33_829, overlapNs: 33_829 },
    })),
    collectives: [
      {
        group: 'world',
        type: 'AllReduce',
        instance: 0,
        algorithm: 'ring',
        size: 1_048_576,
        groupSize: 4,
        startNs: 0,
        endNs: 33_829,
        transfers: 24,
        bytes: 6_291_456,
        chunks: 1,
      },
    ],
    transfers: 24,
    bytes: 6_291_456,
    events: 7,
    stall: null,
    findings: [],
  });
});

test('kinds of which no node ran have no statistics, and count as 0', () => {
  const { ranks } = printed(
    systemOutcome([systemRank(0, 520, { statistics: { wallNs: 520, remoteMemoryNs: 520, overlapNs: -520 } })]),
  );
  expect(ranks).toEqual([
    expect.objectContaining({
      computeNs: 0,
      communicationNs: 0,
      statistics: { wallNs: 520, remoteMemoryNs: 520, overlapNs: -520 },
    }),
  ]);
});

test('roofline, and an exposed communication below 0', () => {
  const roofline = { computeBound: 0.5, computeUtilization: 0.75, memoryUtilization: 1, operationIntensity: 12.5 };
  const rank = systemRank(0, 100, {
    exposedCommunicationNs: -20,
    statistics: { wallNs: 100, cpuNs: 10, gpuNs: 100, invalidNs: 0, overlapNs: 0, roofline },
  });
  expect(printed(systemOutcome([rank])).ranks).toEqual([
    expect.objectContaining({
      exposedCommunicationNs: -20,
      statistics: expect.objectContaining({ roofline }) as object,
    }),
  ]);
});

test('what did not start or end is null', () => {
  const collectives = [systemCollective({ startNs: NaN, endNs: NaN, messages: 0, bytes: 0 })];
  const document = printed(systemOutcome([systemRank(0, 5)], { collectives }));
  expect(document.collectives).toEqual([expect.objectContaining({ startNs: null, endNs: null })]);
});

test.each(['stalled', 'limit'] as const)('%s: the ranks that are left, and who waits for whom', (status) => {
  const state = status === 'stalled' ? 'stalled' : 'running';
  const ranks = [systemRank(0, 40), systemRank(1, 50, { state, nodes: 9, nodesFinished: 4 })];
  const stall: SystemStall = {
    reasons: [{ code: 'crossed-collectives', count: 1, text: '1 collective begun in different orders' }],
    ranks: [{ rank: 1, unfinished: 5, nodes: [] }],
    lines: ['rank 1: 5 of 9 nodes not finished', '  node 5 waits for a transfer from rank 0'],
  };
  expect(printed(systemOutcome(ranks, { status, stall }))).toMatchObject({
    status,
    stall: { ...stall, unfinished: 5, stalledRanks: 1, cycle: null },
  });
});

test('findings are those of the run, or those that are given', () => {
  const finding = { code: 'GROUP_WORLD', severity: 'note', message: 'a note' } as const;
  const outcome = systemOutcome([systemRank(0, 1)], { findings: [finding] });
  expect(printed(outcome).findings).toEqual([finding]);
  expect(systemResultDocument(outcome, []).findings).toEqual([]);
});
