import type { Implementation } from './system-configuration.js';

/** What a phase does to the data. */
export type PhaseKind = 'allReduce' | 'reduceScatter' | 'allGather' | 'allToAll';

/** How messages are chosen. */
export const Pattern = { ring: 0, direct: 1, halvingDoubling: 2, doubleBinaryTree: 3 } as const;
export type Pattern = (typeof Pattern)[keyof typeof Pattern];

/** What a phase of one algorithm looks like to every rank of it (astra-sim-semantics sections 7 and 8). */
export interface PhaseShape {
  readonly pattern: Pattern;
  readonly kind: PhaseKind;
  /** Ranks of the phase. */
  readonly count: number;
  /** P: packets a rank creates at its start. */
  readonly parallelism: number;
  /** Z: relayed packets that follow P fresh ones. */
  readonly relays: number;
  /** Messages a rank sends; 0 for a tree, where it depends on the rank. */
  readonly sends: number;
  /** [packets] 1 where the bundle of the packet is reduced; empty where nothing is. */
  readonly reduced: Uint8Array;
  /** [packets] bytes; one entry where all are equal. */
  readonly bytes: Float64Array;
  /** [packets] distance of the partner of `halvingDoubling`, else empty. */
  readonly distances: Int32Array;
  /** Data that the next phase starts with, bytes. */
  readonly outputBytes: number;
}

/**
 * The shape of a phase.
 *
 * @param bytes data a rank starts the phase with
 * @param inGroup whether the ranks are a proper part of all (section 9)
 */
export function phaseShape(
  { algorithm, window }: Implementation,
  kind: PhaseKind,
  count: number,
  bytes: number,
  inGroup: boolean,
): PhaseShape {
  if (algorithm === 'doubleBinaryTree') return treeShape(kind, count, bytes);
  if (algorithm === 'halvingDoubling') return halvingShape(kind, count, bytes);
  const isRing = algorithm === 'ring';
  const parallelism = isRing ? 1 : Math.min(window ?? count - 1, count - 1);
  const relays = isRing ? count - 1 : inGroup ? (count - 1) * parallelism : parallelism;
  const sends =
    kind === 'allReduce' ? 2 * (count - 1) : isRing && kind === 'allToAll' ? (count * (count - 1)) / 2 : count - 1;
  return {
    pattern: isRing ? Pattern.ring : Pattern.direct,
    kind,
    count,
    parallelism,
    relays,
    sends,
    reduced: reducedPackets(kind, parallelism, relays, sends),
    bytes: Float64Array.of(kind === 'allGather' ? bytes : Math.floor(bytes / count)),
    distances: new Int32Array(0),
    outputBytes: outputBytes(kind, count, bytes),
  };
}

/** Bytes of the messages of a halving-doubling phase that carry data, and the partners' distances (8.3). */
function halvingShape(kind: PhaseKind, count: number, bytes: number): PhaseShape {
  const steps = Math.floor(Math.log2(count));
  const sends = kind === 'allReduce' ? 2 * steps : steps;
  const sizes = new Float64Array(sends + 1);
  const distances = new Int32Array(sends + 1);
  let factor = kind === 'allGather' ? 0.5 : 2;
  let distance = kind === 'allGather' ? Math.floor(count / 2) : 1;
  let size = kind === 'allGather' ? bytes : Math.floor(bytes / 2);
  for (let packet = 0; packet <= sends; packet++) {
    sizes[packet] = size;
    distances[packet] = distance;
    distance = Math.floor(distance * factor);
    size = Math.floor(size / factor);
    if (kind === 'allReduce' && distance === count && factor === 2) {
      factor = 0.5;
      distance = Math.floor(distance * factor);
      size = Math.floor(size / factor);
    }
  }
  // A message of no bytes stops the program: the way back then has the sizes of the way there.
  if (sizes.subarray(0, sends).includes(0)) {
    for (let step = 0; step < steps; step++) sizes[steps + step] = sizes[steps - 1 - step];
  }
  const relays = Math.floor(Math.log2(count) - 1);
  return {
    pattern: Pattern.halvingDoubling,
    kind,
    count,
    parallelism: 1,
    relays,
    sends,
    reduced: reducedPackets(kind, 1, relays, sends),
    bytes: sizes,
    distances,
    outputBytes: outputBytes(kind, count, bytes),
  };
}

/** A tree does a whole all-reduce, whatever it stands for (5.3). */
function treeShape(kind: PhaseKind, count: number, bytes: number): PhaseShape {
  return {
    pattern: Pattern.doubleBinaryTree,
    kind,
    count,
    parallelism: 0,
    relays: 0,
    sends: 0,
    reduced: new Uint8Array(0),
    bytes: Float64Array.of(bytes),
    distances: new Int32Array(0),
    outputBytes: bytes,
  };
}

/** Packets go in cycles of P fresh ones and `relays` relayed ones; in an all-reduce every other cycle reduces (section 8). */
function reducedPackets(kind: PhaseKind, parallelism: number, relays: number, sends: number): Uint8Array {
  if (kind !== 'allReduce' && kind !== 'reduceScatter') return new Uint8Array(0);
  const reduced = new Uint8Array(parallelism + sends);
  const cycle = parallelism + relays;
  for (let packet = 0; packet < reduced.length; packet++) {
    const isRelay = packet % cycle >= parallelism;
    const isReducing = kind === 'reduceScatter' || Math.floor(packet / cycle) % 2 === 0;
    if (isRelay && isReducing) reduced[packet] = 1;
  }
  return reduced;
}

function outputBytes(kind: PhaseKind, count: number, bytes: number): number {
  if (kind === 'reduceScatter') return Math.floor(bytes / count);
  return kind === 'allGather' ? bytes * count : bytes;
}
