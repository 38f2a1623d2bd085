import type { Streams } from '../streams.js';

/** Places of a column of correlation numbers by number; NaN is none, and of equal ones the first counts. */
export function placesByCorrelation(correlation: Float64Array): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = 0; place < correlation.length; place++) {
    if (!Number.isNaN(correlation[place]) && !places.has(correlation[place])) places.set(correlation[place], place);
  }
  return places;
}

/** Streams by their number on a device: a synchronisation names no device, and a rank seldom has two. */
export function streamsNumbered({ count, stream }: Streams): Map<number, number[]> {
  const numbered = new Map<number, number[]>();
  for (let place = 0; place < count; place++) {
    numbered.set(stream[place], [...(numbered.get(stream[place]) ?? []), place]);
  }
  return numbered;
}
