import { requestError } from './errors.js';

/** Largest integer a double holds exactly; sizes, tags and times above are refused (R-001, design section 3). */
export const MAX_EXACT = Number.MAX_SAFE_INTEGER;

const PICOSECONDS: Record<string, number> = { ps: 1, ns: 1e3, us: 1e6, µs: 1e6, ms: 1e9, s: 1e12 };

const BYTES: Record<string, number> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

const NUMBER_WITH_UNIT = /^\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*([A-Za-zµ/]+)\s*$/;

/**
 * A time with its unit (`1us`, `0.5 ms`, `33.5ns`) in whole picoseconds, halves up.
 * @throws PrepError `TIME_MALFORMED` for another text, an unknown unit, or a time that is not 0 and rounds to 0 ps
 */
export function parseTimePs(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(text);
  const unit = match ? PICOSECONDS[match[2]] : undefined;
  if (!match || unit === undefined) {
    throw requestError(
      'TIME_MALFORMED',
      `time "${text}": expected a number and one of ps, ns, us, ms, s, such as 1.5us`,
    );
  }
  const picoseconds = roundHalfUp(Number(match[1]) * unit);
  if (picoseconds === 0 && Number(match[1]) !== 0) {
    throw requestError('TIME_MALFORMED', `time "${text}" is below half a picosecond, the unit of simulated time`);
  }
  if (picoseconds > MAX_EXACT) throw requestError('TIME_TOO_LARGE', `time "${text}" exceeds 2^53 ps (9007 s)`);
  return picoseconds;
}

/** Rounds to the nearest integer, halves up. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/**
 * A byte count with its unit (`4KiB`, `1 GB`; R-011). A bare integer is bytes.
 * @throws PrepError `SIZE_MALFORMED`
 */
export function parseBytes(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(/^\s*[0-9]+\s*$/.test(text) ? `${text}B` : text);
  const unit = match ? BYTES[match[2]] : undefined;
  const bytes = match && unit !== undefined ? Number(match[1]) * unit : NaN;
  if (!Number.isSafeInteger(bytes)) {
    throw requestError(
      'SIZE_MALFORMED',
      `size "${text}": expected whole bytes with one of ${Object.keys(BYTES).join(', ')}`,
    );
  }
  return bytes;
}

/**
 * A bandwidth in bytes per nanosecond: `50GB/s` is 50, `1GiB/s` is 1.073741824, `400Gbps` is 50.
 * @throws PrepError `BANDWIDTH_MALFORMED`, also for 0
 */
export function parseBandwidthBytesPerNs(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(text);
  const bits = match ? /^([KMGT])(?:bps|bit\/s|b\/s)$/.exec(match[2]) : null;
  const bytes = match ? /^([KMGT]i?)?B\/s$/.exec(match[2]) : null;
  const perSecond = bits ? BYTES[`${bits[1]}B`] / 8 : bytes ? BYTES[`${bytes[1] ?? ''}B`] : NaN;
  const bytesPerNs = match ? (Number(match[1]) * perSecond) / 1e9 : NaN;
  if (!(bytesPerNs > 0)) {
    throw requestError(
      'BANDWIDTH_MALFORMED',
      `bandwidth "${text}": expected a positive number and a unit such as GB/s, GiB/s or Gbps`,
    );
  }
  return bytesPerNs;
}
