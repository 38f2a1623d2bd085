import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import type { Simulation } from '../../src/pipeline/simulate-traceset.js';
import type { SimulationRequest } from '../../src/pipeline/simulation-request.js';
import { csvRows, recordsOfFolder, simulateFolder, writeJob } from '../support/simulations.js';
import { mappingFile, randomRun, scaleUpGroups, type RandomRun } from './random-run.js';

/** What the records of one run say, held against each other. */

const NETWORK = 'alpha-beta:latency=700ns,bandwidth=3GB/s';
const MICRO = 1_000_000; // ps

interface Drawn {
  readonly run: RandomRun;
  readonly request: Partial<SimulationRequest> & { readonly network: string };
  readonly groupOf: readonly number[];
  readonly headerBytes: number;
  readonly maxPayloadBytes: number;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    run: randomRun(true),
    groups: scaleUpGroups,
    sync: fc.boolean(),
    stopPs: fc.oneof(fc.constant(600 * MICRO), fc.integer({ min: 1, max: 20 * MICRO })),
    startPs: fc.constantFrom(0, 1, 1_234_567),
    beaconIntervalPs: fc.constantFrom(2 * MICRO, 100 * MICRO),
  })
  .map(({ run, groups, sync, stopPs, startPs, beaconIntervalPs }) => ({
    run,
    groupOf: groups.groupOf.slice(0, run.rankCount),
    headerBytes: groups.headerBytes,
    maxPayloadBytes: groups.maxPayloadBytes,
    request: {
      network: NETWORK,
      mapping: mappingFile(groups, run.rankCount, 'text'),
      useMapping: true,
      scaleUpStats: true,
      scaleUpHeaderBytes: groups.headerBytes,
      scaleUpMaxPayloadBytes: groups.maxPayloadBytes,
      sync,
      startPs,
      stopPs: startPs + stopPs,
      beaconIntervalPs,
      ndStatsIntervalPs: beaconIntervalPs,
    },
  }));

