import type { Transport } from './transport.js';

/** Tags of sends and receives are below this; those of collectives and of rendezvous are not. */
const TAGS = 500_000_000;

/** Messages of sends that no receive has taken. */
export interface Undelivered {
  readonly source: number;
  readonly destination: number;
  readonly tag: number;
  readonly bytes: number;
  readonly count: number;
}

/** By source, destination, tag and size. */
export function undelivered({ matching, sizes }: Transport): Undelivered[] {
  const found: Undelivered[] = [];
  matching.forEach((source, destination, tag, size, arrived) => {
    if (arrived <= 0 || tag < 0 || tag >= TAGS) return;
    found.push({ source, destination, tag, bytes: sizes.bytes(size), count: arrived });
  });
  return found.sort(
    (one, other) =>
      one.source - other.source ||
      one.destination - other.destination ||
      one.tag - other.tag ||
      one.bytes - other.bytes,
  );
}
