import fc from 'fast-check';
import { PrepError } from '../../src/base/errors.js';
import type { SimulationRequest } from '../../src/pipeline/simulation-request.js';
import { everythingOf } from '../support/outcome-facts.js';
import { unlessRefused } from '../support/refusals.js';
import { csvRows, prepareFolder, recordsOfFolder, writeJob } from '../support/simulations.js';
import { mappingFile, randomRun, scaleUpGroups } from './random-run.js';

/** Whole simulations of files, raw and prepared. */

/** The folder; `undefined` where nothing is written because ranks wait in a circle, in which case the run must not finish. */
async function unlessWaiting(prepared: Promise<string>, { simulation }: Recorded): Promise<string | undefined> {
  try {
    return await prepared;
  } catch (error) {
    if (!(error instanceof PrepError) || error.code !== 'SERIALIZE_DEADLOCK') throw error;
    expect(simulation.outcome.status).not.toBe('finished');
    return undefined;
  }
}

type Recorded = Awaited<ReturnType<typeof recordsOfFolder>>;

const NETWORK = 'alpha-beta:latency=700ns,bandwidth=3GB/s';

test('law: a raw job on scale-up groups is prepare, then simulate; R-038 whichever form the mapping has', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomRun(true),
      scaleUpGroups,
      fc.boolean(),
      fc.boolean(),
      fc.oneof(fc.constant(3.5e9), fc.integer({ min: 1, max: 20_000_000 })),
      fc.constantFrom('csv' as const, 'parquet' as const),
      async (run, groups, sync, serialize, stopPs, recordsFormat) => {
        const raw = writeJob(run.nodes, run.groups);
        const request: Partial<SimulationRequest> & { network: string } = {
          network: NETWORK,
          useMapping: true,
          scaleUpStats: true,
          scaleUpMaxPayloadBytes: groups.maxPayloadBytes,
          scaleUpHeaderBytes: groups.headerBytes,
          ndStatsIntervalPs: 1_000_000_000,
          profilingIntervalPs: 1_000_000_000,
          stopPs,
          recordsFormat,
        };
        const mapping = mappingFile(groups, run.rankCount, 'text');
        const inMemory = await unlessRefused(recordsOfFolder(raw, { ...request, mapping, sync, serialize }));
        if (typeof inMemory === 'string') {
          // In the order of issue, ranks would wait for each other for ever.
          expect(await unlessRefused(prepareFolder(raw, { expand: true, sync, serialize }))).toBe(inMemory);
          return;
        }
        const json = mappingFile(groups, run.rankCount, 'json');
        const again = await recordsOfFolder(raw, { ...request, mapping: json, sync, serialize });
        expect(again.simulation.document).toEqual(inMemory.simulation.document);
        expect(again.files).toEqual(inMemory.files);

        const prepared = await unlessWaiting(
          prepareFolder(raw, { expand: true, sync, serialize, annotate: true }),
          inMemory,
        );
        if (prepared === undefined) return;
        const fromFiles = await recordsOfFolder(prepared, { ...request, mapping, sync: false, serialize: false });
        const facts = (outcome: Parameters<typeof everythingOf>[0]): unknown => ({
          ...everythingOf(outcome),
          stall: null,
          findings: [],
        });
        expect(facts(fromFiles.simulation.outcome)).toEqual(facts(inMemory.simulation.outcome));
        expect(Object.keys(fromFiles.files)).toEqual(Object.keys(inMemory.files));
        for (const [path, bytes] of Object.entries(inMemory.files)) {
          expect([path, fromFiles.files[path].toString('latin1')]).toEqual([path, bytes.toString('latin1')]);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('law: R-095 simulate with a factor is expand, scale, then simulate; R-153 paths keep the sizes of the trace', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomRun(true),
      fc.constantFrom(0, 0.29, 0.5, 1),
      fc.option(scaleUpGroups, { nil: undefined }),
      fc.boolean(),
      async (run, scale, groups, sync) => {
        const raw = writeJob(run.nodes, run.groups);
        const mapping = groups === undefined ? undefined : mappingFile(groups, run.rankCount, 'text');
        const request = {
          network: NETWORK,
          useMapping: mapping !== undefined,
          stopPs: 3.5e9,
          ...(mapping === undefined ? {} : { mapping }),
        };
        const direct = await unlessRefused(recordsOfFolder(raw, { ...request, scale, sync, serialize: true }));
        if (typeof direct === 'string') return; // as in the law above
        const expanded = await unlessWaiting(prepareFolder(raw, { expand: true, sync, serialize: true }), direct);
        if (expanded === undefined) return;
        const scaled = await prepareFolder(expanded, scale === 1 ? {} : { scale });
        const staged = await recordsOfFolder(scaled, { ...request, sync: false, serialize: false });
        const facts = ({ simulation: { outcome } }: Recorded): unknown => ({
          ...everythingOf(outcome),
          stall: null,
          findings: [],
        });
        expect(facts(staged)).toEqual(facts(direct));
        const perf = (of: Recorded): string => of.files['job-chakra-perf-0.csv'].toString();
        const sizes = new Map(
          run.nodes.flatMap((nodes, rank) =>
            nodes
              .filter(({ type }) => type === 'COMM_SEND_NODE')
              .map(({ attr }) => [
                [rank, attr!.comm_dst.int32_val, attr!.comm_tag.int32_val].map(String).join(' '),
                Number(attr!.comm_size.int64_val),
              ]),
          ),
        );
        const sends = run.nodes.flat().filter(({ type }) => type === 'COMM_SEND_NODE');
        const shared = sends.length !== sizes.size; // several sends of one key
        for (const [at, row] of csvRows(perf(direct)).entries()) {
          const { metric_path, ...others } = row;
          const { metric_path: path, ...same } = csvRows(perf(staged))[at];
          expect(same).toEqual(others);
          if (row.metric_aggregation_id !== '-1') expect(path).toBe(metric_path);
          else {
            expect(path).toBe(`ChakraFCT.Send.GroupSize0.CommSize${row.flow_comm_size}Bytes`);
            const ends = [row.sending_app_name, row.receiving_app_name].map((name) => name.replace('ChakraApp-', ''));
            const size = sizes.get([...ends, row.comm_tag].join(' '))!;
            if (!shared) expect(metric_path).toBe(`ChakraFCT.Send.GroupSize0.CommSize${size}Bytes`);
          }
        }
        const sameFiles = ['completion-stats', 'cdf', 'comm-collective-stats', 'comm-collective-percentiles-stats'];
        for (const name of sameFiles.map((each) => `job-chakra-${each}-0.csv`)) {
          expect(staged.files[name].toString()).toBe(direct.files[name].toString());
        }
      },
    ),
    { numRuns: 25 },
  );
});
