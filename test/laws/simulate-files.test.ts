import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SimulationRequest } from '../../src/pipeline/simulation-request.js';
import { newFolder } from '../support/folders.js';
import { everythingOf } from '../support/outcome-facts.js';
import { prepareFolder, recordsOfFolder, writeJob } from '../support/simulations.js';
import { randomRun, scaleUpGroups, type RandomGroups } from './random-run.js';

/** Whole simulations of files, raw and prepared. */

const NETWORK = 'alpha-beta:latency=700ns,bandwidth=3GB/s';

/** A mapping file of either form: rank r on server r. */
function mappingFile({ groupOf, subgroupOf, groups }: RandomGroups, rankCount: number, form: 'text' | 'json'): string {
  const ranks = Array.from({ length: rankCount }, (_, rank) => rank);
  const used = groups.filter((_, index) => groupOf.slice(0, rankCount).includes(index));
  const path = join(newFolder(), form === 'text' ? 'ranks.map' : 'ranks.json');
  const ns = (timePs: number): string => String(timePs / 1000);
  const text = [
    ...ranks.map((rank) =>
      groupOf[rank] < 0 ? `${rank} ${rank}` : `${rank} ${rank} ${groups[groupOf[rank]].id} ${subgroupOf[rank]}`,
    ),
    '@',
    ...used.map((group) =>
      [group.id, group.bandwidthGbps, ns(group.switchLatencyPs), ns(group.cableLatencyPs)].join(' '),
    ),
  ];
  const document = {
    ranks: ranks.map((rank) => ({
      rank,
      server: rank,
      ...(groupOf[rank] < 0 ? {} : { group: groups[groupOf[rank]].id, subgroup: subgroupOf[rank] }),
    })),
    groups: used.map((group) => ({
      id: group.id,
      bandwidthGbps: group.bandwidthGbps,
      switchLatencyNs: group.switchLatencyPs / 1000,
      cableLatencyNs: group.cableLatencyPs / 1000,
    })),
  };
  writeFileSync(path, form === 'text' ? `${text.join('\n')}\n` : JSON.stringify(document));
  return path;
}

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
        const inMemory = await recordsOfFolder(raw, { ...request, mapping, sync, serialize });
        const json = mappingFile(groups, run.rankCount, 'json');
        const again = await recordsOfFolder(raw, { ...request, mapping: json, sync, serialize });
        expect(again.simulation.document).toEqual(inMemory.simulation.document);
        expect(again.files).toEqual(inMemory.files);

        const prepared = await prepareFolder(raw, { expand: true, sync, serialize, annotate: true });
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
