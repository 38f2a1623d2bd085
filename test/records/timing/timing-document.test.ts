import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { timingDocument } from '../../../src/records/timing/timing-document.js';
import { timingOfRun } from '../../../src/records/timing/timing-of-run.js';
import { timingOfSpans } from '../../../src/records/timing/timing-of-spans.js';
import type { TimingReport } from '../../../src/records/timing/timing-report.js';
import { compute, receive, run, send, traces } from '../../support/jobs.js';
import { REPOSITORY } from '../../support/repository.js';

const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas/timing-report.schema.json'), 'utf8')) as object;
const validate = new Ajv({ strict: true }).compile(schema);

function checked(report: TimingReport): Record<string, unknown> {
  const document = JSON.parse(JSON.stringify(timingDocument(report))) as Record<string, unknown>;
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return document;
}

const job = traces([compute(1, 5), send(2, 1, 1000, 0, [1])], [receive(1, 0, 1000, 0)]);

describe('timing document', () => {
  test('a run in ns and GB/s', () => {
    // Computes 0–5 µs, sends 5–6, arrives at 7, is acknowledged at 8.
    expect(checked(timingOfRun(run(job, { recordTransfers: true })))).toEqual({
      schema: 'chakra-prep/timing-report/1',
      clock: 'simulated',
      test: {
        name: 'simulate',
        bytes: 1000,
        timeNs: 8000,
        bandwidthGBps: 0.125,
        overheadNs: 3000,
        outsideExecutorsNs: null,
        unfinished: 0,
        unfinishedBytes: 0,
      },
      executors: [
        {
          name: 'rank 0 NPU',
          bytes: null,
          timeNs: 5000,
          bandwidthGBps: null,
          sumBandwidthGBps: null,
          nodes: 1,
          unfinished: 0,
          unfinishedBytes: 0,
          transfers: [],
        },
        {
          name: 'rank 0 NIC',
          bytes: 1000,
          timeNs: 2000,
          bandwidthGBps: 0.5,
          sumBandwidthGBps: 0.5,
          nodes: null,
          unfinished: 0,
          unfinishedBytes: 0,
          transfers: [
            {
              name: 'send 2',
              path: 'rank 0 -> NIC -> rank 1',
              transfers: 1,
              depth: 0,
              bytes: 1000,
              timeNs: 2000,
              bandwidthGBps: 0.5,
              unfinished: 0,
              unfinishedBytes: 0,
            },
          ],
        },
      ],
    });
  });

  test('what is unfinished, and a run of nothing, fit the schema', () => {
    const stopped = checked(timingOfRun(run(job, { recordTransfers: true, stopPs: 6e6 })));
    expect(stopped).toMatchObject({ test: { timeNs: 6000, unfinished: 1, unfinishedBytes: 1000, bandwidthGBps: 0 } });
    expect(checked(timingOfRun(run(traces([]), { recordTransfers: true })))).toMatchObject({ executors: [] });
  });

  test('the wall clock', () => {
    const read = { startMs: 0, endMs: 3, spans: [] };
    expect(checked(timingOfSpans('simulate', read))).toMatchObject({
      clock: 'wall',
      test: { timeNs: 3e6, outsideExecutorsNs: 3e6, overheadNs: 3e6, bytes: null },
    });
  });

  test('the schema refuses another member and a negative time', () => {
    const document = checked(timingOfRun(run(job, { recordTransfers: true })));
    expect(validate({ ...document, more: 1 })).toBe(false);
    expect(validate({ ...document, test: { ...(document.test as object), timeNs: -1 } })).toBe(false);
  });
});
