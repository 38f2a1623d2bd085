import { Share, type Algorithm, type CollectiveShape } from '../../collectives/algorithm.js';

/** The shares of all positions of a collective in one numbering of entries, position by position. */
export interface ChainedShape {
  readonly firstEntry: Int32Array; // [N + 1] by position
  readonly position: Int32Array; // [entries]
  readonly send: Uint8Array; // [entries] 1 for a send
  readonly partner: Int32Array; // [entries] the entry at the other end
  readonly bytes: Float64Array; // [entries]
  readonly index: Int32Array; // [entries] see Share
  readonly dependencies: Int32Array; // [entries] entries of the same position it waits for
  readonly dependentStart: Int32Array; // [entries + 1]
  readonly dependent: Int32Array;
}

/** Shapes kept; a job runs few kinds of collectives very often. */
const KEPT = 64;
const kept = new WeakMap<Algorithm, Map<string, ChainedShape>>();

/** The shape of a collective; it is worked out once for equal collectives. */
export function chainedShape(algorithm: Algorithm, shape: CollectiveShape): ChainedShape {
  if (shape.sendBytes) return gather(algorithm, shape);
  let shapes = kept.get(algorithm);
  if (shapes === undefined) kept.set(algorithm, (shapes = new Map()));
  const key = `${shape.groupSize} ${shape.bytes} ${shape.root}`;
  let found = shapes.get(key);
  if (found === undefined) {
    found = gather(algorithm, shape);
    if (shapes.size >= KEPT) shapes.clear();
    shapes.set(key, found);
  }
  return found;
}

function gather(algorithm: Algorithm, shape: CollectiveShape): ChainedShape {
  const size = shape.groupSize;
  const share = new Share();
  const firstEntry = new Int32Array(size + 1);
  const position: number[] = [];
  const send: number[] = [];
  const peer: number[] = [];
  const bytes: number[] = [];
  const index: number[] = [];
  const dependencies: number[] = [];
  const edges: { from: number; to: number }[] = [];
  for (let at = 0; at < size; at++) {
    const first = position.length;
    firstEntry[at] = first;
    algorithm.share(at, shape, share);
    for (let place = 0; place < share.length; place++) {
      position.push(at);
      send.push(share.send[place]);
      peer.push(share.peer[place]);
      bytes.push(share.bytes[place]);
      index.push(share.index[place]);
      const end = share.dependencyStart[place + 1];
      dependencies.push(end - share.dependencyStart[place]);
      for (let edge = share.dependencyStart[place]; edge < end; edge++) {
        edges.push({ from: first + share.dependency[edge], to: first + place });
      }
    }
  }
  firstEntry[size] = position.length;

  const partner = new Int32Array(position.length).fill(-1);
  const indices = algorithm.indexCount(size);
  const keyOf = (from: number, to: number, entry: number): number => (from * size + to) * indices + index[entry];
  const receives = new Map<number, number>();
  for (let entry = 0; entry < position.length; entry++) {
    if (send[entry] === 0) receives.set(keyOf(peer[entry], position[entry], entry), entry);
  }
  for (let entry = 0; entry < position.length; entry++) {
    if (send[entry] === 0) continue;
    const other = receives.get(keyOf(position[entry], peer[entry], entry))!;
    partner[entry] = other;
    partner[other] = entry;
  }
  const dependentStart = new Int32Array(position.length + 1);
  for (const { from } of edges) dependentStart[from + 1]++;
  for (let entry = 0; entry < position.length; entry++) dependentStart[entry + 1] += dependentStart[entry];
  const fill = dependentStart.slice();
  const dependent = new Int32Array(edges.length);
  for (const { from, to } of edges) dependent[fill[from]++] = to;
  return {
    firstEntry,
    position: Int32Array.from(position),
    send: Uint8Array.from(send),
    partner,
    bytes: Float64Array.from(bytes),
    index: Int32Array.from(index),
    dependencies: Int32Array.from(dependencies),
    dependentStart,
    dependent,
  };
}
