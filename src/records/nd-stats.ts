import { decimalFraction } from '../network/byte-rate.js';
import type { IntervalCounts } from '../network/scale-up/scale-up-stats.js';
import { roundedDecimal } from './number-formats.js';
import { decimal, integer, seconds, text, type Cell, type Table } from './record.js';
import { timeUtc } from './run-facts.js';

const DECIMALS = 6;
/** A device of a rank stands where a NIC does. */
const NIC_TIER = 3;

/**
 * `nd-stats` of the scale-up devices: at each multiple of the interval up to the end of the simulation a row for each
 * rank in a group, by rank.
 */
export const ndStats: Table = {
  name: 'nd-stats',
  applies: (_outcome, { scaleUp }) => scaleUp?.stats !== undefined,
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
    const stats = facts.scaleUp?.stats;
    if (stats === undefined) return;
    const { serverOf, groups, groupOf } = facts.placement;
    const time = timeUtc(facts);
    const devices = serverOf
      .map((server, rank) => ({ server, rank, group: groupOf[rank] }))
      .filter(({ group }) => group >= 0)
      .map(({ server, rank, group }) => {
        const { intervalPs } = stats;
        const counters = new DeviceCounters(stats.countsOf(rank), intervalPs, groups[group].bandwidthGbps);
        const about = [server.name, 'ChakraScaleUpNetDevice', 'ChakraScaleUpNic', 0, 'ul', server.node, NIC_TIER, 0];
        return { about, counters };
      });
    const rows = Math.floor(simulationEndPs / stats.intervalPs);
    for (let row = 1; row <= rows; row++) {
      for (const { about, counters } of devices) {
        yield [time, row * stats.intervalPs, ...about, ...counters.cells(row), 0, 0];
      }
    }
  },
};

/** Counters of one device; asked for one row after another. Most rows of most devices are idle and cost no arithmetic. */
class DeviceCounters {
  readonly #counts: readonly IntervalCounts[];
  readonly #intervalPs: number;
  readonly #bandwidthGbps: number;
  #next = 0;
  #packetsSent = 0;
  #packetsReceived = 0;
  #bytesSent = 0;
  #bytesReceived = 0;
  #idle: readonly Cell[] = new Array<Cell>(10).fill(0);

  constructor(counts: readonly IntervalCounts[], intervalPs: number, bandwidthGbps: number) {
    this.#counts = counts;
    this.#intervalPs = intervalPs;
    this.#bandwidthGbps = bandwidthGbps;
  }

  cells(row: number): readonly Cell[] {
    const counts = this.#next < this.#counts.length ? this.#counts[this.#next] : undefined;
    if (counts?.row !== row) return this.#idle;
    this.#next++;
    this.#packetsSent += counts.packetsSent;
    this.#packetsReceived += counts.packetsReceived;
    this.#bytesSent += counts.bytesSent;
    this.#bytesReceived += counts.bytesReceived;
    const totals = [
      this.#packetsSent,
      this.#packetsReceived,
      quotient(this.#bytesSent, 1e9),
      quotient(this.#bytesReceived, 1e9),
    ];
    this.#idle = [...totals, 0, 0, 0, 0, 0, 0];
    return [
      ...totals,
      quotient(counts.bytesSent, 1e6),
      quotient(counts.bytesReceived, 1e6),
      this.#rate(counts.bytesSent),
      this.#rate(counts.bytesReceived),
      this.#percent(counts.bytesSent),
      this.#percent(counts.bytesReceived),
    ];
  }

  /** Gbit/s, which is 1000 bits in so many ps. */
  #rate(bytes: number): bigint {
    return roundedDecimal({ numerator: BigInt(bytes) * 8000n, denominator: BigInt(this.#intervalPs) }, DECIMALS);
  }

  #percent(bytes: number): bigint {
    const bandwidth = decimalFraction(this.#bandwidthGbps);
    const numerator = BigInt(bytes) * 8000n * 100n * bandwidth.denominator;
    return roundedDecimal({ numerator, denominator: BigInt(this.#intervalPs) * bandwidth.numerator }, DECIMALS);
  }
}

function quotient(bytes: number, unit: number): bigint {
  return roundedDecimal({ numerator: BigInt(bytes), denominator: BigInt(unit) }, DECIMALS);
}
