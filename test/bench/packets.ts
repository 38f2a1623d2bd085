import { Kernel } from '../../src/kernel/kernel.js';
import { packetSettings } from '../../src/network/packet/default-settings.js';
import { Fabric } from '../../src/network/packet/fabric.js';
import type { HostSide } from '../../src/network/packet/host-side.js';
import * as packetRecord from '../../src/network/packet/packet-record.js';
import { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { NicKind } from '../../src/network/packet/packet-settings.js';
import * as portRecord from '../../src/network/packet/port-record.js';
import type { StatedSettings } from '../../src/network/packet/stated-settings.js';
import { generatedTopology } from '../../src/network/topology/generators/generators.js';
import { hostsOf, type Topology } from '../../src/network/topology/topology.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const { BYTES, DESTINATION, FLAGS, HASH, KIND, PACKET_INTEGERS, PacketKind, SOURCE } = packetRecord;
const { DATA, PACKETS_SENT, PORT_DOUBLES, PORT_INTEGERS, SERVICE_CLASS } = portRecord;

const FAT_TREE = generatedTopology('fat-tree', { k: 8, gbps: 400, delayNs: 500 });
const LEAF_SPINE = generatedTopology('leaf-spine', {
  leaves: 32,
  spines: 32,
  hostsPerLeaf: 32,
  gbps: 400,
  delayNs: 500,
});
const FRAME_BYTES = 4154;
/** Packets of each host that are under way: so many load the links of the fat tree to 80 %. */
const PACKETS_A_HOST = 40;
const MICROSECOND = 1e6;

/** xorshift32, so that a run is the same each time. */
function draws(): (below: number) => number {
  let state = 123_456_789;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Hosts without a transport: a packet that arrives is sent on to another host, so that the load stays. */
class Ricochet implements HostSide {
  readonly #draw = draws();

  constructor(
    readonly fabric: Fabric,
    readonly kernel: Kernel,
    readonly hosts: number,
    readonly untilPs: number,
  ) {}

  begin(): void {
    for (let host = 0; host < this.hosts; host++) {
      for (let more = 0; more < PACKETS_A_HOST; more++) {
        const slot = this.fabric.packets.take();
        const at = slot * PACKET_INTEGERS;
        const packets = this.fabric.packets.integers;
        packets[at + KIND] = PacketKind.data;
        packets[at + FLAGS] = 0;
        packets[at + BYTES] = FRAME_BYTES;
        this.#send(slot, host, this.fabric.numbers.first[host]);
      }
    }
  }

  ended(port: number): void {
    this.wants(port);
  }

  wants(port: number): void {
    const { fabric } = this;
    if (fabric.integers[port * PORT_INTEGERS + SERVICE_CLASS] >= 0) return;
    const slot = fabric.takeFirst(port);
    if (slot >= 0) fabric.leave(port, slot);
  }

  consume(slot: number, port: number): void {
    if (this.kernel.now > this.untilPs) this.fabric.packets.release(slot);
    else this.#send(slot, this.fabric.numbers.nodeOf[port], port);
  }

  #send(slot: number, host: number, port: number): void {
    const packets = this.fabric.packets.integers;
    const at = slot * PACKET_INTEGERS;
    const other = this.#draw(this.hosts - 1);
    packets[at + SOURCE] = host;
    packets[at + DESTINATION] = other < host ? other : other + 1;
    packets[at + HASH] = this.#draw(2 ** 32) | 0;
    this.fabric.enqueue(port, slot, DATA);
    this.wants(port);
  }
}

const PLAIN: StatedSettings = {
  CongestionControl: 'none',
  PfcMode: 'off',
  Ecn: false,
  QpMessagesInFlight: 0,
};

function settingsOf(topology: Topology, nic: NicKind, stated: StatedSettings) {
  return packetSettings(topology, { nic, seed: 1, stated }).settings;
}

function framesSent(fabric: Fabric): number {
  let frames = 0;
  for (let port = 0; port < fabric.numbers.count; port++) frames += fabric.doubles[port * PORT_DOUBLES + PACKETS_SENT];
  return frames;
}

/** Frames over links per CPU second, without NICs. */
function hopRate(): number {
  const kernel = new Kernel();
  const fabric = new Fabric({ topology: FAT_TREE, settings: settingsOf(FAT_TREE, 'roce', PLAIN) }, kernel, false);
  const hosts = new Ricochet(fabric, kernel, hostsOf(FAT_TREE).length, 1000 * MICROSECOND);
  fabric.hosts = hosts;
  const perEvent = perCpuSecond(1, () => {
    hosts.begin();
    kernel.run();
  });
  return perEvent * framesSent(fabric);
}

interface Posted {
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
  readonly atPs: number;
}

interface Ran {
  readonly cpuSeconds: number;
  readonly network: PacketNetwork;
  /** Bytes of columns before the run, where the network was built. */
  readonly bytesBefore: number;
}

function columns(): number {
  // What the last run left goes only after the objects that held it.
  for (let times = 0; times < 4; times++) globalThis.gc?.();
  return process.memoryUsage().arrayBuffers;
}

function ran(topology: Topology, nic: NicKind, stated: StatedSettings, posts: readonly Posted[]): Ran {
  const kernel = new Kernel();
  let left = posts.length;
  const hosts = Int32Array.from(hostsOf(topology));
  const listener = { sent: () => {}, received: () => {}, acknowledged: () => left-- };
  const network = new PacketNetwork({ topology, settings: settingsOf(topology, nic, stated) }, hosts, kernel, listener);
  const onPost = kernel.addHandler((index) => {
    const { source, destination, bytes } = posts[index];
    network.post(index, source, destination, bytes, kernel.now);
  });
  for (const [index, { atPs, source }] of posts.entries()) kernel.schedule(atPs, 3, source, onPost, index);
  const bytesBefore = columns();
  const cpuSeconds = 1 / perCpuSecond(1, () => kernel.run());
  if (left !== 0) throw new Error(`${left} of ${posts.length} transfers did not end`);
  return { cpuSeconds, network, bytesBefore };
}

/** Messages of 64 KiB between random hosts of the fat tree, at random times that load the links of hosts to 80 %. */
function randomMessages(): Posted[] {
  const draw = draws();
  const hosts = hostsOf(FAT_TREE).length;
  const bytes = 65_536;
  const gapPs = Math.round((16 * 83_080) / 0.8);
  const posts: Posted[] = [];
  for (let source = 0; source < hosts; source++) {
    for (let atPs = draw(2 * gapPs); atPs < 500 * MICROSECOND; atPs += draw(2 * gapPs)) {
      const other = draw(hosts - 1);
      posts.push({ source, destination: other < source ? other : other + 1, bytes, atPs });
    }
  }
  return posts;
}

/** Each host of the leaf-spine sends to one on another leaf, and all at once. */
function permutation(bytes: number): Posted[] {
  const hosts = hostsOf(LEAF_SPINE).length;
  return Array.from({ length: hosts }, (_, source) => ({
    source,
    destination: (source + hosts / 2 + 1) % hosts,
    bytes,
    atPs: 0,
  }));
}

/** Data packets per CPU second from post to acknowledgment. */
function packetRate(nic: NicKind, stated: StatedSettings = {}): number {
  const bytes = 2_000_000;
  const posts = permutation(bytes);
  const { cpuSeconds } = ran(LEAF_SPINE, nic, stated, posts);
  return (posts.length * Math.ceil(bytes / 4096)) / cpuSeconds;
}

/** Bytes of columns that a run adds to its network, a packet that is under way where most are. */
function bytesAPacket(nic: NicKind): number {
  const { network, bytesBefore } = ran(LEAF_SPINE, nic, {}, permutation(2_000_000));
  return (columns() - bytesBefore) / network.fabric.packets.peak;
}

export const cases: BenchCase[] = [
  { name: 'packets, hops in a fat tree k = 8 at 80 % load, without NICs', unit: 'hops/s', target: 8e6, run: hopRate },
  {
    name: 'packets, hops in a fat tree k = 8 at 80 % load, RoCEv2 messages of 64 KiB without congestion control',
    unit: 'hops/s',
    run: () => {
      const { network, cpuSeconds } = ran(FAT_TREE, 'roce', PLAIN, randomMessages());
      return framesSent(network.fabric) / cpuSeconds;
    },
  },
  {
    name: 'packets, permutation of 1,024 hosts, 2 MB each, UET with NSCC, spraying and trimming',
    unit: 'data packets/s',
    target: 250_000,
    run: () => packetRate('uet'),
  },
  {
    name: 'packets, permutation of 1,024 hosts, 2 MB each, MRC',
    unit: 'data packets/s',
    run: () => packetRate('mrc'),
  },
  {
    name: 'packets, permutation of 1,024 hosts, 2 MB each, RoCEv2 with PFC and DCQCN',
    unit: 'data packets/s',
    run: () => packetRate('roce'),
  },
  ...(['roce', 'uet', 'mrc'] as const).map((nic): BenchCase => ({
    name: `memory: packets under way in the permutation of 1,024 hosts, ${nic}`,
    unit: 'bytes/packet',
    target: 150,
    runs: 1,
    run: () => bytesAPacket(nic),
  })),
];
