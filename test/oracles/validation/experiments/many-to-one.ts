import { peakQueueBytes, total } from '../../../support/packet-runs.js';
import { atLeast, atMost, between, exactly, figure, type Experiment, type Figure } from './figure.js';
import { oneSwitch } from './one-message.js';
import { acknowledgedUs, dropsOf, incastOf, runTransport } from './transport-run.js';

/** V-12: incast of UET. */

/** `1,024 s + s + 2.00312` and the same of seven, µs. */
const BOUND = { 4: 88.144, 7: 152.687 } as const;
/** NACKs that the text counted in its own check. */
const NACKS = { 4: 62, 7: 157 } as const;
/** And what SW-3 and SW-8 come to here and in the slow reading of them. */
const NACKS_HERE = { 4: 63, 7: 178 } as const;

function incast(senders: 4 | 7, Trimming: boolean): Figure[] {
  const ran = runTransport({
    nic: 'uet',
    topology: oneSwitch(senders + 1),
    posts: incastOf(senders),
    ...(Trimming ? {} : { stated: { Trimming } }),
  });
  const { fabric, hostCounters } = ran.network;
  const bound = BOUND[senders];
  const name = `${senders}→1, ${Trimming ? 'trimming' : 'no trimming'}`;
  const queue = Math.max(...fabric.numbers.nodeOf.map((_, port) => peakQueueBytes(fabric, port)));
  const trims = total(fabric.counters.trims);
  const common = [
    figure(
      `${name}: last acknowledged`,
      'µs',
      between(bound, Number((1.05 * bound).toFixed(5))),
      Math.max(...acknowledgedUs(ran)),
    ),
    figure(`${name}: timeouts`, '', exactly(0), total(hostCounters.timeouts)),
    figure(`${name}: drops`, '', exactly(0), dropsOf(ran)),
    figure(`${name}: most bytes at an egress`, 'B', atMost(Trimming ? 450_000 : 1_500_000), queue),
  ];
  if (!Trimming) return common;
  return [
    ...common,
    figure(`${name}: NACKs`, '', atLeast(1), trims),
    figure(`${name}: NACKs in the check of the text`, '', exactly(NACKS[senders]), trims, exactly(NACKS_HERE[senders])),
    figure(`${name}: packets sent again`, '', exactly(trims), total(hostCounters.retransmissions)),
  ];
}

export const MANY_TO_ONE: Experiment = {
  id: 'V-12',
  what: 'incast over one switch, 1 MiB each, UET',
  figures: () => ([4, 7] as const).flatMap((senders) => [...incast(senders, true), ...incast(senders, false)]),
};
