import { MemorySource } from '../../src/base/byte-source.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { linkRank } from '../../src/pytorch/link-rank.js';
import type { Links } from '../../src/pytorch/links.js';
import { shared } from './shared.js';

/** A node of a host trace of schema 1.0.2 or later. */
export interface HostNode {
  readonly id: number;
  readonly name: string;
  readonly parent?: number;
  readonly thread?: number;
  readonly inputs?: readonly unknown[];
  readonly types?: readonly string[];
  readonly outputs?: readonly unknown[];
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** A kernel, and the node and the call that launched it. */
export interface Kernel {
  readonly name: string;
  /** µs. */
  readonly start: number;
  /** Id of the launching host node. */
  readonly launcher?: number;
  /** Start of the launching call, µs; none without it. */
  readonly call?: number;
  readonly thread?: number;
  readonly stated?: Readonly<Record<string, unknown>>;
}

/** An op or annotation of the device trace, µs. */
export interface HostEvent {
  readonly name: string;
  readonly start: number;
  readonly duration: number;
  readonly thread?: number;
  /** Id of the host node that it is. */
  readonly node?: number;
}

export interface RankText {
  readonly rank?: number;
  readonly nodes?: readonly HostNode[];
  /** Absent for a host trace alone. */
  readonly kernels?: readonly Kernel[];
  readonly events?: readonly HostEvent[];
  readonly distributed?: unknown;
}

/** A tensor of as many elements as a record holds it. */
export function tensor(elements: number, elementBytes: number): unknown[] {
  return [7, 8, 0, elements, elementBytes, 'cuda:0'];
}

/** Inputs of a record as PyTorch wrote them from April 2024 on: a group with name and description, start, stride and size. */
export function recorded(
  collective: string,
  group: string,
  {
    tensors = [] as unknown[],
    rank = 0,
    sends = [] as number[],
    receives = [] as number[],
    size = 4,
    sequence = 1,
  } = {},
): Pick<HostNode, 'name' | 'inputs' | 'types' | 'outputs'> {
  return {
    name: 'record_param_comms',
    inputs: [tensors, sequence, [group, 'default_pg'], rank, collective, sends, receives, 0, 1, size],
    types: [
      'GenericList[Tensor(float)]',
      'Int',
      'Tuple[String,String]',
      'Int',
      'String',
      'GenericList[]',
      'GenericList[]',
      'Int',
      'Int',
      'Int',
    ],
    outputs: [tensors],
  };
}

/** Links of a rank, as a linker would make them of traces that say who launched what. */
export function linked({ rank = 0, nodes = [], kernels, events = [], distributed }: RankText): Links {
  const document = {
    ...{ schema: '1.1.1-chakra.0.0.4', pid: 1, time: '2024-08-07 23:45:10', start_ts: 1 },
    nodes: nodes.map(hostNode),
    finish_ts: 2,
  };
  const host = readHostTrace(new MemorySource(Buffer.from(JSON.stringify(document)), `host.${rank}.json`));
  const placeOf = new Map([...host.id].map((id, place) => [id, place]));
  const none = { rank, host, method: undefined, confidence: 0, caller: new Int32Array(0) };
  const hostEvent = new Int32Array(host.length).fill(-1);
  const exclusiveNs = new Float64Array(host.length).fill(NaN);
  if (kernels === undefined) {
    return { ...none, exclusiveNs, device: undefined, hostEvent, launcher: new Int32Array(0), call: new Int32Array(0) };
  }
  const called = kernels.filter(({ call }) => call !== undefined);
  const traceEvents = [
    ...events.map(({ name, start, duration, thread = 1 }) => ({
      ...{
        ph: 'X',
        cat: name.includes('::') ? 'cpu_op' : 'user_annotation',
        name,
        ts: start,
        dur: duration,
        tid: thread,
      },
    })),
    ...called.map((kernel) => ({
      ...{ ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: kernel.call, dur: 1, tid: kernel.thread ?? 1 },
      args: { correlation: kernels.indexOf(kernel) + 1 },
    })),
    ...kernels.map(({ name, start, stated }, place) => ({
      ...{ ph: 'X', cat: 'kernel', name, ts: start, dur: 5, tid: 7 },
      args: { stream: 7, device: 0, correlation: place + 1, ...stated },
    })),
  ];
  const text = JSON.stringify({ schemaVersion: 1, distributedInfo: distributed, traceEvents });
  const device = readDeviceTrace(new MemorySource(Buffer.from(text), `device.${rank}.json`));
  events.forEach(({ node }, event) => {
    if (node !== undefined) hostEvent[placeOf.get(node)!] = event;
  });
  return {
    ...{ ...none, exclusiveNs, device, hostEvent },
    launcher: Int32Array.from(kernels, ({ launcher }) => (launcher === undefined ? -1 : placeOf.get(launcher)!)),
    call: Int32Array.from(kernels, (kernel) => called.indexOf(kernel)),
  };
}

function hostNode({
  id,
  name,
  parent = 1,
  thread = 1,
  inputs = [],
  types = [],
  outputs = [],
  attributes = {},
}: HostNode): unknown {
  const all = { rf_id: id, fw_parent: 0, seq_id: -1, scope: 0, tid: thread, fw_tid: 0, op_schema: '', ...attributes };
  return {
    ...{ id, name, ctrl_deps: parent },
    inputs: { values: inputs, shapes: [], types },
    outputs: { values: outputs, shapes: [], types: [] },
    attrs: Object.entries(all).map(([key, value]) => ({
      ...{ name: key, type: typeof value === 'string' ? 'string' : 'uint64', value },
    })),
  };
}

/** Links of a real rank; of a host trace alone without `device`. Paths below the folder of traces. */
export async function linkedFiles(rank: number, host: string, device?: string): Promise<Links> {
  const hostTrace = readHostTrace(await openTraceSource(shared('traces', host)));
  if (device === undefined) {
    return {
      ...{ rank, host: hostTrace, device: undefined, method: undefined, confidence: 0, caller: new Int32Array(0) },
      hostEvent: new Int32Array(hostTrace.length).fill(-1),
      exclusiveNs: new Float64Array(hostTrace.length).fill(NaN),
      launcher: new Int32Array(0),
      call: new Int32Array(0),
    };
  }
  return linkRank(hostTrace, readDeviceTrace(await openTraceSource(shared('traces', device))), { rank }).links;
}
