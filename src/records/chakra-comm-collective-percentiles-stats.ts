import { collectiveName } from '../trace/collective-type.js';
import type { CollectiveOutcome } from '../replay/outcome.js';
import { idealMicros } from './ideal-bytes.js';
import { roundedDecimal, type Fraction } from './number-formats.js';
import { always, decimal, integer, micros, text, type Cell, type Column, type Table } from './record.js';

const NOT_AVAILABLE = 'NA';
const RATIO_DECIMALS = 6;

/** Name in the columns, and tenths of a percent. */
const PERCENTILES: readonly (readonly [string, number])[] = [
  ['p50', 500],
  ['p99', 990],
  ['p99_9', 999],
  ['p100', 1000],
];

/**
 * `chakra-comm-collective-percentiles-stats`: a row for each type, algorithm, size and group size, by the first start
 * of its instances. Instances that are not valid are left out, and those that ran to no end before the limit.
 */
export const chakraCommCollectivePercentilesStats: Table = {
  name: 'chakra-comm-collective-percentiles-stats',
  applies: always,
  columns: () => [
    text('comm_type'),
    text('expansion_algo'),
    integer('comm_size'),
    integer('pg_size'),
    integer('count'),
    ...statistics('run_time_us', (name) => micros(name)),
    ...statistics('ideal_ratio', (name) => decimal(name, RATIO_DECIMALS, NOT_AVAILABLE)),
  ],
  *rows({ collectives }, { linkBytesPerNs }) {
    for (const instances of alike(collectives)) {
      const [first] = instances;
      const times = instances.map(({ startPs, endPs }) => endPs - startPs).sort((a, b) => a - b);
      const ideal = linkBytesPerNs === undefined ? undefined : idealMicros(first, linkBytesPerNs);
      yield [
        collectiveName(first.type),
        first.algorithm,
        first.size,
        first.groupSize,
        times.length,
        ...runTimes(times),
        ...idealRatios(times, ideal),
      ];
    }
  },
};

function statistics(of: string, column: (name: string) => Column): Column[] {
  return ['mean', ...PERCENTILES.map(([name]) => name)].map((name) => column(`${name}_${of}`));
}

function alike(collectives: readonly CollectiveOutcome[]): Iterable<CollectiveOutcome[]> {
  const kinds = new Map<string, CollectiveOutcome[]>();
  for (const collective of collectives) {
    const { type, algorithm, size, groupSize, startPs, endPs, membersFinished } = collective;
    if (membersFinished === 0 || !(endPs >= startPs)) continue;
    const key = `${type} ${size} ${groupSize} ${algorithm}`;
    const kind = kinds.get(key);
    if (kind) kind.push(collective);
    else kinds.set(key, [collective]);
  }
  return kinds.values();
}

function runTimes(sortedPs: readonly number[]): Cell[] {
  return [
    roundedDecimal({ numerator: total(sortedPs), denominator: BigInt(sortedPs.length) }, 0),
    ...PERCENTILES.map(([, perMille]) => nearestRank(sortedPs, perMille)),
  ];
}

/** Each run time over the one ideal time that instances of a kind have; times are ps, the ideal is µs. */
function idealRatios(sortedPs: readonly number[], ideal: Fraction | undefined): Cell[] {
  if (ideal === undefined) return [null, ...PERCENTILES.map(() => null)];
  const ratio = (timesPs: bigint, count = 1n): bigint =>
    roundedDecimal(
      { numerator: timesPs * ideal.denominator, denominator: count * ideal.numerator * 1_000_000n },
      RATIO_DECIMALS,
    );
  return [
    ratio(total(sortedPs), BigInt(sortedPs.length)),
    ...PERCENTILES.map(([, perMille]) => ratio(BigInt(nearestRank(sortedPs, perMille)))),
  ];
}

function total(timesPs: readonly number[]): bigint {
  return timesPs.reduce((sum, timePs) => sum + BigInt(timePs), 0n);
}

/** Of n sorted values the one at place ceil(p × n), counted from 1. */
export function nearestRank(sorted: readonly number[], perMille: number): number {
  return sorted[Math.ceil((perMille * sorted.length) / 1000) - 1];
}
