import { decimalFraction } from '../network/byte-rate.js';
import { CounterReading } from '../network/packet/counts/counter-log.js';
import { PortCount } from '../network/packet/counts/interval-counts.js';
import type { IntervalCounts } from '../network/scale-up/scale-up-stats.js';
import { roundedDecimal } from './number-formats.js';
import { packetDevices } from './packet-devices.js';
import { decimal, integer, seconds, text, type Cell, type Table } from './record.js';
import { timeUtc, type RunFacts } from './run-facts.js';

const DECIMALS = 6;
/** A device of a rank stands where a NIC does. */
const NIC_TIER = 3;

/** A device with its rows. */
interface Device {
  /** Columns from `component_name` to `subtier`. */
  readonly about: readonly Cell[];
  /** The columns behind them; asked for one row after another. */
  cells(row: number): readonly Cell[];
}

/**
 * `nd-stats`: at each multiple of the interval up to the end of the simulation a row for each port of the packet network,
 * by node and port, and for each rank in a scale-up group, by rank.
 */
export const ndStats: Table = {
  name: 'nd-stats',
  applies: (_outcome, { packet, scaleUp }) => packet !== undefined || scaleUp?.stats !== undefined,
  columns: () => [
    text('time_utc'),
    seconds('sim_time_sec'),
    text('component_name'),
    text('nd_name'),
    text('component_type'),
    integer('ifid'),
    text('uldl'),
    integer('node_id'),
    integer('tier'),
    integer('subtier'),
    integer('total_packets_tx'),
    integer('total_packets_rx'),
    decimal('total_bytes_tx_GB', DECIMALS),
    decimal('total_bytes_rx_GB', DECIMALS),
    decimal('interval_bytes_tx_MB', DECIMALS),
    decimal('interval_bytes_rx_MB', DECIMALS),
    decimal('tx_rate_Gbps', DECIMALS),
    decimal('rx_rate_Gbps', DECIMALS),
    decimal('tx_link_percent_util', DECIMALS),
    decimal('rx_link_percent_util', DECIMALS),
    integer('tx_drops'),
    integer('rx_drops'),
  ],
  *rows({ simulationEndPs }, facts) {
    // Both count at the one interval of the run.
    const intervalPs = facts.packet?.stats.intervalPs ?? facts.scaleUp?.stats?.intervalPs;
    if (intervalPs === undefined) return;
    const time = timeUtc(facts);
    const devices = [...devicesOfPacketNetwork(facts), ...devicesOfRanks(facts)];
    const rows = Math.floor(simulationEndPs / intervalPs);
    for (let row = 1; row <= rows; row++) {
      for (const device of devices) yield [time, row * intervalPs, ...device.about, ...device.cells(row)];
    }
  },
};

function devicesOfPacketNetwork({ packet }: RunFacts): Device[] {
  if (packet === undefined) return [];
  const { ports, intervalPs } = packet.stats;
  const reading = new CounterReading(ports);
  return packetDevices(packet).map(({ name, deviceName, type, index, direction, node, tier, gbps }, port) => {
    const counters = new PortCells(reading, port, new Traffic(intervalPs, gbps));
    const about = [name, deviceName, type, index, direction, node, tier, 0];
    return { about, cells: (row) => counters.cells(row) };
  });
}

function devicesOfRanks({ scaleUp, placement }: RunFacts): Device[] {
  const stats = scaleUp?.stats;
  if (stats === undefined) return [];
  const { serverOf, groups, groupOf } = placement;
  return serverOf
    .map((server, rank) => ({ server, rank, group: groupOf[rank] }))
    .filter(({ group }) => group >= 0)
    .map(({ server, rank, group }) => {
      const traffic = new Traffic(stats.intervalPs, groups[group].bandwidthGbps);
      const counters = new RankCells(stats.countsOf(rank), traffic);
      const about = [server.name, 'ChakraScaleUpNetDevice', 'ChakraScaleUpNic', 0, 'ul', server.node, NIC_TIER, 0];
      return { about, cells: (row) => counters.cells(row) };
    });
}

