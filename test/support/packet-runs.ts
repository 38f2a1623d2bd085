import { Kernel } from '../../src/kernel/kernel.js';
import { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { Fabric } from '../../src/network/packet/fabric/fabric.js';
import type { PacketSettings } from '../../src/network/packet/settings/packet-settings.js';
import { PACKETS_SENT, PEAK, PORT_DOUBLES } from '../../src/network/packet/fabric/port-record.js';
import type { Topology, TopologyLink, TopologyNode } from '../../src/network/topology/topology.js';

/** Some of the settings, at any depth. */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Overrides<T[K]> }
    : T;

/** RoCEv2 at line rate over switches that lose nothing and mark nothing: queues without limit, no PFC. */
const PLAIN: PacketSettings = {
  nic: 'roce',
  seed: 1,
  frames: {
    ...{ mssBytes: 4096, mtuBytes: 9216, minFrameBytes: 0, phyOverheadBytes: 0, dataHeaderBytes: 58, ackBytes: 126 },
    ...{ nackBytes: 62, cnpBytes: 122, probeBytes: 62, trimmedBytes: 62, pfcBytes: 84 },
  },
  routing: { mode: 'flow', hostsForward: false },
  switches: {
    ...{ latencyPs: 0, trimming: false, pfc: 'off', lossless: [true, true] },
    ...{ xoffBytes: 700_000, xonBytes: 300_000, headroomBytes: 256_000, bufferBytes: Infinity },
    ...{ egressLimitBytes: Infinity, controlLimitBytes: Infinity, retransmissionFactor: 1.5 },
    ecn: { enabled: false, thresholds: [], scaleFromGbps: 100, ewma: 1, markAt: 'dequeue', onHostPorts: true },
  },
  hosts: { txStartLatencyPs: 0, rxLatencyPs: 0, ackTurnaroundPs: 0 },
  roce: {
    ...{ qpsPerPair: 1, qpMode: 'pair', qpMessagesInFlight: 1, ackThreshold: 16, ackDelayPs: 1e9 },
    ...{ retransmitTimeoutPs: 64e9, cnpIntervalPs: 50e6, congestionControl: 'none' },
    dcqcn: {
      ...{ profile: 'paper', g: 1 / 256, alphaPeriodPs: 55e6, ratePeriodPs: 55e6, decreasePeriodPs: 0 },
      ...{ byteCounterBytes: 10e6, fastRecoverySteps: 5, additiveGbps: 0.04, hyperGbps: 0.2, scaledFromGbps: 40 },
      ...{ minimumGbps: 0.1, clampTarget: false },
    },
  },
  uet: {
    ...{ ackEvery: 1, gapDetect: false, timeoutPs: 150e6, fixedTimeout: false, probe: false },
    ...{ spraying: 'default', paths: 128, receiverCredit: false },
  },
  nscc: {
    ...{ enabled: true, initialBaseRttPs: 6e6, referenceLinkGbps: 400, referenceRttPs: 6e6, delayWeight: 0.25 },
    ...{ targetFactor: 1, gamma: 0.8, maximumDecrease: 0.5, fairFactor: 5, proportionalFactor: 4, etaFactor: 0.15 },
    ...{ fastFactor: 0.25, maximumWindowFactor: 1.5, baseRttHysteresis: false, trimming: false },
  },
  mrc: { evCount: 128, probeIntervalPs: 1e8, gapDetect: true, evMode: 'ecmp', deniedEvs: [] },
  check: true,
  fold: true,
};

/** {@link PLAIN} with some settings of one's own. */
export function packetSettings(overrides: Overrides<PacketSettings> = {}): PacketSettings {
  return merged(PLAIN, overrides as Record<string, unknown>);
}

function merged<T>(base: T, overrides: Record<string, unknown>): T {
  const result: Record<string, unknown> = { ...(base as object) };
  for (const [key, value] of Object.entries(overrides)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    result[key] = isGroup ? merged(result[key] ?? {}, value as Record<string, unknown>) : value;
  }
  return result as T;
}

/** Ends of a link, and what differs from 400 Gbit/s, 500 ns, no loss. */
export type LinkFacts = readonly [a: number, b: number, other?: Partial<TopologyLink>];

