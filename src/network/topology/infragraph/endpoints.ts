import type { Steps } from '../placed-document.js';

/** A name with the indices that are meant, before counts are known. */
export interface Segment {
  readonly name: string;
  /** What stands between the brackets, such as `0:2`; `undefined` for all. */
  readonly slice?: string;
}

/** One end of an edge: an instance and components inside it, or components of a device, outermost first. */
export type Endpoint = readonly Segment[];

export type Scheme = 'one2one' | 'many2many' | 'ring';
export const SCHEMES: readonly Scheme[] = ['one2one', 'many2many', 'ring'];

/** Edges between all pairs of two ends that the scheme makes. */
export interface EdgeRule {
  readonly ends: readonly [Endpoint, Endpoint];
  readonly scheme: Scheme;
  readonly link: string;
  /** Where it stands. */
  readonly steps: Steps;
}

const SEGMENT = /^([^[\].]+)(?:\[([^[\]]*)\])?$/;

/** `cx5[0:2].port[0]` in segments; `undefined` where it is none. */
export function segmentsOf(text: string): Endpoint | undefined {
  const segments: Segment[] = [];
  for (const part of text.split('.')) {
    const match = SEGMENT.exec(part);
    if (match === null) return undefined;
    segments.push(match[2] === undefined ? { name: match[1] } : { name: match[1], slice: match[2].trim() });
  }
  return segments;
}

/**
 * A connection of the older form, `server.0.nic.1.eth.leaf.0.port.3`: names with their indices, and the link between them.
 * @returns undefined for another text
 */
export function dottedConnection(text: string): { ends: [Endpoint, Endpoint]; link: string } | undefined {
  const parts = text.split('.');
  const isIndex = (part: string | undefined): boolean => part !== undefined && /^[0-9]+$/.test(part);
  let place = 0;
  while (place < parts.length && isIndex(parts[place + 1])) place += 2;
  const before = parts.slice(0, place);
  const after = parts.slice(place + 1);
  const sound = before.length >= 2 && after.length >= 2 && after.length % 2 === 0 && !parts.includes('');
  if (!sound || !after.every((part, index) => index % 2 === 0 || isIndex(part))) return undefined;
  return { ends: [pairs(before), pairs(after)], link: parts[place] };
}

function pairs(parts: readonly string[]): Endpoint {
  return parts.flatMap((name, index) => (index % 2 === 0 ? [{ name, slice: parts[index + 1] }] : []));
}

const INTEGER = /^-?[0-9]+$/;

/**
 * The indices of a Python slice or index, half-open, of `count` things.
 * @returns what is wrong, as a text, where it is no slice or reaches beyond them
 */
export function sliceIndices(slice: string | undefined, count: number): number[] | string {
  if (slice === undefined) return Array.from({ length: count }, (_, index) => index);
  const parts = slice.split(':').map((part) => part.trim());
  if (parts.length > 3 || parts.some((part) => part !== '' && !INTEGER.test(part)) || slice === '') {
    return 'expected an index or a slice such as 0:4';
  }
  const inside = (text: string, otherwise: number): number => {
    const value = text === '' ? otherwise : Number(text);
    return value < 0 && text !== '' ? value + count : value;
  };
  if (parts.length === 1) {
    const index = inside(parts[0], 0);
    return index >= 0 && index < count ? [index] : `there are ${count}`;
  }
  const step = parts[2] === undefined || parts[2] === '' ? 1 : Number(parts[2]);
  if (step === 0) return 'a step of 0';
  const start = inside(parts[0], step > 0 ? 0 : count - 1);
  const stop = inside(parts[1], step > 0 ? count : -1);
  const indices: number[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) {
    if (index < 0 || index >= count) return `there are ${count}`;
    indices.push(index);
  }
  return indices.length === 0 ? 'it holds nothing' : indices;
}
