import { DeviceKind, type DeviceTrace, type EventColumns } from '../../src/formats/pytorch/device-trace.js';
import type { HostTrace } from '../../src/formats/pytorch/host-trace.js';

/** A host node, as short as a test wants it. */
export interface HostNodeText {
  readonly id: number;
  readonly name: string;
  readonly parent?: number;
  readonly recordId?: number;
  readonly thread?: number;
}

export function hostTrace(nodes: readonly HostNodeText[], file = 'host.json'): HostTrace {
  const { names, name } = namesOf(nodes);
  const length = nodes.length;
  return {
    ...{ file, source: undefined as unknown as HostTrace['source'], schema: '1.1.1', pid: 1, time: '' },
    ...{ startMillis: NaN, finishMillis: NaN, length, name, names, findings: [] },
    id: Float64Array.from(nodes, ({ id }) => id),
    parent: Float64Array.from(nodes, ({ parent }) => parent ?? NaN),
    recordId: Float64Array.from(nodes, ({ recordId }) => recordId ?? 0),
    thread: Int32Array.from(nodes, ({ thread }) => thread ?? 1),
    forwardThread: new Int32Array(length),
    sequence: new Float64Array(length).fill(-1),
    offset: new Float64Array(length),
    objectLength: new Uint32Array(length),
    ...{ communications: new Map(), groups: new Map(), brokenGroups: [] },
  };
}

/** An event of a Kineto file, by its own keys. */
export interface KinetoEvent {
  readonly ph?: string;
  readonly cat?: string;
  readonly name: string;
  readonly tid?: number | string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

const DEVICE_KINDS = ['kernel', 'gpu_memcpy', 'gpu_memset', 'gpu_user_annotation'];

/** Columns of events of a Kineto file, read in the obvious way: every event an object, times rounded to ns. */
export function deviceTrace(events: readonly KinetoEvent[], more: Partial<DeviceTrace> = {}): DeviceTrace {
  const complete = events.filter(({ ph, dur }) => (ph ?? 'X') === 'X' && dur !== undefined);
  const baseMicros = Math.floor(smallest(complete));
  const numbers = new Map<string, number>();
  const number = (name: string): number => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  };
  const columns = (of: readonly KinetoEvent[]): EventColumns => ({
    length: of.length,
    name: Int32Array.from(of, ({ name }) => number(name)),
    startNs: Float64Array.from(of, ({ ts }) => Math.round((ts - baseMicros) * 1000)),
    durationNs: Float64Array.from(of, ({ dur }) => Math.round(dur! * 1000)),
    thread: Float64Array.from(of, ({ tid }) => (typeof tid === 'number' ? tid : NaN)),
    externalId: argument(of, 'External id'),
  });
  const host = complete.filter(({ cat }) => cat === 'cpu_op' || cat === 'user_annotation');
  const calls = complete.filter(({ cat }) => cat === 'cuda_runtime' || cat === 'cuda_driver');
  const device = complete.filter(({ cat }) => DEVICE_KINDS.includes(cat ?? ''));
  const trace = {
    ...{ file: 'device.json', baseMicros, findings: [] },
    hostEvents: {
      ...columns(host),
      annotation: Uint8Array.from(host, ({ cat }) => (cat === 'user_annotation' ? 1 : 0)),
      recordId: argument(host, 'Record function id'),
    },
    calls: { ...columns(calls), correlation: argument(calls, 'correlation') },
    deviceEvents: {
      ...columns(device),
      kind: Uint8Array.from(device, ({ cat }) => DEVICE_KINDS.indexOf(cat!)),
      stream: Int32Array.from(argument(device, 'stream'), (stream) => (Number.isNaN(stream) ? -1 : stream)),
      device: Int32Array.from(argument(device, 'device'), (place) => (Number.isNaN(place) ? -1 : place)),
      correlation: argument(device, 'correlation'),
      bytes: argument(device, 'bytes'),
    },
    synchronizations: {
      ...columns([]),
      ...{ stream: new Int32Array(0), correlation: new Float64Array(0), waitsOnStream: new Int32Array(0) },
      ...{ waitsOnCorrelation: new Float64Array(0), waitsOnEvent: new Float64Array(0) },
    },
    collectives: new Map(
      device.flatMap(({ cat, args }, i) =>
        DEVICE_KINDS.indexOf(cat!) === DeviceKind.kernel && args?.['Collective name'] !== undefined
          ? [[i, { inputElements: args['In msg nelems'] as number, elementType: args.dtype as string }] as const]
          : [],
      ),
    ),
    ...{ distributed: undefined, otherEvents: new Map<string, number>() },
    ...more,
  };
  return { ...trace, names: [...numbers.keys()] } as DeviceTrace;
}

function smallest(events: readonly KinetoEvent[]): number {
  return events.reduce((least, { ts }) => Math.min(least, ts), Infinity);
}

function argument(events: readonly KinetoEvent[], key: string): Float64Array {
  return Float64Array.from(events, ({ args }) => (typeof args?.[key] === 'number' ? args[key] : NaN));
}

function namesOf(things: readonly { readonly name: string }[]): { names: string[]; name: Int32Array } {
  const names = [...new Set(things.map(({ name }) => name))];
  return { names, name: Int32Array.from(things, ({ name }) => names.indexOf(name)) };
}
