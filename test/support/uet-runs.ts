import { Kernel } from '../../src/kernel/kernel.js';
import { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type {
  FrameSettings,
  HostSettings,
  NsccSettings,
  PacketSettings,
  SwitchSettings,
  UetSettings,
} from '../../src/network/packet/settings/packet-settings.js';
import type { Topology, TopologyLink, TopologyNode } from '../../src/network/topology/topology.js';

export const MIB = 1 << 20;

/** What differs from UET at its defaults on 400 Gbit/s links with trimming (SW-0, section 7). */
export interface UetOverrides {
  readonly uet?: Partial<UetSettings>;
  readonly nscc?: Partial<NsccSettings>;
  readonly switches?: Partial<SwitchSettings>;
  readonly frames?: Partial<FrameSettings>;
  readonly hosts?: Partial<HostSettings>;
  readonly fold?: boolean;
  readonly seed?: number;
}

export function uetSettings(overrides: UetOverrides = {}): PacketSettings {
  return {
    nic: 'uet',
    seed: overrides.seed ?? 1,
    frames: {
      ...{ mssBytes: 4096, mtuBytes: 9216, minFrameBytes: 0, phyOverheadBytes: 0, dataHeaderBytes: 106, ackBytes: 78 },
      ...{ nackBytes: 62, cnpBytes: 122, probeBytes: 62, trimmedBytes: 62, pfcBytes: 64 },
      ...overrides.frames,
    },
    routing: { mode: 'flow', hostsForward: false },
    switches: {
      ...{ latencyPs: 0, trimming: true, pfc: 'off', lossless: [false, false], xoffBytes: 700_000, xonBytes: 300_000 },
      ...{ headroomBytes: 256_000, bufferBytes: 256_000_000, egressLimitBytes: 300_000, controlLimitBytes: 300_000 },
      retransmissionFactor: 1.5,
      ecn: {
        ...{ enabled: true, thresholds: [{ kminBytes: 60_000, kmaxBytes: 240_000, pmax: 1 }], scaleFromGbps: 100 },
        ...{ ewma: 1, markAt: 'dequeue', onHostPorts: true },
      },
      ...overrides.switches,
    },
    hosts: { txStartLatencyPs: 0, rxLatencyPs: 0, ackTurnaroundPs: 0, ...overrides.hosts },
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
      ...overrides.uet,
    },
    nscc: {
      ...{ enabled: true, initialBaseRttPs: 6e6, referenceLinkGbps: 400, referenceRttPs: 6e6, delayWeight: 0.25 },
      ...{ targetFactor: 0.75, gamma: 0.8, maximumDecrease: 0.5, fairFactor: 5, proportionalFactor: 4 },
      ...{ etaFactor: 0.15, fastFactor: 0.25, maximumWindowFactor: 1.5, baseRttHysteresis: false, trimming: true },
      ...overrides.nscc,
    },
    mrc: { evCount: 128, probeIntervalPs: 1e8, gapDetect: true, evMode: 'ecmp', deniedEvs: [] },
    check: true,
    fold: overrides.fold ?? true,
  };
}

type Link = readonly [a: number, b: number, other?: Partial<TopologyLink>];

/** Hosts, then switches; 400 Gbit/s, 500 ns, no loss where a link does not say otherwise. */
export function uetTopology(hosts: number, switches: number, links: readonly Link[]): Topology {
  const node = (id: number): TopologyNode =>
    id < hosts ? { kind: 'host', name: `h${id}`, tier: 3 } : { kind: 'switch', name: `s${id}`, tier: 2 };
  return {
    nodes: Array.from({ length: hosts + switches }, (_, id) => node(id)),
    links: links.map(([a, b, other]) => ({ a, b, gbps: 400, delayPs: 500_000, loss: 0, plane: 0, ...other })),
  };
}

export function oneSwitch(hosts: number, other: Partial<TopologyLink> = {}): Topology {
  const links = Array.from({ length: hosts }, (_, host): Link => [host, hosts, other]);
  return uetTopology(hosts, 1, links);
}

/** leaf-spine(2, 4, 4): hosts 0 … 7, leaves 8 and 9, spines 10 … 13. */
export function twoLeaves(): Topology {
  const links = Array.from({ length: 8 }, (_, host): Link => [host, host < 4 ? 8 : 9]);
  for (const leaf of [8, 9]) for (const spine of [10, 11, 12, 13]) links.push([leaf, spine]);
  return uetTopology(8, 6, links);
}

export interface UetPost {
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
  /** ps; 0 where absent. */
  readonly at?: number;
}

/** ps; NaN for what has not happened. */
export interface UetTimes {
  sent: number;
  received: number;
  acknowledged: number;
}

export interface UetRun {
  readonly times: UetTimes[];
  readonly network: PacketNetwork;
  readonly kernel: Kernel;
}

/** Runs transfers between hosts until nothing is left to do. @param prepare is run before the first event */
export function runUet(
  topology: Topology,
  overrides: UetOverrides,
  posts: readonly UetPost[],
  prepare: (run: UetRun) => void = () => {},
): UetRun {
  const kernel = new Kernel();
  const times = posts.map((): UetTimes => ({ sent: NaN, received: NaN, acknowledged: NaN }));
  const note = (which: keyof UetTimes) => (transfer: number, timePs: number) => {
    if (!Number.isNaN(times[transfer][which])) throw new Error(`transfer ${transfer} is ${which} twice`);
    times[transfer][which] = timePs;
  };
  const listener = { sent: note('sent'), received: note('received'), acknowledged: note('acknowledged') };
  const settings = uetSettings(overrides);
  const hosts = Int32Array.from(topology.nodes.keys()).filter((id) => topology.nodes[id].kind === 'host');
  const network = new PacketNetwork({ topology, settings }, hosts, kernel, listener);
  const handler = kernel.addHandler((transfer) => {
    const { source, destination, bytes } = posts[transfer];
    network.post(transfer, source, destination, bytes, kernel.now);
  });
  for (const [transfer, { at, source }] of posts.entries()) kernel.schedule(at ?? 0, 3, source, handler, transfer);
  const run = { times, network, kernel };
  prepare(run);
  kernel.run();
  return run;
}

/** Messages of 1 MiB from hosts 1 … n to host 0. */
export function incast(senders: number, bytes = MIB): UetPost[] {
  return Array.from({ length: senders }, (_, sender) => ({ source: sender + 1, destination: 0, bytes }));
}

export function sumOf(counter: Float64Array): number {
  return counter.reduce((sum, value) => sum + value, 0);
}
