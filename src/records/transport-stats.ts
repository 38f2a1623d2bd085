import { decimalFraction } from '../network/byte-rate.js';
import { CounterReading } from '../network/packet/counts/counter-log.js';
import { HostCount } from '../network/packet/counts/interval-counts.js';
import { PacketKind } from '../network/packet/fabric/packet-record.js';
import { hostsOf } from '../network/topology/topology.js';
import { roundedDecimal } from './number-formats.js';
import { decimal, integer, micros, seconds, text, type Cell, type Column, type Table } from './record.js';
import { timeUtc, type PacketFacts } from './run-facts.js';

const RATE_DECIMALS = 6;

/** Columns of packets and the kinds that they count. A probe's answer counts with the probes. */
const SENT: Readonly<Record<string, readonly number[]>> = {
  data: [PacketKind.data],
  ack: [PacketKind.ack],
  nack: [PacketKind.nack],
  cnp: [PacketKind.cnp],
  probe: [PacketKind.probe, PacketKind.probeAnswer],
  credit: [PacketKind.credit],
};
/** Switches trim packets, so they are received only. */
const RECEIVED = { ...SENT, trimmed: [PacketKind.trimmed] };

const COUNTS: readonly (readonly [column: string, place: number])[] = [
  ['retransmissions', HostCount.retransmissions],
  ['timeouts', HostCount.timeouts],
  ['out_of_order_arrivals', HostCount.outOfOrder],
  ['duplicates', HostCount.duplicates],
  ['pool_drops', HostCount.poolDrops],
  ['messages_posted', HostCount.messagesPosted],
  ['messages_completed', HostCount.messagesCompleted],
];

/** `transport-stats`: at each multiple of the interval up to the end of the simulation a row for each NIC, by node. */
export const transportStats: Table = {
  name: 'transport-stats',
  applies: (_outcome, { packet }) => packet !== undefined,
  columns: ({ packet }) => [
    text('time_utc'),
    seconds('sim_time_sec'),
    text('component_name'),
    integer('node_id'),
    ...Object.keys(SENT).map((kind) => integer(`${kind}_packets_tx`)),
    ...Object.keys(RECEIVED).map((kind) => integer(`${kind}_packets_rx`)),
    ...COUNTS.map(([column]) => integer(column)),
    micros('rtt_min_us', ''),
    micros('rtt_mean_us', ''),
    micros('rtt_max_us', ''),
    ...paceColumns(packet),
  ],
  *rows({ simulationEndPs }, facts) {
    const { packet } = facts;
    if (packet === undefined) return;
    const { hosts, intervalPs } = packet.stats;
    const { nodes } = packet.topology;
    const time = timeUtc(facts);
    const reading = new CounterReading(hosts);
    const paceDecimals = hasRates(packet) ? RATE_DECIMALS : 0;
    const nics = hostsOf(packet.topology);
    const rows = Math.floor(simulationEndPs / intervalPs);
    for (let row = 1; row <= rows; row++) {
      reading.goTo(row);
      for (const node of nics) {
        const counters = reading.now.subarray(node * reading.width, (node + 1) * reading.width);
        const isChanged = reading.isChanged(node);
        yield [
          time,
          row * intervalPs,
          nodes[node].name,
          node,
          ...Object.values(SENT).map((kinds) => sumOf(counters, HostCount.packetsSent, kinds)),
          ...Object.values(RECEIVED).map((kinds) => sumOf(counters, HostCount.packetsReceived, kinds)),
          ...COUNTS.map(([, place]) => counters[place]),
          ...(isChanged ? samples(counters, HostCount.rtt, 0) : NO_SAMPLES),
          ...(isChanged ? samples(counters, HostCount.pace, paceDecimals) : NO_SAMPLES),
        ];
      }
    }
  },
};

/** RoCEv2 has a rate, the others a window. */
function hasRates({ settings }: PacketFacts): boolean {
  return settings.nic === 'roce';
}

function paceColumns(packet: PacketFacts | undefined): Column[] {
  const figures = ['min', 'mean', 'max'];
  return packet !== undefined && hasRates(packet)
    ? figures.map((figure) => decimal(`rate_${figure}_Gbps`, RATE_DECIMALS, ''))
    : figures.map((figure) => integer(`window_${figure}_bytes`, ''));
}

function sumOf(counters: Float64Array, first: number, kinds: readonly number[]): number {
  return kinds.reduce((sum, kind) => sum + counters[first + kind], 0);
}

const NO_SAMPLES: readonly Cell[] = [null, null, null];

/** Least, mean and greatest of the samples of an interval, × 10^decimals. */
function samples(counters: Float64Array, at: number, decimals: number): readonly Cell[] {
  const [count, sum, least, greatest] = counters.subarray(at, at + 4);
  if (count === 0) return NO_SAMPLES;
  return [least, sum / count, greatest].map((value) => roundedDecimal(decimalFraction(value), decimals));
}
