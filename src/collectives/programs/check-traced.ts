import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { CollectiveType, collectiveName, isRooted } from '../../trace/collective-type.js';
import type { TracedPosition } from './traced-algorithm.js';

/** What can be told of an algorithm in traces. */
export interface CheckedTraces {
  /** Position of the root; −1 where the collective has none. */
  readonly root: number;
  readonly findings: readonly Finding[];
}

/**
 * Whether traces can be an algorithm of a collective: what each position ends with depends on every position whose data it needs, and
 * each moves at least the bytes that any algorithm must. What the bytes are cannot be seen.
 *
 * @param size `comm_size` of the collective they were made for, bytes; 0 where it is not known, and bytes are not checked
 * @param subject for messages
 */
export function checkTraced(
  positions: readonly TracedPosition[],
  type: number,
  size: number,
  subject: string,
): CheckedTraces {
  const count = positions.length;
  const reaches = reachOf(positions);
  const findings: Finding[] = [];
  let root = -1;
  if (isRooted(type)) {
    root = rootOf(reaches, type, count);
    const text = `${subject}: no root is stated; position ${root} is taken, which fits the messages best`;
    findings.push(finding('PROGRAM_ASSUMED', text));
  }
  const missing = firstMissing(reaches, type, root, count);
  if (missing !== undefined) {
    const more = missing.more === 0 ? '' : ` (and ${counted(missing.more, 'more pair')})`;
    const message = `position ${missing.at} does not depend on position ${missing.on}, whose data ${article(type)} needs there${more}`;
    findings.push(finding('PROGRAM_REACH', `${subject}: ${message}`));
  }
  if (size > 0) findings.push(...bytesFindings(positions, type, root, size, subject));
  findings.push(
    finding(
      'PROGRAM_UNSEEN',
      `${subject}: the contents of chunks cannot be seen in traces; checked is who depends on whom${size > 0 ? ', and bytes' : ''}`,
    ),
  );
  return { root, findings };
}

/** [positions] bit set of the positions that the end of each depends on, itself among them. */
function reachOf(positions: readonly TracedPosition[]): Uint32Array[] {
  const words = Math.ceil(positions.length / 32);
  const own = (position: number): Uint32Array => {
    const bits = new Uint32Array(words);
    bits[position >>> 5] |= 1 << (position & 31);
    return bits;
  };
  const ends = positions.map((_, position) => own(position));
  const known = positions.map(({ send }) => new Array<Uint32Array | undefined>(send.length).fill(undefined));
  const sends = new Map<string, number>();
  for (const [from, { send, peer, index }] of positions.entries()) {
    for (let at = 0; at < send.length; at++) if (send[at] === 1) sends.set(`${from} ${peer[at]} ${index[at]}`, at);
  }
  // Transfers come after what they wait for, so going on at each position as far as possible takes all that can run.
  const next = new Int32Array(positions.length);
  for (let moved = true; moved;) {
    moved = false;
    for (const [position, { send, peer, index, dependencies }] of positions.entries()) {
      for (; next[position] < send.length; next[position]++) {
        const at = next[position];
        const bits = own(position);
        for (const before of dependencies[at]) join(bits, known[position][before]!);
        if (send[at] === 0) {
          const from = known[peer[at]][sends.get(`${peer[at]} ${position} ${index[at]}`)!];
          if (from === undefined) break;
          join(bits, from);
        }
        known[position][at] = bits;
        join(ends[position], bits);
        moved = true;
      }
    }
  }
  return ends;
}

function join(into: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < into.length; word++) into[word] |= other[word];
}

function has(bits: Uint32Array, position: number): boolean {
  return (bits[position >>> 5] & (1 << (position & 31))) !== 0;
}

/** The position that reaches most others, or that most others reach; the first of several. */
function rootOf(reaches: readonly Uint32Array[], type: number, count: number): number {
  const isSource = type === CollectiveType.broadcast || type === CollectiveType.scatter;
  let root = 0;
  let most = -1;
  for (let at = 0; at < count; at++) {
    let reached = 0;
    for (let other = 0; other < count; other++)
      reached += Number(isSource ? has(reaches[other], at) : has(reaches[at], other));
    // Of several the one that needs nobody, or that nobody needs.
    for (let other = 0; other < count; other++)
      reached -= Number(isSource ? has(reaches[at], other) : has(reaches[other], at)) / (count + 1);
    if (reached > most) [root, most] = [at, reached];
  }
  return root;
}

/** Whether the end of `at` needs data of `on`. */
function needs(type: number, root: number, at: number, on: number): boolean {
  if (type === CollectiveType.broadcast || type === CollectiveType.scatter) return on === root;
  if (type === CollectiveType.reduce || type === CollectiveType.gather) return at === root;
  return true;
}

function firstMissing(
  reaches: readonly Uint32Array[],
  type: number,
  root: number,
  count: number,
): { at: number; on: number; more: number } | undefined {
  let first: { at: number; on: number; more: number } | undefined;
  for (let at = 0; at < count; at++) {
    for (let on = 0; on < count; on++) {
      if (!needs(type, root, at, on) || has(reaches[at], on)) continue;
      if (first === undefined) first = { at, on, more: 0 };
      else first.more++;
    }
  }
  return first;
}

/**
 * Bytes that a position must send and receive, S being as in the replay rules: what it has and others need, and what others have and it
 * needs.
 */
function leastBytes(type: number, isRoot: boolean, count: number, size: number): { sends: number; receives: number } {
  const others = ((count - 1) * size) / count;
  switch (type) {
    case CollectiveType.allReduce:
      return { sends: size, receives: size };
    case CollectiveType.allGather:
      return { sends: size, receives: (count - 1) * size };
    case CollectiveType.reduceScatter:
    case CollectiveType.reduceScatterBlock:
      return { sends: others, receives: size / count };
    case CollectiveType.allToAll:
      return { sends: others, receives: others };
    case CollectiveType.broadcast:
      return isRoot ? { sends: size, receives: 0 } : { sends: 0, receives: size };
    case CollectiveType.scatter:
      return isRoot ? { sends: others, receives: 0 } : { sends: 0, receives: size / count };
    case CollectiveType.reduce:
      return isRoot ? { sends: 0, receives: size } : { sends: size, receives: 0 };
    case CollectiveType.gather:
      return isRoot ? { sends: 0, receives: (count - 1) * size } : { sends: size, receives: 0 };
    default:
      return { sends: 0, receives: 0 };
  }
}

function bytesFindings(
  positions: readonly TracedPosition[],
  type: number,
  root: number,
  size: number,
  subject: string,
): Finding[] {
  for (const [position, { send, bytes }] of positions.entries()) {
    const moved = { sends: 0, receives: 0 };
    for (let at = 0; at < send.length; at++) moved[send[at] === 1 ? 'sends' : 'receives'] += bytes[at];
    const least = leastBytes(type, position === root, positions.length, size);
    for (const end of ['sends', 'receives'] as const) {
      if (positions.length === 1 || moved[end] >= Math.floor(least[end])) continue;
      const message =
        `position ${position} ${end} ${grouped(moved[end])} bytes, and ${article(type)} of ${grouped(size)} bytes on ` +
        `${positions.length} ranks needs ${grouped(Math.floor(least[end]))}`;
      return [finding('PROGRAM_BYTES', `${subject}: ${message}`)];
    }
  }
  return [];
}

/** `an AllReduce`. */
function article(type: number): string {
  const name = collectiveName(type);
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}
