import { framesSent, portBetween, total, type PacketPost } from '../../../support/packet-runs.js';
import { atLeast, atMost, exactly, figure, near, type Experiment, type Figure } from './figure.js';
import { twoLeaves } from './one-message.js';
import { acknowledgedUs, NIC_NAMES, post, runTransport } from './transport-run.js';

/** V-11: every host sends to one of the other leaf, and no link is wanted by two if paths are chosen well. */

/** Acknowledged in V-2, µs. */
const ALONE = { roce: 25.5278, uet: 25.7726, mrc: 25.60684 };
const LEAVES = [8, 9];
const SPINES = [10, 11, 12, 13];
const PACKETS = 256;
/** Four flows take different spines in 4! of 4^4 ways. */
const SHARING = 1 - 24 / 256;
/** Host n of a leaf to host n of the other one. */
const STRAIGHT = [0, 1, 2, 3];
/** When the permutation starts, after the messages that use up numbers of queue pairs. */
const START_PS = 50e6;

/** Host n of a leaf to host `way[n]` of the other one. */
function posts(way: readonly number[], at = 0): PacketPost[] {
  return LEAVES.flatMap((_, leaf) => way.map((to, n) => ({ ...post(4 * leaf + n, 4 * (1 - leaf) + to), at })));
}

function sprayed(nic: 'uet' | 'mrc'): Figure[] {
  const ran = runTransport({ nic, topology: twoLeaves(), posts: posts(STRAIGHT) });
  const name = NIC_NAMES[nic];
  const slowest = Math.max(...acknowledgedUs(ran));
  return [
    figure(`${name}, i → i + 4: last acknowledged`, 'µs', atMost(Number((1.15 * ALONE[nic]).toFixed(6))), slowest),
    figure(`${name}, i → i + 4: timeouts`, '', exactly(0), total(ran.network.hostCounters.timeouts)),
  ];
}

/** What became of the four flows of a leaf. */
interface LeafFlows {
  readonly shareSpine: boolean;
  /** Time of the slowest, over V-2. */
  readonly slowest: number;
}

/** @param before messages of no bytes that each host sends first, to others each: they use up source ports */
function hashed(way: readonly number[], before: number): LeafFlows[] {
  const early = [...Array(8).keys()].flatMap((host) =>
    Array.from({ length: before }, (_, n) => post(host, (host + 1 + n) % 8, 0)),
  );
  const ran = runTransport({ nic: 'roce', topology: twoLeaves(), posts: [...early, ...posts(way, START_PS)] });
  const { fabric } = ran.network;
  const acknowledged = ran.times.slice(early.length).map(({ acked }) => (acked - START_PS) / 1e6);
  return LEAVES.map((leaf, n) => {
    // A flow has 256 packets; what else goes up, ACKs, CNPs and the early messages, is less.
    const flows = SPINES.map((spine) => Math.floor(framesSent(fabric, portBetween(fabric, leaf, spine)) / PACKETS));
    const slowest = Math.max(...acknowledged.slice(4 * n, 4 * n + 4)) / ALONE.roce;
    return { shareSpine: Math.max(...flows) > 1, slowest };
  });
}

function assignments(): Figure[] {
  const leaves = orders(STRAIGHT).flatMap((way) => [0, 3, 6].flatMap((before) => hashed(way, before)));
  const sharing = leaves.filter(({ shareSpine }) => shareSpine);
  const name = `RoCEv2, ${leaves.length} assignments of the flows of a leaf`;
  return [
    figure(`${name}: part in which two share a spine`, '', near(SHARING, 0.05), sharing.length / leaves.length),
    figure(
      `${name}: slowest flow where two share, least`,
      '× V-2',
      atLeast(1.75),
      Math.min(...sharing.map(({ slowest }) => slowest)),
    ),
  ];
}

function orders(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) => orders(values.filter((other) => other !== value)).map((rest) => [value, ...rest]));
}

export const PERMUTATION: Experiment = {
  id: 'V-11',
  what: 'a permutation across leaf-spine(2, 4, 4), 1 MiB each',
  figures: () => [...sprayed('uet'), ...sprayed('mrc'), ...assignments()],
};
