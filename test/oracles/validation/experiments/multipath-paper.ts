import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import type { Topology } from '../../../../src/network/topology/topology.js';
import { generated } from '../../../support/packet-topologies.js';
import { atLeast, atMost, between, figure, type Experiment, type Figure } from './figure.js';
import { allReduces, lastReceivedUs, type TopologyFile } from './job-run.js';
import { twoLeaves } from './one-message.js';
import { MIB, NIC_NAMES, post, receivedUs, runTransport } from './transport-run.js';

/** P-9 to P-11: claims of the paper on MRC (network-models section 13), of which only the direction can be compared. */

const VICTIM = post(15, 1, 16 * MIB);

/** Rate of a flow between two leaves beside an incast of seven over the same spines, over its rate alone. */
function victimRate(nic: NicKind): number {
  const topology = generated('leaf-spine', { leaves: 2, spines: 4, hostsPerLeaf: 8 });
  const incast = [8, 9, 10, 11, 12, 13, 14].map((host) => post(host, 0, 16 * MIB));
  const [alone] = receivedUs(runTransport({ nic, topology, posts: [VICTIM] }));
  const [beside] = receivedUs(runTransport({ nic, topology, posts: [VICTIM, ...incast] }));
  return alone / beside;
}

const P_9: Experiment = {
  id: 'P-9',
  what: 'a flow of 16 MiB beside a 7→1 incast, leaf-spine(2, 4, 8): its rate over that alone; the paper has 1 and 0.75',
  figures() {
    const [mrc, roce] = [victimRate('mrc'), victimRate('roce')];
    return [figure('MRC', '', between(0.95, 1.01), mrc), figure('RoCEv2 with DCQCN', '', atMost(0.75), roce)];
  },
};

const P_10: Experiment = {
  id: 'P-10',
  what: '100 MB across spines where every link loses 0.1 %: part of the line, the paper says near line rate',
  figures() {
    const { nodes, links } = twoLeaves();
    const lossy: Topology = { nodes, links: links.map((link) => ({ ...link, loss: 0.001 })) };
    const share = (nic: NicKind, frame: number): Figure['got'] => {
      const [received] = receivedUs(runTransport({ nic, topology: lossy, posts: [post(0, 5, 100e6)] }));
      return (Math.ceil(100e6 / 4096) * frame * 8) / 400e3 / received;
    };
    return [
      figure(NIC_NAMES.mrc, 'of the line', atLeast(0.9), share('mrc', 4170)),
      figure(NIC_NAMES.roce, 'of the line', atMost(0.9), share('roce', 4154)),
    ];
  },
};

/** Two leaves of four hosts under four spines; neighbours of a ring are on different leaves. */
const ALTERNATE: TopologyFile = {
  version: 1,
  nodes: [
    ...Array.from({ length: 8 }, (_, id) => ({ id, kind: 'host' })),
    ...Array.from({ length: 6 }, (_, n) => ({ id: 8 + n, kind: 'switch' })),
  ],
  links: [
    ...Array.from({ length: 8 }, (_, host) => ({ a: host, b: 8 + (host % 2), gbps: 400, delayNs: 500 })),
    ...[8, 9].flatMap((a) => [10, 11, 12, 13].map((b) => ({ a, b, gbps: 400, delayNs: 500 }))),
  ],
};

/** 14 steps of 8 MiB one after the other at line rate, µs. */
function atLineUs(frameBytes: number): number {
  return (14 * 2048 * frameBytes * 8) / 400e3;
}

const P_11: Experiment = {
  id: 'P-11',
  what: 'ring AllReduce of 64 MiB over 8 ranks on alternate leaves: 16 queue pairs of RoCEv2, a 16th each, over one of MRC',
  async figures() {
    const common = { topology: ALTERNATE };
    const bytes = 64 * MIB;
    const mrc = await lastReceivedUs({ ...common, ranks: allReduces(8, bytes), nic: 'mrc', stated: { EvCount: 256 } });
    const stated = { QpsPerPair: 16 };
    const roce = await lastReceivedUs({ ...common, ranks: allReduces(8, bytes / 16, 16), nic: 'roce', stated });
    return [
      figure('MRC, one queue pair, 256 values: last received', 'µs', atLeast(atLineUs(4170)), mrc),
      figure('RoCEv2, 16 queue pairs: last received', 'µs', atLeast(atLineUs(4154)), roce),
      figure('RoCEv2 over MRC', '', atLeast(1), roce / mrc),
    ];
  },
};

export const MULTIPATH_PAPER: readonly Experiment[] = [P_9, P_10, P_11];
