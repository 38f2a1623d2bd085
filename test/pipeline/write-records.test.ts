import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { OutputFiles } from '../../src/base/output-files.js';
import { ScaleUpStats } from '../../src/network/scale-up/scale-up-stats.js';
import { writeRecords, type RecordsOfRun } from '../../src/pipeline/write-records.js';
import { jobOf } from '../../src/replay/job.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { RECORDS } from '../../src/records/records.js';
import { recordedRun } from '../support/packet-records.js';
import { packetSettings, singleSwitch } from '../support/packet-runs.js';
import { factsOf, linesOf, mappedExample, runningExample, runningTraces } from '../support/records.js';

const MS = 1_000_000_000;

/** A run that has every record, with at least one row in each. */
function richRun(): RecordsOfRun {
  const stats = new ScaleUpStats(8, MS);
  stats.sent(0, 4120, 41_200);
  const outcome = {
    ...runningExample(),
    simulationEndPs: 2 * MS,
    collectives: [
      {
        group: 'tp, "a"',
        type: CollectiveType.allReduce,
        instance: 0,
        algorithm: 'ring',
        size: 1000,
        groupSize: 3,
        startPs: 1,
        endPs: 3,
        transfers: 12,
        bytes: 4008,
        membersFinished: 3,
      },
      {
        group: 'tp',
        type: CollectiveType.barrier,
        instance: 0,
        algorithm: 'tree',
        size: 0,
        groupSize: 2,
        startPs: 5,
        endPs: NaN,
        transfers: 1,
        bytes: 0,
        membersFinished: 0,
      },
    ],
  };
  const facts = factsOf({
    placement: mappedExample(),
    linkBytesPerNs: 50,
    beaconIntervalPs: 10_000_000,
    scaleUp: { stats },
    packet: recordedRun(singleSwitch(2), packetSettings(), [{ source: 0, destination: 1, bytes: 4096 }], MS).facts
      .packet!,
  });
  return { run: 'night', format: 'csv', outcome, facts, job: jobOf(runningTraces()) };
}

function written(records: RecordsOfRun): { folder: string; files: string[] } {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'out');
  const files = new OutputFiles(folder, 'token');
  files.prepare();
  writeRecords(files, records);
  files.commit();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return { folder, files: names.sort() };
}

test('every file of a run, under its name', () => {
  const { folder, files } = written({ ...richRun(), profilingIntervalPs: 10_000_000 });
  expect(files).toEqual([
    'night-chakra-apps-0.csv',
    'night-chakra-capable-hosts-0.csv',
    'night-chakra-cdf-0.csv',
    'night-chakra-comm-collective-percentiles-stats-0.csv',
    'night-chakra-comm-collective-stats-0.csv',
    'night-chakra-completion-stats-0.csv',
    'night-chakra-mapping-0.csv',
    'night-chakra-perf-0.csv',
    'night-ecn-pfc-stats-0.csv',
    'night-nd-stats-0.csv',
    'night-topology-report-0.csv',
    'night-transport-stats-0.csv',
    'post_annotated/job.0.json',
    'post_annotated/job.1.json',
    'profiling/job.0.txt',
    'profiling/job.1.txt',
  ]);
  const completion = readFileSync(join(folder, 'night-chakra-completion-stats-0.csv'), 'utf8');
  for (const line of completion.trimEnd().split('\n').slice(1)) {
    expect(existsSync(join(folder, line.split(',')[10]))).toBe(true);
  }
  expect(readFileSync(join(folder, 'post_annotated/job.0.json'), 'utf8')).toContain('"e":"000023.356600"');
  expect(readFileSync(join(folder, 'profiling/job.0.txt'), 'utf8').startsWith('CHAKRA PROFILING\n')).toBe(true);
});

test('without groups, packet counts and profiling their files are not there', () => {
  const { files } = written({ ...richRun(), facts: factsOf() });
  expect(files.filter((name) => /nd-stats|topology-report|transport-stats|ecn-pfc-stats|profiling/.test(name))).toEqual(
    [],
  );
  expect(files).toContain('night-chakra-comm-collective-percentiles-stats-0.csv');
});

test('every cell of every Parquet file says what the CSV file says', async () => {
  const records = richRun();
  const { folder, files } = written({ ...records, format: 'parquet' });
  expect(files.filter((name) => name.endsWith('.parquet'))).toHaveLength(RECORDS.length);
  for (const table of RECORDS) {
    const lines = linesOf(table, records.outcome, records.facts).slice(1);
    expect(lines.length).toBeGreaterThan(0);
    const bytes = new Uint8Array(readFileSync(join(folder, `night-${table.name}-0.parquet`)));
    const rows = await parquetReadObjects({ file: bytes.buffer });
    const columns = table.columns(records.facts);
    const asText = rows.map((row) =>
      columns
        .map(({ name, kind, decimals, absent }) => {
          const value = row[name] as number | bigint | string | boolean | null;
          if (value === null) return absent;
          if (kind === 'decimal') return (value as number).toFixed(decimals);
          return kind === 'text' && /[",]/.test(value as string)
            ? `"${(value as string).replaceAll('"', '""')}"`
            : String(value);
        })
        .join(','),
    );
    expect([table.name, asText]).toEqual([table.name, lines]);
  }
});

test('R-005 two runs give the same bytes in both forms', () => {
  for (const format of ['csv', 'parquet'] as const) {
    const [one, other] = [written({ ...richRun(), format }), written({ ...richRun(), format })];
    expect(one.files).toEqual(other.files);
    for (const name of one.files) {
      expect(readFileSync(join(one.folder, name)).equals(readFileSync(join(other.folder, name)))).toBe(true);
    }
  }
});

test('traces are asked for one rank after another', () => {
  const { withTrace } = jobOf(runningTraces());
  const asked: number[] = [];
  const job: RecordsOfRun['job'] = {
    withTrace: (rank, use) => {
      asked.push(rank);
      return withTrace(rank, use);
    },
  };
  written({ ...richRun(), job, profilingIntervalPs: 10_000_000 });
  expect(asked).toEqual([0, 1]);
});

test('R-005 the wall clock counts from the creation of the applications', () => {
  const wallClock = { startedMs: 1000, nowMs: () => 1002.5 };
  const records = richRun();
  const { folder } = written({ ...records, facts: { ...records.facts, wallClock } });
  expect(readFileSync(join(folder, 'post_annotated/job.0.json'), 'utf8')).toContain('"r":"002500.000000"');
  expect(readFileSync(join(folder, 'night-nd-stats-0.csv'), 'utf8')).toContain('\n1970-01-01T00:00:01.002Z,');
});
