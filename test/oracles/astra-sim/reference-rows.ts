import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import type {
  Implementation,
  RemoteMemoryConfiguration,
  SystemCollective,
  SystemConfiguration,
} from '../../../src/astra-sim/system-configuration.js';
import { parseCommGroup } from '../../../src/formats/comm-group.js';
import { openTraceSource } from '../../../src/formats/open-source.js';
import { readTrace } from '../../../src/formats/read-trace.js';
import { parseAnalyticalNetwork } from '../../../src/network/parse-network.js';
import type { ProcessGroup } from '../../../src/trace/process-group.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { hasShared, shared } from '../../support/shared.js';

/** A row of reference/astra-sim-analytical.csv, by column name. */
export type ReferenceRow = Readonly<Record<string, string>>;

const INPUTS = 'reference/astra-sim-inputs';

export function referenceRows(): ReferenceRow[] {
  if (!hasShared) return [];
  const [header, ...rows] = parseCsv(readFileSync(shared('reference/astra-sim-analytical.csv'), 'utf8'));
  return rows.map((row) => Object.fromEntries(row.map((field, column) => [header[column], field])));
}

/** Comma-separated values as RFC 4180 has them: a quoted field may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (row.length === 0 && quoted === undefined && plain === '' && end === '') break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The run that a row describes, straight from its files. */
export function runOfRow(row: ReferenceRow): SystemRun {
  const cli = new Map([...row.extra_cli.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key, value]) => [key, value]));
  const network = parseAnalyticalNetwork(text(row.network_yml), row.network_yml);
  const read = (path: string, rank: number): RankTrace =>
    readTrace(openTraceSource(shared(INPUTS, path)), { rank, file: path }).trace;
  return {
    rankCount: network.dimensions.reduce((product, { npus }) => product * npus, 1),
    withTrace: (rank, use) => use(read(`${row.workload}.${rank}.et`, rank)),
    withCustomTrace: (prefix, position, use) => use(read(`${prefix}.${position}.et`, position)),
    groups: groupsOf(row.comm_group_json),
    network,
    backend: row.backend.startsWith('aware') ? 'analytical-aware' : 'analytical-unaware',
    system: systemOf(row.system_json, Number(cli.get('injection-scale') ?? 1)),
    memory: memoryOf(row.remote_memory_json),
    options: {
      queuesPerDimension: Number(cli.get('num-queues-per-dim') ?? 1),
      rendezvous: cli.get('rendezvous-protocol') === 'true',
      deps: 'both',
      stopNs: Infinity,
    },
  };
}

function text(path: string): string {
  return readFileSync(shared(INPUTS, path), 'utf8');
}

function groupsOf(path: string): Map<string, ProcessGroup> {
  if (path === '') return new Map();
  const { declarations } = parseCommGroup(readFileSync(join(shared(INPUTS), path)), path);
  return new Map(declarations.map(({ name, ranks, origin }) => [name, { name, ranks, origin }]));
}

const COLLECTIVE_KEYS: Record<SystemCollective, string> = {
  allReduce: 'all-reduce',
  allGather: 'all-gather',
  reduceScatter: 'reduce-scatter',
  allToAll: 'all-to-all',
};

/** A minimal reading of a system file: no checks. */
function systemOf(path: string, injectionScale: number): SystemConfiguration {
  const json = JSON.parse(text(path)) as Record<string, unknown>;
  const number = (key: string, otherwise: number): number => Number(json[key] ?? otherwise);
  const byCollective = <T>(suffix: string, value: (list: string[]) => T): Partial<Record<SystemCollective, T>> =>
    Object.fromEntries(
      Object.entries(COLLECTIVE_KEYS).flatMap(([kind, key]) => {
        const list = json[`${key}-implementation${suffix}`] as string[] | undefined;
        return list === undefined ? [] : [[kind, value(list)]];
      }),
    );
  const delay = json['endpoint-delay'];
  const customByNode = json['per-node-custom-implementation'];
  const byNode = customByNode === undefined ? {} : (parse(text(String(customByNode))) as Record<string, string>);
  return {
    file: path,
    schedulingPolicy: json['scheduling-policy'] as SystemConfiguration['schedulingPolicy'],
    collectiveOptimization: json['collective-optimization'] as SystemConfiguration['collectiveOptimization'],
    datasetSplits: number('preferred-dataset-splits', NaN),
    activeChunksPerDimension: number('active-chunks-per-dimension', 1),
    endpointDelayNs: delay === undefined ? 10 : Math.trunc(Number(delay) * injectionScale),
    localMemoryGBps: number('local-mem-bw', 0),
    implementations: byCollective('', (list) => list.map(implementationOf)),
    customImplementations: byCollective('-custom', ([prefix]) => prefix),
    customByNode: new Map(Object.entries(byNode).map(([id, prefix]) => [BigInt(id), prefix])),
    roofline: number('roofline-enabled', 0) !== 0,
    peakTflops: number('peak-perf', 0),
    replayOnly: number('replay-only', 0) !== 0,
    ...(number('model-shared-bus', 0) !== 0 && {
      sharedBus: {
        latencyNs: Math.trunc(number('L', 0)),
        overheadNs: Math.trunc(number('o', 0)),
        gapNs: Math.trunc(number('g', 0)),
        gapPerByteNs: Math.fround(number('G', 0)),
        reductionDelayNs: number('local-reduction-delay', 1),
      },
    }),
  };
}

function implementationOf(name: string): Implementation {
  const whole = name.startsWith('one');
  const [, algorithm, window] = /^([A-Za-z]+)(\d*)$/.exec(whole ? name[3].toLowerCase() + name.slice(4) : name)!;
  return {
    algorithm: algorithm as Implementation['algorithm'],
    whole,
    ...(window !== '' && { window: Number(window) }),
  };
}

function memoryOf(path: string): RemoteMemoryConfiguration {
  const json = JSON.parse(text(path)) as Record<string, string | number>;
  return {
    file: path,
    kind: json['memory-type'] as RemoteMemoryConfiguration['kind'],
    latencyNs: Number(json['remote-mem-latency'] ?? 0),
    bytesPerNs: Number(json['remote-mem-bw'] ?? 0),
    ranksPerNode: Number(json['num-npus-per-node'] ?? 1),
  };
}
