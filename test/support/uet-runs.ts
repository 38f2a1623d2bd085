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
import type { Topology, TopologyLink } from '../../src/network/topology/topology.js';

import { packetSettings, packetTopology, type LinkFacts } from './packet-runs.js';

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
  const { uet = {}, nscc = {}, switches = {}, frames = {}, hosts = {}, fold = true, seed = 1 } = overrides;
  return packetSettings({
    ...{ nic: 'uet', seed, fold, uet, hosts },
    frames: { ...{ dataHeaderBytes: 106, ackBytes: 78, pfcBytes: 64 }, ...frames },
    switches: {
      ...{ trimming: true, lossless: [false, false], bufferBytes: 256_000_000 },
      ...{ egressLimitBytes: 300_000, controlLimitBytes: 300_000 },
      ecn: { enabled: true, thresholds: [{ kminBytes: 60_000, kmaxBytes: 240_000, pmax: 1 }] },
      ...switches,
    },
    nscc: { ...{ targetFactor: 0.75, trimming: true }, ...nscc },
  });
}

export function oneSwitch(hosts: number, other: Partial<TopologyLink> = {}): Topology {
  const links = Array.from({ length: hosts }, (_, host): LinkFacts => [host, hosts, other]);
  return packetTopology(hosts, 1, links);
}

/** leaf-spine(2, 4, 4): hosts 0 … 7, leaves 8 and 9, spines 10 … 13. */
export function twoLeaves(): Topology {
  const links = Array.from({ length: 8 }, (_, host): LinkFacts => [host, host < 4 ? 8 : 9]);
  for (const leaf of [8, 9]) for (const spine of [10, 11, 12, 13]) links.push([leaf, spine]);
  return packetTopology(8, 6, links);
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