/** Hosts h0, h1, … and behind them switches s0, s1, …. */
export function packetTopology(hosts: number, switches: number, links: readonly LinkFacts[]): Topology {
  const host = (id: number): TopologyNode => ({ kind: 'host', name: `h${id}`, tier: 3 });
  const switchNode = (id: number): TopologyNode => ({ kind: 'switch', name: `s${id}`, tier: 2 });
  return {
    nodes: [
      ...Array.from({ length: hosts }, (_, id) => host(id)),
      ...Array.from({ length: switches }, (_, id) => switchNode(id)),
    ],
    links: links.map(([a, b, other]) => ({ a, b, gbps: 400, delayPs: 500_000, loss: 0, plane: 0, ...other })),
  };
}

/** Hosts on one switch, which is the last node. */
export function singleSwitch(hosts: number, other: Partial<TopologyLink> = {}): Topology {
  return packetTopology(
    hosts,
    1,
    Array.from({ length: hosts }, (_, host) => [host, hosts, other]),
  );
}

/** Switches in a ring, each with one host: between hosts that are less than half the ring apart there is one way. */
export function switchRing(size: number): Topology {
  const numbers = Array.from({ length: size }, (_, number) => number);
  return packetTopology(size, size, [
    ...numbers.map((number): LinkFacts => [number, size + number]),
    ...numbers.map((number): LinkFacts => [size + number, size + ((number + 1) % size)]),
  ]);
}

/** Hosts, then leaves, then spines. */
export function leafSpine(leaves: number, spines: number, hostsPerLeaf: number): Topology {
  const hosts = leaves * hostsPerLeaf;
  const links: LinkFacts[] = Array.from({ length: hosts }, (_, host) => [
    host,
    hosts + Math.floor(host / hostsPerLeaf),
  ]);
  for (let leaf = 0; leaf < leaves; leaf++) {
    for (let spine = 0; spine < spines; spine++) links.push([hosts + leaf, hosts + leaves + spine]);
  }
  return packetTopology(hosts, leaves + spines, links);
}

export interface PacketPost {
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
  /** ps; 0 where absent. */
  readonly at?: number;
}

/** Times of a transfer, ps; NaN for what has not happened. */
export interface PacketTimes {
  sent: number;
  received: number;
  acked: number;
}

export interface PacketRun {
  readonly times: PacketTimes[];
  readonly network: PacketNetwork;
  readonly kernel: Kernel;
}

/**
 * Runs transfers until nothing is left to do or the time is up. Each host is the rank of its number.
 * @param prepare is run before the first event
 */
export function runPackets(
  topology: Topology,
  settings: PacketSettings,
  posts: readonly PacketPost[],
  prepare: (run: PacketRun) => void = () => {},
  stopPs = Infinity,
): PacketRun {
  const kernel = new Kernel();
  const times = posts.map((): PacketTimes => ({ sent: NaN, received: NaN, acked: NaN }));
  const note = (which: keyof PacketTimes) => (transfer: number, timePs: number) => {
    if (!Number.isNaN(times[transfer][which])) throw new Error(`transfer ${transfer}: ${which} twice`);
    times[transfer][which] = timePs;
  };
  const listener = { sent: note('sent'), received: note('received'), acknowledged: note('acked') };
  const hosts = Int32Array.from(topology.nodes.keys()).filter((node) => topology.nodes[node].kind === 'host');
  const network = new PacketNetwork({ topology, settings }, hosts, kernel, listener);
  const handler = kernel.addHandler((transfer) => {
    const { source, destination, bytes } = posts[transfer];
    network.post(transfer, source, destination, bytes, kernel.now);
  });
  for (const [transfer, { at, source }] of posts.entries()) kernel.schedule(at ?? 0, 3, source, handler, transfer);
  const run = { times, network, kernel };
  prepare(run);
  kernel.run(stopPs);
  return run;
}

/** Messages from several hosts to one. */
export function incast(sources: readonly number[], destination: number, bytes: number): PacketPost[] {
  return sources.map((source) => ({ source, destination, bytes }));
}

/** Sum of a counter over all ports, by class where it is kept by class. */
export function total(counter: Float64Array): number {
  return counter.reduce((sum, value) => sum + value, 0);
}

/** Frames that a port has sent or is sending. */
export function framesSent(fabric: Fabric, port: number): number {
  fabric.settle(port);
  return fabric.doubles[port * PORT_DOUBLES + PACKETS_SENT];
}

/** The most bytes that were in the queue of a port and class. */
export function peakQueueBytes(fabric: Fabric, port: number, packetClass = 0): number {
  return fabric.doubles[port * PORT_DOUBLES + PEAK + packetClass];
}

/** The port of a node that leads to another. */
export function portBetween({ numbers: { nodeOf, peerOf } }: Fabric, node: number, peer: number): number {
  return nodeOf.findIndex((owner, port) => owner === node && nodeOf[peerOf[port]] === peer);
}
