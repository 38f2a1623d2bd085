import { TAG_LIMIT } from './trace-tags.js';
import type { Transport } from './transport.js';

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
    if (arrived <= 0 || tag < 0 || tag >= TAG_LIMIT) return;
    found.push({ source, destination, tag, bytes: sizes.bytes(size), count: arrived });
  });
  return found.sort((one, other) => byEnds(one, other) || one.bytes - other.bytes);
}

type Ends = Pick<Undelivered, 'source' | 'destination' | 'tag'>;

/** Orders messages by source, destination and tag. */
export function byEnds(one: Ends, other: Ends): number {
  return one.source - other.source || one.destination - other.destination || one.tag - other.tag;
}
