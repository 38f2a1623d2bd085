import { readFileSync } from 'node:fs';
import { openTraceSource } from '../../src/formats/open-source.js';
import { DeviceKind } from '../../src/formats/pytorch/device-trace.js';
import { elementBytes } from '../../src/formats/pytorch/element-types.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/** The readers find in every real trace what trace-facts.json, which another program wrote, says of it. */

type Counts = Record<string, number>;

interface HostFacts {
  readonly format: 'pytorch-host-json';
  readonly schema: string;
  readonly pid: number;
  readonly time: string;
  readonly start_ts: number;
  readonly finish_ts: number;
  readonly nodes: number;
  readonly id_min: number;
  readonly id_max: number;
  readonly last_node_id_in_file: number;
  readonly missing_parent: number;
  readonly rf_id_max: number;
  readonly rf_id_distinct: number;
  readonly threads: Counts;
  readonly thread_root_nodes: number;
  readonly record_param_comms: Record<string, { count: number; input_bytes: number }>;
  readonly record_param_comms_pg: Counts;
  readonly process_group_init: { groups: { pg_name: string; ranks: number[]; group_size: number }[] }[];
}

interface DeviceFacts {
  readonly format: 'kineto-json';
  readonly distributedInfo: {
    rank?: number;
    world_size?: number;
    pg_config?: { pg_name: string; ranks: number[] }[];
  } | null;
  readonly events: number;
  readonly by_cat: Counts;
  readonly rf_id_events: number;
  readonly external_id_events: number;
  readonly profiler_steps: number;
  readonly gpu_events_dur_us: Counts;
  readonly streams: Counts;
  readonly nccl_by_collective: Record<string, { count: number; in_bytes: number }>;
  readonly runtime_events: number;
  readonly runtime_duplicate_correlations: number;
  readonly gpu_events_without_launch: number;
}

type Facts = HostFacts | DeviceFacts | { readonly format: 'another' };

function factsOf<F extends Facts['format']>(format: F): [string, Extract<Facts, { format: F }>][] {
  if (!hasShared) return [['', {} as Extract<Facts, { format: F }>]];
  const { files } = JSON.parse(readFileSync(shared('reference/trace-facts.json'), 'utf8')) as {
    files: Record<string, Facts>;
  };
  return Object.entries(files).filter(
    (entry): entry is [string, Extract<Facts, { format: F }>] => entry[1].format === format,
  );
}

