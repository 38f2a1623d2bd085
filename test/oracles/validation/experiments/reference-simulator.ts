import { RandomStream } from '../../../../src/kernel/random.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';
import type { Topology } from '../../../../src/network/topology/topology.js';
import { type PacketPost, type PacketRun } from '../../../support/packet-runs.js';
import { generated } from '../../../support/packet-topologies.js';
import { atMost, figure, near, published, type Experiment, type Figure } from './figure.js';
import { acknowledgedUs, incastOf, post, runTransport } from './transport-run.js';

/**
 * P-1 to P-8: the validation output that the UEC's reference simulator comes with (network-models section 13). 100 Gbit/s, 1 µs
 * a link, packets of 4,150 B with 64 B of header, 2,000,000 B a flow, control by the sender.
 */

const BYTES = 2_000_000;
const LINKS = { gbps: 100, delayNs: 1000 };

/** 14 µs is the round trip of a full packet over six links, 13.69 µs and its serialisation. */
const SETTINGS: StatedSettings = {
  MSS: 4086,
  DataHeaderBytes: 64,
  AckBytes: 64,
  NackBytes: 64,
  TrimmedBytes: 64,
  InitialBaseRTT: 14e6,
  ReferenceLinkSpeed: 100,
  ReferenceRTT: 12e6,
  NsccDelayWeight: 0.0125,
};

function run(topology: Topology, posts: readonly PacketPost[], stated: StatedSettings = {}): PacketRun {
  return runTransport({ nic: 'uet', topology, posts, stated: { ...SETTINGS, ...stated } });
}

const fatTree = (k: number): Topology => generated('fat-tree', { k, ...LINKS });

/** Everybody sends to one and receives from one, nobody to itself. */
function permutation(hosts: number, seed: number): PacketPost[] {
  const stream = new RandomStream(seed, 0, 'permutation');
  // Sattolo's: one cycle over all hosts.
  const order = Array.from({ length: hosts }, (_, host) => host);
  for (let n = hosts - 1; n > 0; n--) {
    const other = Math.floor(stream.uniform() * n);
    [order[n], order[other]] = [order[other], order[n]];
  }
  return order.map((destination, source) => post(source, destination, BYTES));
}

const last = (ran: PacketRun): number => Math.max(...acknowledgedUs(ran));

interface Permutations {
  readonly topology: Topology;
  readonly hosts: number;
  /** How many are run. */
  readonly count: number;
  readonly boundUs: number;
  /** What the slowest comes to where it is beyond the bound. */
  readonly hereUs?: number;
  readonly stated?: StatedSettings;
  /** Words before those of the figure. */
  readonly name?: string;
}

/** Last acknowledged of several permutations: their mean and the slowest. */
function permutations({ topology, hosts, count, boundUs, hereUs, stated, name = '' }: Permutations): Figure[] {
  const times = Array.from({ length: count }, (_, n) => last(run(topology, permutation(hosts, n + 1), stated)));
  const mean = times.reduce((sum, time) => sum + time, 0) / count;
  const instead = hereUs === undefined ? undefined : atMost(hereUs);
  return [
    figure(`${name}last acknowledged, mean`, 'µs', atMost(boundUs), mean),
    figure(`${name}last acknowledged, slowest permutation`, 'µs', atMost(boundUs), Math.max(...times), instead),
  ];
}

const P_1: Experiment = {
  id: 'P-1',
  what: 'one flow of 2,000,000 B over a fat tree of 16 hosts, six links',
  figures() {
    const time = last(run(fatTree(4), [post(0, 15, BYTES)]));
    return [
      // (489 + 5) × 332 + 160.8 + 6,000 + 6 × (5.12 + 1,000) ns.
      figure('acknowledged, closed form of the text', 'µs', near(176.1995, 0.00005), time),
      figure('acknowledged, their output', 'µs', near(176.2, 0.05), time),
      figure('acknowledged, their bound', 'µs', atMost(190), time),
    ];
  },
};

const P_2: Experiment = {
  id: 'P-2',
  what: 'the same in both directions at once',
  figures() {
    const both = [post(0, 15, BYTES), post(15, 0, BYTES)];
    return [
      figure(
        'last acknowledged, an ACK for every fourth packet',
        'µs',
        near(176.8, 0.05),
        last(run(fatTree(4), both, { AckEvery: 4 })),
      ),
      figure('last acknowledged, an ACK for each packet', 'µs', published(176.8), last(run(fatTree(4), both))),
    ];
  },
};

const P_3: Experiment = {
  id: 'P-3',
  what: '15→1, fat tree of 16 hosts',
  figures() {
    const ran = run(fatTree(4), incastOf(15, BYTES));
    const times = acknowledgedUs(ran);
    return [
      figure('first acknowledged', 'µs', published(1273.6), Math.min(...times)),
      figure('last acknowledged', 'µs', published(2478.5), Math.max(...times)),
      figure('last acknowledged, their bound', 'µs', atMost(2550), Math.max(...times)),
    ];
  },
};

const P_4: Experiment = {
  id: 'P-4',
  what: '20 permutations of 16 hosts, 128 paths',
  figures() {
    const common = { topology: fatTree(4), hosts: 16, count: 20, boundUs: 210 };
    return [
      ...permutations({ ...common, hereUs: 216 }),
      ...permutations({ ...common, name: '256 paths: ', stated: { UetPaths: 256 } }),
      ...permutations({ ...common, name: 'switches that spray at random: ', stated: { EcmpMode: 'spray-random' } }),
    ];
  },
};

const P_5: Experiment = {
  id: 'P-5',
  what: '20 permutations of 16 hosts, one path',
  figures: () =>
    permutations({
      ...{ topology: fatTree(4), hosts: 16, count: 20, boundUs: 1300 },
      stated: { UetSpraying: 'none' },
    }),
};

const P_6: Experiment = {
  id: 'P-6',
  what: '2 permutations of 1,024 hosts, 128 paths',
  isLong: true,
  figures() {
    const common = { topology: fatTree(16), hosts: 1024, count: 2, boundUs: 220 };
    return [
      ...permutations({ ...common, hereUs: 226 }),
      ...permutations({ ...common, name: '256 paths: ', stated: { UetPaths: 256 } }),
    ];
  },
};

/** 1,024 hosts on 16 leaves, with fewer spines than a leaf has hosts. */
function oversubscribed(id: string, ratio: number, boundUs: number): Experiment {
  const hostsPerLeaf = 64;
  return {
    id,
    what: `2 permutations of 1,024 hosts on 16 leaves, ${ratio}:1 oversubscribed, 128 paths`,
    isLong: true,
    figures() {
      const spines = hostsPerLeaf / ratio;
      const topology = generated('leaf-spine', { leaves: 16, spines, hostsPerLeaf, ...LINKS });
      return permutations({ topology, hosts: 1024, count: 2, boundUs });
    },
  };
}

export const REFERENCE_SIMULATOR: readonly Experiment[] = [
  P_1,
  P_2,
  P_3,
  P_4,
  P_5,
  P_6,
  oversubscribed('P-7', 4, 880),
  oversubscribed('P-8', 8, 1760),
];