/** ps of a decimal of seconds or µs as the records write it. */
function ps(text: string): number {
  return Number(text.replace('.', ''));
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

const rankOf = (name: string): number => Number(/^ChakraApp-(\d+)$/.exec(name)![1]);

interface AnnotatedNode {
  readonly id: number;
  readonly type: string;
  readonly partner?: number;
  readonly commTag?: number;
  readonly s: string;
  readonly e: string;
}

const NOT_REACHED = 'X'.repeat(13);

test('law: sums over chakra-perf, the completion rows, the annotated traces and the document agree', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ run, request, groupOf, headerBytes, maxPayloadBytes }) => {
      const { simulation, files } = await recordsOfFolder(writeJob(run.nodes, run.groups), request);
      const { document, outcome } = simulation;
      const rows = (name: string): Record<string, string>[] => csvRows(files[`job-${name}-0.csv`].toString());
      const perf = rows('chakra-perf');
      const counted = perf.filter((row) => row.is_added_synchronization_flow === 'false');
      const completion = rows('chakra-completion-stats');
      const finished = document.status === 'finished';
      const ranks = document.ranks.map(({ rank }) => rank);

      // R-154 against R-153 and the document
      expect(completion.map((row) => Number(row.chakra_app_logical_id)).sort((a, b) => a - b)).toEqual(ranks);
      for (const row of completion) {
        const rank = Number(row.chakra_app_logical_id);
        const sent = counted.filter(({ sending_app_name }) => rankOf(sending_app_name) === rank);
        const got = counted.filter(({ receiving_app_name }) => rankOf(receiving_app_name) === rank);
        expect(Number(row.num_chakra_sends_fully_acked)).toBe(sent.length);
        expect(document.ranks[rank]).toMatchObject({
          bytesSent: Number(row.chakra_full_payload_bytes_sent),
          bytesReceived: Number(row.chakra_full_payload_bytes_received),
          transfersSent: Number(row.num_chakra_sends_completed),
          transfersReceived: Number(row.num_chakra_receives_completed),
        });
        const acknowledgedBytes = sum(sent, ({ flow_comm_size }) => Number(flow_comm_size));
        expect(acknowledgedBytes).toBeLessThanOrEqual(Number(row.chakra_full_payload_bytes_sent));
        if (!finished) continue;
        expect(acknowledgedBytes).toBe(Number(row.chakra_full_payload_bytes_sent));
        const gotBytes = sum(got, ({ flow_comm_size }) => Number(flow_comm_size));
        expect(Number(row.chakra_full_payload_bytes_received)).toBeLessThanOrEqual(gotBytes);
        expect(ps(row.chakra_trace_completion_time_us)).toBe(outcome.ranks[rank].endPs - outcome.startPs);
      }
      expect(document.transfers).toBe(sum(completion, (row) => Number(row.num_chakra_sends_completed)));
      expect(document.bytes).toBe(sum(completion, (row) => Number(row.chakra_full_payload_bytes_sent)));
      if (finished) expect(counted).toHaveLength(document.transfers);

      // R-153 its order, its times, and the ids of R-156
      for (const [at, row] of perf.entries()) {
        expect(ps(row.sim_time_sec) - ps(row.start_time_sec)).toBe(ps(row.perf_metric_usec));
        if (at > 0) expect(ps(row.sim_time_sec)).toBeGreaterThanOrEqual(ps(perf[at - 1].sim_time_sec));
      }
      const collectives = rows('chakra-comm-collective-stats');
      const known = new Set(collectives.map((row) => row.collective_hash));
      expect(known.size).toBe(collectives.length);
      for (const { metric_aggregation_id: id } of perf) if (id !== '-1') expect(known).toContain(id);
      for (const [at, row] of collectives.entries()) {
        const own = counted.filter(({ metric_aggregation_id: id }) => id === row.collective_hash);
        const { type, size, groupSize, group, startNs, endNs } = document.collectives[at];
        expect(row).toMatchObject({
          comm_type: type,
          comm_size: String(size),
          pg_size: String(groupSize),
          pg_name: group,
          simulation_start_time_us: startNs === null ? '' : (startNs / 1000).toFixed(6),
          simulation_end_time_us: endNs === null ? '' : (endNs / 1000).toFixed(6),
        });
        for (const { metric_path, group_size, sim_time_sec } of own) {
          expect(metric_path).toBe(`ChakraFCT.${type}.GroupSize${groupSize}.CommSize${size}Bytes`);
          expect(group_size).toBe(String(groupSize));
          expect(ps(row.simulation_end_time_us)).toBeGreaterThanOrEqual(ps(sim_time_sec));
        }
      }

      // R-157 counts the valid rows of R-156; one that a stop cut off may have ended before its last member started.
      const percentiles = rows('chakra-comm-collective-percentiles-stats');
      const measured = collectives.filter(
        ({ is_valid, simulation_start_time_us: start, simulation_end_time_us: end }) =>
          is_valid === '1' && end !== '' && ps(end) >= ps(start),
      );
      expect(sum(percentiles, ({ count }) => Number(count))).toBe(measured.length);
      if (finished) expect(measured).toHaveLength(collectives.length);

      // R-155 the last row of a run that finished
      const cdf = rows('chakra-cdf');
      expect(cdf).toHaveLength(Math.floor(outcome.simulationEndPs / request.beaconIntervalPs!));
      if (finished && outcome.simulationEndPs < request.stopPs!) {
        const parts = Object.entries(cdf.at(-1)!).filter(([name]) => name.startsWith('CDF_'));
        expect(parts.map(([, part]) => part)).toEqual(parts.map(() => '1.000000'));
      }

      // R-160 against R-153 and the times of the engine
      const nodes = ranks.map((rank) =>
        files[`post_annotated/job.${rank}.json`]
          .toString()
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as AnnotatedNode),
      );
      const acknowledged = (list: AnnotatedNode[]): AnnotatedNode[] =>
        list.filter(({ type, e }) => type === 'COMM_SEND_NODE' && e !== NOT_REACHED);
      const key = (...parts: (string | number)[]): string => parts.join(' ');
      const inTraces = nodes.flatMap((list, rank) =>
        acknowledged(list).map(({ partner, commTag, s, e }) => key(rank, partner!, commTag!, ps(s), ps(e))),
      );
      const inPerf = perf.map((row) =>
        key(
          rankOf(row.sending_app_name),
          rankOf(row.receiving_app_name),
          row.comm_tag,
          ps(row.start_time_sec),
          ps(row.sim_time_sec),
        ),
      );
      expect(inTraces.sort()).toEqual(inPerf.sort());
      for (const rank of ranks) {
        const { start, finish, acknowledged: acks } = outcome.nodeTimes(rank);
        const shown = (timePs: number): string =>
          Number.isNaN(timePs) ? NOT_REACHED : (timePs / MICRO).toFixed(6).padStart(13, '0');
        expect(nodes[rank].map(({ s }) => s)).toEqual(Array.from(start, shown));
        expect(nodes[rank].map(({ e }) => e)).toEqual(
          nodes[rank].map(({ type }, at) => shown(type === 'COMM_SEND_NODE' ? acks[at] : finish[at])),
        );
      }

      // SU-1, R-158: every packet of the fabric is counted once at each end.
      if (!groupOf.some((group) => group >= 0)) return;
      const stats = rows('nd-stats');
      const last = stats.slice(-groupOf.filter((group) => group >= 0).length);
      const interval = request.ndStatsIntervalPs!;
      const seen = Math.floor(outcome.simulationEndPs / interval) * interval;
      if (last.length === 0 || !finished || seen < outcome.endPs) return;
      const inside = perf.filter((row) => {
        const [from, to] = [rankOf(row.sending_app_name), rankOf(row.receiving_app_name)];
        return from !== to && groupOf[from] >= 0 && groupOf[from] === groupOf[to];
      });
      const packets = ({ flow_comm_size: bytes }: Record<string, string>): number =>
        Math.max(1, Math.ceil(Number(bytes) / maxPayloadBytes));
      const members = ranks.filter((rank) => groupOf[rank] >= 0);
      for (const [at, rank] of members.entries()) {
        const sent = inside.filter(({ sending_app_name }) => rankOf(sending_app_name) === rank);
        const got = inside.filter(({ receiving_app_name }) => rankOf(receiving_app_name) === rank);
        const bytes = (list: Record<string, string>[]): string =>
          (sum(list, (row) => Number(row.flow_comm_size) + packets(row) * headerBytes) / 1e9).toFixed(6);
        expect(last[at]).toMatchObject({
          component_name: `h${rank}`,
          total_packets_tx: String(sum(sent, packets)),
          total_packets_rx: String(sum(got, packets)),
        });
        expect(Number(last[at].total_bytes_tx_GB)).toBeCloseTo(Number(bytes(sent)), 5);
        expect(Number(last[at].total_bytes_rx_GB)).toBeCloseTo(Number(bytes(got)), 5);
      }
    }),
    { numRuns: 50 },
  );
});

