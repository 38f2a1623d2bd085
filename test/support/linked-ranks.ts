import { MemorySource } from '../../src/base/byte-source.js';
import { DeviceKind, type DeviceTrace, type EventColumns } from '../../src/formats/pytorch/device-trace.js';
import type { CommunicationRecord, HostTrace } from '../../src/formats/pytorch/host-trace.js';
import type { Links } from '../../src/pytorch/links.js';

/** A host op; with times it is linked to a host event of its own. Times are ns. */
export interface MadeOp {
  readonly id: number;
  readonly parent: number;
  readonly name?: string;
  readonly thread?: number;
  readonly forwardThread?: number;
  readonly sequence?: number;
  readonly startNs?: number;
  readonly durationNs?: number;
  /** Thread of the operating system; 100 + thread of the observer where it is left out. */
  readonly osThread?: number;
  readonly record?: Partial<CommunicationRecord>;
}

export interface MadeCall {
  readonly name: string;
  readonly startNs: number;
  readonly durationNs?: number;
  readonly osThread?: number;
  readonly correlation?: number;
  /** Place of the op around it. */
  readonly caller?: number;
}

export interface MadeEvent {
  readonly name?: string;
  readonly kind?: keyof typeof DeviceKind;
  readonly stream?: number;
  readonly device?: number;
  readonly startNs: number;
  readonly durationNs?: number;
  /** Place of the op. */
  readonly launcher?: number;
  /** Place of the call. */
  readonly call?: number;
}

export interface MadeSynchronization {
  readonly name?: string;
  readonly stream?: number;
  readonly correlation?: number;
  readonly startNs?: number;
  readonly waitsOnStream?: number;
  readonly waitsOnCorrelation?: number;
}

export interface MadeRank {
  readonly ops: readonly MadeOp[];
  readonly calls?: readonly MadeCall[];
  readonly events?: readonly MadeEvent[];
  readonly synchronizations?: readonly MadeSynchronization[];
  /** Without device trace. */
  readonly hostOnly?: boolean;
}

/** The columns of a rank as readers and matching give them. */
export function madeLinks({ ops, calls = [], events = [], synchronizations = [], hostOnly = false }: MadeRank): Links {
  const names: string[] = [];
  const named = (name: string): number => {
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  const timed = ops.map((op, place) => ({ op, place })).filter(({ op }) => op.startNs !== undefined);
  const columns = (
    list: readonly { name?: string; startNs?: number; durationNs?: number; osThread?: number }[],
  ): EventColumns => ({
    length: list.length,
    name: Int32Array.from(list, ({ name = 'op' }) => named(name)),
    startNs: Float64Array.from(list, ({ startNs = 0 }) => startNs),
    durationNs: Float64Array.from(list, ({ durationNs = 0 }) => durationNs),
    thread: Float64Array.from(list, ({ osThread = 101 }) => osThread),
    externalId: new Float64Array(list.length).fill(NaN),
  });
  const device: DeviceTrace = {
    file: 'device_0.json',
    baseMicros: 1_000_000,
    names,
    hostEvents: {
      ...columns(timed.map(({ op }) => ({ ...op, osThread: op.osThread ?? 100 + (op.thread ?? 1) }))),
      annotation: new Uint8Array(timed.length),
      recordId: Float64Array.from(timed, ({ place }) => place + 1),
    },
    calls: { ...columns(calls), correlation: Float64Array.from(calls, ({ correlation = NaN }) => correlation) },
    deviceEvents: {
      ...columns(events),
      kind: Uint8Array.from(events, ({ kind = 'kernel' }) => DeviceKind[kind]),
      stream: Int32Array.from(events, ({ stream = 7 }) => stream),
      device: Int32Array.from(events, (event) => event.device ?? 0),
      correlation: Float64Array.from(events, ({ call }) =>
        call === undefined || call < 0 ? NaN : (calls[call]?.correlation ?? NaN),
      ),
      bytes: new Float64Array(events.length).fill(NaN),
    },
    synchronizations: {
      ...columns(synchronizations),
      stream: Int32Array.from(synchronizations, ({ stream = -1 }) => stream),
      correlation: Float64Array.from(synchronizations, ({ correlation = NaN }) => correlation),
      waitsOnStream: Int32Array.from(synchronizations, ({ waitsOnStream = -1 }) => waitsOnStream),
      waitsOnCorrelation: Float64Array.from(synchronizations, ({ waitsOnCorrelation = NaN }) => waitsOnCorrelation),
      waitsOnEvent: new Float64Array(synchronizations.length).fill(NaN),
    },
    collectives: new Map(),
    distributed: undefined,
    otherEvents: new Map(),
    findings: [],
  };
  const hostEvent = new Int32Array(ops.length).fill(-1);
  timed.forEach(({ place }, event) => (hostEvent[place] = event));
  return {
    rank: 0,
    host: madeHost(ops),
    device: hostOnly ? undefined : device,
    method: hostOnly ? undefined : 'record-id',
    confidence: 1,
    hostEvent: hostOnly ? new Int32Array(ops.length).fill(-1) : hostEvent,
    launcher: Int32Array.from(events, ({ launcher = -1 }) => launcher),
    call: Int32Array.from(events, ({ call = -1 }) => call),
    caller: Int32Array.from(calls, ({ caller = -1 }) => caller),
    exclusiveNs: Float64Array.from(ops, ({ durationNs = NaN }) => durationNs),
  };
}

function madeHost(ops: readonly MadeOp[]): HostTrace {
  const records = ops.flatMap(({ record }, place): [number, CommunicationRecord][] =>
    record === undefined ? [] : [[place, { ...EMPTY_RECORD, ...record }]],
  );
  const names = ops.map(({ name = 'op' }) => name);
  return {
    file: 'host_0.json',
    source: new MemorySource(new Uint8Array(0), 'host_0.json'),
    schema: '1.1.1-chakra.0.0.4',
    pid: 1,
    time: '2024-01-01 00:00:00',
    startMillis: 0,
    finishMillis: 1,
    length: ops.length,
    id: Float64Array.from(ops, ({ id }) => id),
    parent: Float64Array.from(ops, ({ parent }) => parent),
    name: Int32Array.from(ops, (_, place) => place),
    names,
    recordId: Float64Array.from(ops, (_, place) => place + 1),
    thread: Int32Array.from(ops, ({ thread = 1 }) => thread),
    forwardThread: Int32Array.from(ops, ({ forwardThread = 0 }) => forwardThread),
    sequence: Float64Array.from(ops, ({ sequence = -1 }) => sequence),
    offset: new Float64Array(ops.length),
    objectLength: new Uint32Array(ops.length),
    communications: new Map(records),
    groups: new Map(),
    brokenGroups: [],
    findings: [],
  };
}

const EMPTY_RECORD: CommunicationRecord = {
  collective: 'allreduce',
  inputBytes: 0,
  outputBytes: 0,
  elementBytes: NaN,
  inputSplits: [],
  outputSplits: [],
};
