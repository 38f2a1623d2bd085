import { Arm } from '../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../formats/et/et-writer.js';
import { DeviceKind, type DeviceTrace } from '../formats/pytorch/device-trace.js';
import { OwnAttribute } from '../trace/attribute-names.js';
import { NodeType } from '../trace/node-type.js';
import type { HostNodeWriter } from './host-node-writer.js';
import { SYNTHETIC_NAME } from './node-order.js';
import { rankMetadata } from './rank-metadata.js';
import { communicationsByOrigin, type PlacedCommunication, type RankNodes, type RankSettlement } from './rank-nodes.js';

const Head = {
  recordId: attributeHead('rf_id', Arm.int64),
  sequence: attributeHead('seq_id', Arm.int64),
  thread: attributeHead('tid', Arm.int64),
  forwardThread: attributeHead('fw_tid', Arm.int64),
  isHost: attributeHead('is_cpu_op', Arm.bool),
  hostId: attributeHead('host_id', Arm.uint64),
  stream: attributeHead('stream', Arm.int64),
  device: attributeHead('device', Arm.int64),
  category: attributeHead('cat', Arm.string),
  correlation: attributeHead('correlation', Arm.int64),
  bytes: attributeHead('bytes', Arm.int64),
  startFraction: attributeHead('start_ns_fraction', Arm.int64),
  durationNs: attributeHead('duration_ns', Arm.int64),
  waitNs: attributeHead('wait_ns', Arm.int64),
  inclusiveNs: attributeHead('inclusive_duration_ns', Arm.int64),
  synthetic: attributeHead('synthetic', Arm.bool),
  type: attributeHead('comm_type', Arm.int64),
  size: attributeHead('comm_size', Arm.int64),
  group: attributeHead('pg_name', Arm.string),
  root: attributeHead(OwnAttribute.root, Arm.int64),
  source: attributeHead('comm_src', Arm.int32),
  destination: attributeHead('comm_dst', Arm.int32),
  tag: attributeHead('comm_tag', Arm.int32),
  issueOrder: attributeHead(OwnAttribute.issueOrder, Arm.int64),
  splits: attributeHead(OwnAttribute.splits, Arm.int64List),
  receiveSplits: attributeHead(OwnAttribute.receiveSplits, Arm.int64List),
} as const;

/** As the profiler calls them. */
const CATEGORIES: Readonly<Record<number, Uint8Array>> = {
  [DeviceKind.kernel]: Buffer.from('kernel'),
  [DeviceKind.copy]: Buffer.from('gpu_memcpy'),
  [DeviceKind.set]: Buffer.from('gpu_memset'),
  [DeviceKind.annotation]: Buffer.from('gpu_user_annotation'),
};

/**
 * Writes a linked rank: metadata, then every node with its dependencies (docs/link.md, docs/formats.md).
 * @param hostNodes writes what only the host trace says of a node
 */
export function writeRank(rank: RankNodes, hostNodes: HostNodeWriter, out: EtWriter): void {
  const { links, order, dependencies, settlement } = rank;
  const { host, device } = links;
  const hostNames = host.names.map((name) => Buffer.from(name));
  const deviceNames = (device?.names ?? []).map((name) => Buffer.from(name));
  const communications = communicationsByOrigin(rank.communications);
  out.metadata(rankMetadata(host, rank.place));
  const caller = new Int32Array(1);
  for (let node = 0; node < order.length; node++) {
    const origin = order.origin[node];
    const placed = communications.get(origin)?.[order.part[node]];
    const name =
      origin === host.length
        ? SYNTHETIC_NAME
        : origin >= 0
          ? hostNames[host.name[origin]]
          : deviceNames[device!.deviceEvents.name[-1 - origin]];
    out.begin(node, name, typeOf(placed, origin, host.names[host.name[origin]]));
    if (order.caller[node] >= 0) {
      caller[0] = order.caller[node];
      out.control(caller);
    }
    out.data(dependencies.target, dependencies.start[node], dependencies.start[node + 1]);
    if (origin === host.length) {
      out.integer(Head.isHost, 1);
      out.integer(Head.synthetic, 1);
    } else if (origin >= 0) writeHostNode(rank, hostNodes, out, origin, placed === undefined);
    else writeDeviceNode(rank, device!, out, -1 - origin);
    if (placed !== undefined) writeCommunication(placed, settlement, out);
    out.end();
  }
}

