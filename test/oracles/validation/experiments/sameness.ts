import { RandomStream } from '../../../../src/kernel/random.js';
import { NIC_KINDS, type NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';
import { framesSent, type PacketPost, type PacketRun } from '../../../support/packet-runs.js';
import { exactly, figure, type Experiment, type Figure } from './figure.js';
import { oneSwitch, twoLeaves } from './one-message.js';
import { NIC_NAMES, runTransport } from './transport-run.js';

/** V-19: what must not change a run. */

const HOSTS = 8;
const RENUMBERED = [5, 2, 7, 0, 3, 6, 1, 4];

/** Transfers of up to 300,000 B between random hosts within 40 µs. */
function traffic(count: number): PacketPost[] {
  const stream = new RandomStream(19, 0, 'traffic');
  const draw = (below: number): number => Math.floor(stream.uniform() * below);
  return Array.from({ length: count }, () => {
    const source = draw(HOSTS);
    return {
      source,
      destination: (source + 1 + draw(HOSTS - 1)) % HOSTS,
      bytes: draw(300_001),
      at: draw(40_000_000),
    };
  });
}

/** Times and all that was counted. */
function recordsOf({ times, network: { fabric, hostCounters } }: PacketRun): string {
  const frames = fabric.numbers.nodeOf.map((_, port) => framesSent(fabric, port));
  return JSON.stringify([times, [...frames], fabric.counters, hostCounters], (_, value) =>
    value instanceof Float64Array ? [...value].map(String) : (value as unknown),
  );
}

/** Runs of every kind: idle and congested, with losses, over one path and many. */
function runs(nic: NicKind, fold: boolean): string[] {
  const posts = traffic(60);
  const { nodes, links } = twoLeaves();
  const lossy = { nodes, links: links.map((link) => ({ ...link, loss: 0.001 })) };
  const toOne = posts.map((post) => ({ ...post, source: post.source === 0 ? 1 : post.source, destination: 0 }));
  return [
    runTransport({ nic, fold, topology: twoLeaves(), posts }),
    runTransport({ nic, fold, topology: oneSwitch(HOSTS), posts: toOne }),
    runTransport({ nic, fold, topology: lossy, posts, stated: nic === 'roce' ? { RetransmitTimeout: 100e6 } : {} }),
  ].map(recordsOf);
}

const different = (one: readonly string[], other: readonly string[]): number =>
  one.filter((record, n) => record !== other[n]).length;

/** Transfers whose times change with the numbers of the hosts; marks are off, which are drawn by node. */
function changedByNumbers(nic: NicKind): number {
  const stated: StatedSettings = { Ecn: false };
  const posts = traffic(60);
  const renumbered = posts.map((post) => ({
    ...post,
    source: RENUMBERED[post.source],
    destination: RENUMBERED[post.destination],
  }));
  const [before, after] = [posts, renumbered].map(
    (each) => runTransport({ nic, topology: oneSwitch(HOSTS), posts: each, stated }).times,
  );
  return before.filter((times, n) => JSON.stringify(times) !== JSON.stringify(after[n])).length;
}

function figuresOf(nic: NicKind): Figure[] {
  const first = runs(nic, true);
  const name = NIC_NAMES[nic];
  return [
    figure(`${name}: runs that differ when run again`, '', exactly(0), different(first, runs(nic, true))),
    figure(`${name}: runs that differ without the fold`, '', exactly(0), different(first, runs(nic, false))),
    figure(`${name}: transfers that differ with hosts renumbered`, '', exactly(0), changedByNumbers(nic)),
  ];
}

export const SAMENESS: Experiment = {
  id: 'V-19',
  what: 'times and counters of the same run again, without the fold, and with other numbers of hosts (one switch, no marks)',
  figures: () => NIC_KINDS.flatMap(figuresOf),
};