test('law: R-005 records of one run are the same bytes every time, for any number of threads, and say the same as Parquet', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ run, request }) => {
      const folder = writeJob(run.nodes, run.groups);
      const profiled = { ...request, profilingIntervalPs: 5 * MICRO, stopPs: Math.min(request.stopPs!, 200 * MICRO) };
      const { files, simulation } = await recordsOfFolder(folder, { ...profiled, threads: 1 });
      for (const threads of [2, 4]) {
        const again = await recordsOfFolder(folder, { ...profiled, threads });
        expect(again.files).toEqual(files);
        expect(again.simulation.document).toEqual(simulation.document);
      }
      // Without records nothing keeps transfers or expands more than the mapping asks for; the document is the same.
      const plain = await simulateFolder(folder, profiled);
      const numbers = ({ document }: Simulation): unknown => ({
        ...document,
        ...{ events: 0, stall: null, ranks: [] },
        findings: document.findings.map(({ code, message }) => `${code} ${message}`).sort(),
      });
      expect(numbers(plain)).toEqual(numbers(simulation));
      const parquet = await recordsOfFolder(folder, { ...profiled, recordsFormat: 'parquet' });
      for (const [path, bytes] of Object.entries(files)) {
        if (!path.endsWith('.csv')) {
          expect(parquet.files[path].equals(bytes)).toBe(true);
          continue;
        }
        const content = readFileSync(join(parquet.recordsFolder, path.replace(/csv$/, 'parquet')));
        const file = Uint8Array.from(content).buffer;
        const objects = await parquetReadObjects({ file });
        const rows = csvRows(bytes.toString());
        expect(objects).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          for (const [name, value] of Object.entries(objects[at])) expect(same(value, row[name])).toBe(true);
          expect(Object.keys(objects[at])).toEqual(Object.keys(row));
        }
      }
    }),
    { numRuns: 12 },
  );
});

/** Whether a value of Parquet is the one that the field of a CSV line says. */
function same(value: unknown, field: string): boolean {
  if (value === null || value === undefined) return field === '' || field === 'NA';
  return typeof value === 'number' ? value === Number(field) : String(value) === field;
}
