import { grouped } from '../../base/counts.js';
import { requestError, type PrepError } from '../../base/errors.js';

/** Packets are numbered by 31 bits: those of a transfer, and with RoCEv2 those of all transfers of a queue pair (RC-1). */
export const MOST_PACKETS = 2 ** 31 - 1;

/** @param what says who sends how much */
export function transferTooLarge(what: string, bytes: number, mssBytes: number): PrepError {
  const packets = grouped(Math.ceil(bytes / mssBytes));
  return requestError(
    'TRANSFER_TOO_LARGE',
    `${what}, ${packets} packets of ${grouped(mssBytes)} B; expected at most ${grouped(MOST_PACKETS)}`,
    'send less at once, or make MSS larger',
  );
}
