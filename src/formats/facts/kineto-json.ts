import { addTo, toNanosecond, type Counts } from './counts.js';

interface TraceEvent {
  readonly name?: string;
  readonly cat?: string;
  readonly ph?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A Kineto device trace (chakra-format section 13). */
export interface KinetoDocument {
  readonly schemaVersion?: number;
  readonly distributedInfo?: unknown;
  readonly baseTimeNanoseconds?: number;
  readonly traceEvents: readonly TraceEvent[];
}

const ON_DEVICE: ReadonlySet<string> = new Set(['kernel', 'gpu_memcpy', 'gpu_memset']);
const RUNTIME: ReadonlySet<string> = new Set(['cuda_runtime', 'cuda_driver']);

/** Bytes of an element by the name NCCL events give its type. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  Byte: 1,
  Char: 1,
  Bool: 1,
  Half: 2,
  BFloat16: 2,
  Short: 2,
  Int: 4,
  Float: 4,
  Long: 8,
  Double: 8,
};

/** Names of runtime calls that are listed. */
const MOST_NAMES = 14;

/** Facts of a Kineto device trace. */
export function kinetoFacts(document: KinetoDocument) {
  const { schemaVersion, distributedInfo, baseTimeNanoseconds, traceEvents } = document;
  const byCategory: Counts = {};
  const byPhase: Counts = {};
  const durations: Counts = {};
  const streams: Counts = {};
  const runtimeNames: Counts = {};
  const kernels: Record<string, { count: number; dur_us: number }> = {};
  const collectives: Record<string, { count: number; in_bytes: number }> = {};
  const launches = new Map<unknown, number>();
  let recordIds = 0;
  let externalIds = 0;
  let fractional = false;
  let steps = 0;
  for (const { name = '', cat, ph, ts, dur = 0, args = {} } of traceEvents) {
    addTo(byCategory, cat ?? 'None');
    addTo(byPhase, ph ?? 'None');
    if ('Record function id' in args) recordIds++;
    if ('External id' in args) externalIds++;
    if (ts !== undefined && !Number.isInteger(Number(ts))) fractional = true;
    if (name.startsWith('ProfilerStep')) steps++;
    if (cat === undefined) continue;
    if (RUNTIME.has(cat)) {
      addTo(runtimeNames, name);
      launches.set(args.correlation, (launches.get(args.correlation) ?? 0) + 1);
    }
    if (!ON_DEVICE.has(cat)) continue;
    addTo(durations, cat, dur);
    addTo(streams, String(args.stream));
    if (!name.startsWith('nccl')) continue;
    // The signature of the kernel says nothing more.
    const kernel = (kernels[name.split('(')[0]] ??= { count: 0, dur_us: 0 });
    kernel.count++;
    kernel.dur_us += dur;
    const collective = args['Collective name'];
    if (typeof collective !== 'string') continue;
    const facts = (collectives[collective] ??= { count: 0, in_bytes: 0 });
    facts.count++;
    facts.in_bytes += Number(args['In msg nelems']) * (ELEMENT_BYTES[String(args.dtype)] ?? NaN);
  }
  for (const kernel of Object.values(kernels)) kernel.dur_us = toNanosecond(kernel.dur_us);
  return {
    format: 'kineto-json',
    schemaVersion,
    distributedInfo: distributedInfo ?? null,
    baseTimeNanoseconds: baseTimeNanoseconds ?? null,
    events: traceEvents.length,
    by_cat: byCategory,
    by_phase: byPhase,
    rf_id_events: recordIds,
    external_id_events: externalIds,
    fractional_ts: fractional,
    profiler_steps: steps,
    gpu_events_dur_us: Object.fromEntries(Object.entries(durations).map(([cat, sum]) => [cat, toNanosecond(sum)])),
    streams,
    nccl_kernels: kernels,
    nccl_by_collective: collectives,
    runtime_events: Object.values(runtimeNames).reduce((sum, count) => sum + count, 0),
    runtime_duplicate_correlations: [...launches.values()].filter((count) => count > 1).length,
    gpu_events_without_launch: traceEvents.filter(
      ({ cat, args }) => cat !== undefined && ON_DEVICE.has(cat) && !launches.has(args?.correlation),
    ).length,
    runtime_names: mostFrequent(runtimeNames),
  };
}

/** The most frequent ones; of equally frequent ones those that come first. */
function mostFrequent(counts: Counts): Counts {
  return Object.fromEntries(
    Object.entries(counts)
      .sort(([, left], [, right]) => right - left)
      .slice(0, MOST_NAMES),
  );
}
