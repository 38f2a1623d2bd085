import type { Topology } from '../../../../src/network/topology/topology.js';
import { total } from '../../../support/packet-runs.js';
import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { figure, within, type Experiment, type Figure } from './figure.js';
import { oneSwitch } from './one-message.js';
import { gotBy, NIC_NAMES, post, runTransport } from './transport-run.js';

/** V-16: one link of two loses packets at random. */

/** A full frame at 400 Gbit/s, ps. */
const FRAME_PS = { roce: 83_080, mrc: 83_400 };
/** For which the message lasts at line rate: 197 MB of RoCEv2. */
const RUN_PS = 4e9;
/** Runs whose mean is taken. */
const SEEDS = { '0.0001': 2, '0.001': 2, '0.01': 6 };
const LOSSES = ['0.0001', '0.001', '0.01'] as const;
/** (1 − p) / (1 + 24 p), as the text has it; of MRC 1 − p. */
const EXPECTED = {
  roce: { '0.0001': 0.9975, '0.001': 0.9755, '0.01': 0.798 },
  mrc: { '0.0001': 0.9999, '0.001': 0.999, '0.01': 0.99 },
};

function lossyLink(loss: number): Topology {
  const { nodes, links } = oneSwitch(2);
  return { nodes, links: links.map((link) => (link.a === 0 ? { ...link, loss } : link)) };
}

/** Packets delivered while a long message is sent, over those of the line; the mean of several seeds. */
function goodput(nic: 'roce' | 'mrc', loss: keyof typeof SEEDS): number {
  const posts = [post(0, 1, 4096 * Math.ceil(RUN_PS / FRAME_PS[nic]))];
  const stated = nic === 'roce' ? { RetransmitTimeout: 20e6 } : {};
  let delivered = 0;
  for (let seed = 1; seed <= SEEDS[loss]; seed++) {
    const ran = runTransport({ nic, topology: lossyLink(Number(loss)), posts, stated, seed, stopPs: RUN_PS });
    const { duplicates, outOfOrder } = ran.network.hostCounters;
    // Go-back-N throws away what comes out of order.
    const refused = nic === 'roce' ? total(outOfOrder) : 0;
    delivered += gotBy(ran, 1, PacketKind.data) - total(duplicates) - refused;
  }
  return (delivered * FRAME_PS[nic]) / (SEEDS[loss] * RUN_PS);
}

/**
 * A lost packet is the first of 27 that do not count: the next one has to be sent and answered, 2 s + 2 × 1,000 ns + 2.52 …
 * behind its start. The NAK and the packet sent again are lost with p each, and cost a timeout of 20 µs, 240 packets.
 */
function byTheRules(p: number): number {
  return Number(((1 - p) / (1 + 26 * p + 2 * 240 * p * p)).toFixed(4));
}

function figuresOf(nic: 'roce' | 'mrc'): Figure[] {
  return LOSSES.map((loss) => {
    const expected = within(EXPECTED[nic][loss], 0.05);
    const instead = nic === 'roce' && loss === '0.01' ? within(byTheRules(Number(loss)), 0.02) : undefined;
    return figure(`${NIC_NAMES[nic]}, loss ${loss}`, 'of the line', expected, goodput(nic, loss), instead);
  });
}

export const RANDOM_LOSS: Experiment = {
  id: 'V-16',
  what: 'goodput over one switch where one link loses packets at random, 4 ms; RetransmitTimeout 20 µs',
  figures: () => [...figuresOf('roce'), ...figuresOf('mrc')],
};