function countsOf(values: Iterable<number | string>): Counts {
  const counts: Counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describeShared('facts of real traces', () => {
  test.each(factsOf('pytorch-host-json'))('host trace %s', (path, facts) => {
    const trace = readHostTrace(openTraceSource(shared('traces', path)));
    const ids = new Set(trace.id);
    const communications = [...trace.communications.values()];
    const records: HostFacts['record_param_comms'] = {};
    for (const { collective, inputBytes } of communications) {
      const facts = (records[collective] ??= { count: 0, input_bytes: 0 });
      facts.count++;
      facts.input_bytes += inputBytes;
    }
    // The facts count groups of the first layouts as None and those of a wait, which has an empty name, as ''.
    const named = Object.fromEntries(
      Object.entries(facts.record_param_comms_pg).filter(([name]) => name !== 'None' && name !== ''),
    );
    const declared = facts.process_group_init.flatMap(({ groups }) => groups);
    const stated = declared.length > 0 && Object.keys(named).length === 0 ? undefined : named;
    expect({
      schema: trace.schema,
      pid: trace.pid,
      time: trace.time,
      start_ts: trace.startMillis,
      finish_ts: trace.finishMillis,
      nodes: trace.length,
      id_min: Math.min(...trace.id),
      id_max: Math.max(...trace.id),
      last_node_id_in_file: trace.id.at(-1),
      missing_parent: [...trace.parent].filter((parent) => !ids.has(parent)).length,
      rf_id_max: Math.max(...trace.recordId),
      rf_id_distinct: new Set(trace.recordId).size,
      threads: countsOf(trace.thread),
      thread_root_nodes: [...trace.name].filter((name) => trace.names[name].endsWith('|thread]')).length,
      record_param_comms: records,
      groups: stated && countsOf(communications.flatMap(({ group }) => group ?? [])),
      declared: [...trace.groups],
      broken: trace.brokenGroups,
      findings: trace.findings,
    }).toEqual({
      schema: facts.schema,
      pid: facts.pid,
      time: facts.time,
      start_ts: facts.start_ts,
      finish_ts: facts.finish_ts,
      nodes: facts.nodes,
      id_min: facts.id_min,
      id_max: facts.id_max,
      last_node_id_in_file: facts.last_node_id_in_file,
      missing_parent: facts.missing_parent,
      rf_id_max: facts.rf_id_max,
      rf_id_distinct: facts.rf_id_distinct,
      threads: facts.threads,
      thread_root_nodes: facts.thread_root_nodes,
      record_param_comms: facts.record_param_comms,
      groups: stated,
      declared: declared.map(({ pg_name, ranks, group_size }) => [
        pg_name,
        ranks.length > 0 ? ranks : Array.from({ length: group_size }, (_, rank) => rank),
      ]),
      broken: [],
      findings: [],
    });
  });

  test.each(factsOf('kineto-json'))('device trace %s', (path, facts) => {
    const trace = readDeviceTrace(openTraceSource(shared('traces', path)));
    const { hostEvents, calls, deviceEvents, synchronizations, names, collectives, otherEvents, distributed } = trace;
    const kinds: Record<number, string> = {
      [DeviceKind.kernel]: 'kernel',
      [DeviceKind.copy]: 'gpu_memcpy',
      [DeviceKind.set]: 'gpu_memset',
      [DeviceKind.annotation]: 'gpu_user_annotation',
    };
    const byCategory: Counts = {
      ...countsOf([...hostEvents.annotation].map((annotation) => (annotation ? 'user_annotation' : 'cpu_op'))),
      ...countsOf([...deviceEvents.kind].map((kind) => kinds[kind])),
      ...(synchronizations.length > 0 ? { cuda_sync: synchronizations.length } : {}),
      ...Object.fromEntries(
        [...otherEvents].map(([category, count]) => [category === 'none' ? 'None' : category, count]),
      ),
    };
    const { cuda_runtime = 0, cuda_driver = 0, ...categories } = facts.by_cat;
    const work = Array.from({ length: deviceEvents.length }, (_, event) => event).filter(
      (event) => deviceEvents.kind[event] !== DeviceKind.annotation,
    );
    const durations: Counts = {};
    for (const event of work) {
      const kind = kinds[deviceEvents.kind[event]];
      durations[kind] = (durations[kind] ?? 0) + deviceEvents.durationNs[event];
    }
    const byCollective: DeviceFacts['nccl_by_collective'] = {};
    for (const { collective = '', inputElements = NaN, elementType = '' } of collectives.values()) {
      const sum = (byCollective[collective] ??= { count: 0, in_bytes: 0 });
      sum.count++;
      sum.in_bytes += inputElements * elementBytes(elementType);
    }
    const launched = new Set(calls.correlation);
    const stated = (column: Float64Array): number => [...column].filter((value) => !Number.isNaN(value)).length;
    const tables = [hostEvents, calls, deviceEvents, synchronizations];
    expect({
      by_cat: byCategory,
      calls: calls.length,
      rf_id_events: stated(hostEvents.recordId),
      external_id_events: tables.reduce((sum, { externalId }) => sum + stated(externalId), 0),
      profiler_steps: tables.reduce(
        (sum, { name }) => sum + [...name].filter((place) => names[place].startsWith('ProfilerStep')).length,
        0,
      ),
      gpu_events_dur_us: Object.fromEntries(Object.entries(durations).map(([kind, nanos]) => [kind, nanos / 1000])),
      streams: countsOf(work.map((event) => deviceEvents.stream[event])),
      nccl_by_collective: byCollective,
      runtime_duplicate_correlations: calls.length - launched.size,
      gpu_events_without_launch: work.filter((event) => !launched.has(deviceEvents.correlation[event])).length,
      rank: distributed?.rank,
      worldSize: distributed?.worldSize,
      groups: [...(distributed?.groups ?? [])],
      findings: trace.findings,
    }).toEqual({
      by_cat: categories,
      calls: facts.runtime_events,
      rf_id_events: facts.rf_id_events,
      external_id_events: facts.external_id_events,
      profiler_steps: facts.profiler_steps,
      gpu_events_dur_us: facts.gpu_events_dur_us,
      streams: facts.streams,
      nccl_by_collective: facts.nccl_by_collective,
      runtime_duplicate_correlations: facts.runtime_duplicate_correlations,
      gpu_events_without_launch: facts.gpu_events_without_launch,
      rank: facts.distributedInfo?.rank,
      worldSize: facts.distributedInfo?.world_size,
      groups: (facts.distributedInfo?.pg_config ?? []).map(({ pg_name, ranks }) => [pg_name, ranks]),
      findings: [],
    });
    expect(cuda_runtime + cuda_driver).toBe(calls.length);
  });

  test('a linked trace is known as one', () => {
    const linked = shared('reference/chakra-tools/trace-link/resnet_pair.linked.json.gz');
    for (const read of [readHostTrace, readDeviceTrace]) {
      expect(() => read(openTraceSource(linked))).toThrow(
        expect.objectContaining({
          code: 'WRONG_KIND',
          message: expect.stringContaining('is a linked PyTorch trace') as string,
        }) as Error,
      );
    }
  });

  test('one that nothing was linked in is a host trace of other ids', () => {
    const trace = readHostTrace(openTraceSource(shared('reference/chakra-tools/trace-link/dlrm_rank0.linked.json.gz')));
    expect([trace.length, Math.min(...trace.id), Math.max(...trace.id)]).toEqual([1675, 0, 1674]);
  });
});