/** Counters of one port. Most rows of most devices are idle and cost no arithmetic. */
class PortCells {
  readonly #reading: CounterReading;
  readonly #port: number;
  readonly #traffic: Traffic;
  #idle: readonly Cell[] = new Array<Cell>(12).fill(0);

  constructor(reading: CounterReading, port: number, traffic: Traffic) {
    this.#reading = reading;
    this.#port = port;
    this.#traffic = traffic;
  }

  cells(row: number): readonly Cell[] {
    const reading = this.#reading;
    reading.goTo(row);
    if (!reading.isChanged(this.#port)) return this.#idle;
    const at = this.#port * reading.width;
    const { now, before } = reading;
    const count = (place: number): number => now[at + place];
    const added = (place: number): number => now[at + place] - before[at + place];
    const { packetsSent, packetsReceived, bytesSent, bytesReceived, sendDrops, receiveDrops } = PortCount;
    const totals = this.#traffic.totals(
      [count(packetsSent), count(packetsReceived)],
      [count(bytesSent), count(bytesReceived)],
    );
    const drops = [count(sendDrops), count(receiveDrops)];
    this.#idle = [...totals, 0, 0, 0, 0, 0, 0, ...drops];
    return [...totals, ...this.#traffic.ofInterval(added(bytesSent), added(bytesReceived)), ...drops];
  }
}

/** Counters of one rank's scale-up device, which loses nothing. */
class RankCells {
  readonly #counts: readonly IntervalCounts[];
  readonly #traffic: Traffic;
  #next = 0;
  readonly #packets = [0, 0];
  readonly #bytes = [0, 0];
  #idle: readonly Cell[] = new Array<Cell>(12).fill(0);

  constructor(counts: readonly IntervalCounts[], traffic: Traffic) {
    this.#counts = counts;
    this.#traffic = traffic;
  }

  cells(row: number): readonly Cell[] {
    const counts = this.#next < this.#counts.length ? this.#counts[this.#next] : undefined;
    if (counts?.row !== row) return this.#idle;
    this.#next++;
    this.#packets[0] += counts.packetsSent;
    this.#packets[1] += counts.packetsReceived;
    this.#bytes[0] += counts.bytesSent;
    this.#bytes[1] += counts.bytesReceived;
    const totals = this.#traffic.totals(this.#packets, this.#bytes);
    this.#idle = [...totals, 0, 0, 0, 0, 0, 0, 0, 0];
    return [...totals, ...this.#traffic.ofInterval(counts.bytesSent, counts.bytesReceived), 0, 0];
  }
}

/** Packets and bytes of a device in the units of the columns; pairs are what was sent, then what was received. */
class Traffic {
  readonly #intervalPs: bigint;
  readonly #gbps: { readonly numerator: bigint; readonly denominator: bigint };

  /** @param gbps of the link */
  constructor(intervalPs: number, gbps: number) {
    this.#intervalPs = BigInt(intervalPs);
    this.#gbps = decimalFraction(gbps);
  }

  /** Columns `total_…`. */
  totals(packets: readonly number[], bytes: readonly number[]): readonly Cell[] {
    return [...packets, ...bytes.map((count) => quotient(count, 1e9))];
  }

  /** Columns from `interval_bytes_tx_MB` to `rx_link_percent_util`. */
  ofInterval(...bytes: readonly [number, number]): readonly Cell[] {
    return [
      ...bytes.map((count) => quotient(count, 1e6)),
      ...bytes.map((count) => this.#rate(count)),
      ...bytes.map((count) => this.#percent(count)),
    ];
  }

  /** Gbit/s, which is 1000 bits in so many ps. */
  #rate(bytes: number): bigint {
    return roundedDecimal({ numerator: BigInt(bytes) * 8000n, denominator: this.#intervalPs }, DECIMALS);
  }

  #percent(bytes: number): bigint {
    const { numerator, denominator } = this.#gbps;
    const part = { numerator: BigInt(bytes) * 8000n * 100n * denominator, denominator: this.#intervalPs * numerator };
    return roundedDecimal(part, DECIMALS);
  }
}

function quotient(bytes: number, unit: number): bigint {
  return roundedDecimal({ numerator: BigInt(bytes), denominator: BigInt(unit) }, DECIMALS);
}