function typeOf(placed: PlacedCommunication | undefined, origin: number, name: string | undefined): number {
  if (placed === undefined) {
    return origin >= 0 && name?.includes('process_group:init') ? NodeType.metadata : NodeType.compute;
  }
  const { kind } = placed.communication;
  return kind === 'collective' ? NodeType.collective : kind === 'send' ? NodeType.send : NodeType.receive;
}

/** @param isHost not for a communication, which simulators run beside the host */
function writeHostNode(
  { links, dependencies, waitsLeftOut }: RankNodes,
  hostNodes: HostNodeWriter,
  out: EtWriter,
  place: number,
  isHost: boolean,
): void {
  const { host, device, hostEvent, exclusiveNs } = links;
  const event = hostEvent[place];
  if (device !== undefined && event >= 0) {
    const { startNs, durationNs } = device.hostEvents;
    const waitNs = dependencies.waitNs[place];
    const ownNs = waitsLeftOut ? exclusiveNs[place] - waitNs : exclusiveNs[place];
    writeTimes(device, startNs[event], ownNs, out);
    hostNodes.write(place, out);
    writeExactTimes(startNs[event], ownNs, out);
    if (waitNs > 0) out.integer(Head.waitNs, waitNs);
    out.integer(Head.inclusiveNs, durationNs[event]);
  } else hostNodes.write(place, out);
  out.integer(Head.isHost, isHost ? 1 : 0);
  out.integer(Head.hostId, host.id[place]);
}

function writeDeviceNode({ links }: RankNodes, device: DeviceTrace, out: EtWriter, event: number): void {
  const { host, launcher } = links;
  const { deviceEvents } = device;
  const kind = deviceEvents.kind[event];
  // A span over a stream takes no time of the device itself.
  const durationNs = kind === DeviceKind.annotation ? 0 : deviceEvents.durationNs[event];
  writeTimes(device, deviceEvents.startNs[event], durationNs, out);
  const by = launcher[event];
  if (by >= 0) {
    out.integer(Head.recordId, host.recordId[by]);
    out.integer(Head.sequence, host.sequence[by]);
    out.integer(Head.thread, host.thread[by]);
    out.integer(Head.forwardThread, host.forwardThread[by]);
  }
  out.integer(Head.isHost, 0);
  out.text(Head.category, CATEGORIES[kind]);
  if (deviceEvents.stream[event] >= 0) out.integer(Head.stream, deviceEvents.stream[event]);
  if (deviceEvents.device[event] >= 0) out.integer(Head.device, deviceEvents.device[event]);
  if (Number.isSafeInteger(deviceEvents.correlation[event]))
    out.integer(Head.correlation, deviceEvents.correlation[event]);
  if (Number.isSafeInteger(deviceEvents.bytes[event])) out.integer(Head.bytes, deviceEvents.bytes[event]);
  writeExactTimes(deviceEvents.startNs[event], deviceEvents.durationNs[event], out);
}

/** Times in whole µs, on the clock of the device trace so that ranks can be compared. */
function writeTimes({ baseMicros }: DeviceTrace, startNs: number, durationNs: number, out: EtWriter): void {
  out.startMicros(baseMicros + Math.floor(startNs / 1000));
  out.durationMicros(Math.round(durationNs / 1000));
}

/** What whole µs leave out: ns behind `start_time_micros`, and the duration in ns. */
function writeExactTimes(startNs: number, durationNs: number, out: EtWriter): void {
  const fraction = startNs - 1000 * Math.floor(startNs / 1000);
  if (fraction > 0) out.integer(Head.startFraction, fraction);
  out.integer(Head.durationNs, durationNs);
}

function writeCommunication(
  { communication, place }: PlacedCommunication,
  settlement: RankSettlement | undefined,
  out: EtWriter,
): void {
  const { kind, type, bytes, group, order, sendSplits, receiveSplits } = communication;
  if (type >= 0) out.integer(Head.type, type);
  if (!Number.isNaN(bytes)) out.integer(Head.size, bytes);
  if (group !== '') out.text(Head.group, group);
  if (order >= 0) out.integer(Head.issueOrder, order);
  if (kind === 'collective') {
    const root = settlement?.roots[place] ?? communication.root;
    if (root >= 0) out.integer(Head.root, root);
    if (sendSplits.length > 0) out.integers(Head.splits, sendSplits);
    if (receiveSplits.length > 0) out.integers(Head.receiveSplits, receiveSplits);
    return;
  }
  const peer = settlement?.peers[place] ?? communication.peer;
  if (peer >= 0) out.integer(kind === 'send' ? Head.destination : Head.source, peer);
  const tag = settlement?.tags[place] ?? -1;
  if (tag >= 0) out.integer(Head.tag, tag);
}
