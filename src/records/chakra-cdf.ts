import { roundedDecimal } from './number-formats.js';
import { always, decimal, seconds, type Table } from './record.js';

const DECIMALS = 6;

/** `chakra-cdf`: a row at each multiple of the beacon interval, with the part of everything that was done by then. */
export const chakraCdf: Table = {
  name: 'chakra-cdf',
  applies: always,
  columns: () => [
    seconds('sim_time_sec'),
    decimal('CDF_send_bytes', DECIMALS),
    decimal('CDF_chakra_sends_completed', DECIMALS),
    decimal('CDF_chakra_receives_completed', DECIMALS),
    decimal('CDF_chakra_sends_fully_acked', DECIMALS),
    decimal('CDF_chakra_computations_completed', DECIMALS),
  ],
  *rows(outcome, { beaconIntervalPs }) {
    const { rows, totals, ...done } = outcome.progress(beaconIntervalPs);
    for (let row = 0; row < rows; row++) {
      yield [
        (row + 1) * beaconIntervalPs,
        part(done.sendBytes[row], totals.sendBytes),
        part(done.sends[row], totals.sends),
        part(done.receives[row], totals.receives),
        part(done.acknowledged[row], totals.sends),
        part(done.computations[row], totals.computations),
      ];
    }
  },
};

/** Part of a total, × 10^6; 1 where there is nothing to do. */
function part(done: number, total: number): bigint {
  if (total === 0) return 10n ** BigInt(DECIMALS);
  return roundedDecimal({ numerator: BigInt(done), denominator: BigInt(total) }, DECIMALS);
}
