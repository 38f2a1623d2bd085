import type { Algorithm, Share } from './algorithm.js';

/**
 * Neighbours of one position in the tree of R-116: position 0 is the root and has one child, the root of a balanced
 * binary tree over 1 … N−1 in in-order numbering. −1 where there is none.
 */
export interface TreePlace {
  parent: number;
  /** Children, ascending. */
  left: number;
  right: number;
}

/** Where `position` stands in the tree of `groupSize` positions, by descent from the root. */
export function treePlace(position: number, groupSize: number): TreePlace {
  if (position === 0) return { parent: -1, left: subtreeRoot(1, groupSize - 1), right: -1 };
  let low = 1;
  let high = groupSize - 1;
  let parent = 0;
  for (;;) {
    const middle = subtreeRoot(low, high);
    if (position === middle) {
      return { parent, left: subtreeRoot(low, middle - 1), right: subtreeRoot(middle + 1, high) };
    }
    parent = middle;
    if (position < middle) high = middle - 1;
    else low = middle + 1;
  }
}

/** Root of the balanced tree over [low, high], −1 when the range is empty. */
function subtreeRoot(low: number, high: number): number {
  return low > high ? -1 : low + ((high - low + 1) >>> 1);
}

/**
 * Adds the phase that reduces towards the root: receives from the children, then the send to the parent, which waits
 * for them. The edge above position x has number `firstIndex` + x − 1. `toGroup` turns a place of the tree into a
 * position of the group. Gives the place of the send, or at the root of the receive, for the phase down to wait for.
 */
export function addUpPhase(
  tree: TreePlace,
  position: number,
  bytes: number,
  firstIndex: number,
  toGroup: (treePosition: number) => number,
  out: Share,
): number {
  const { parent, left, right } = tree;
  const fromLeft = left < 0 ? -1 : out.add(0, toGroup(left), bytes, firstIndex + left - 1);
  const fromRight = right < 0 ? -1 : out.add(0, toGroup(right), bytes, firstIndex + right - 1);
  if (parent < 0) return fromLeft;
  const up = out.add(1, toGroup(parent), bytes, firstIndex + position - 1);
  if (fromLeft >= 0) out.after(fromLeft);
  if (fromRight >= 0) out.after(fromRight);
  return up;
}

/** Adds the phase that broadcasts from the root: the receive from the parent waits for `upPlace`, the sends for it. */
export function addDownPhase(
  tree: TreePlace,
  position: number,
  bytes: number,
  firstIndex: number,
  toGroup: (treePosition: number) => number,
  upPlace: number,
  out: Share,
): void {
  const { parent, left, right } = tree;
  let ready = upPlace;
  if (parent >= 0) {
    ready = out.add(0, toGroup(parent), bytes, firstIndex + position - 1);
    out.after(upPlace);
  }
  if (left >= 0) {
    out.add(1, toGroup(left), bytes, firstIndex + left - 1);
    out.after(ready);
  }
  if (right >= 0) {
    out.add(1, toGroup(right), bytes, firstIndex + right - 1);
    out.after(ready);
  }
}

const same = (position: number): number => position;

/** AllReduce `tree`: S bytes up every edge of the tree, then S bytes down. */
export const treeAllReduce: Algorithm = {
  name: 'tree',
  powerOfTwo: false,
  family: 'chained',
  indexCount: (groupSize) => 2 * (groupSize - 1),
  share(position, { groupSize, bytes }, out) {
    out.clear();
    if (groupSize === 1) return;
    const tree = treePlace(position, groupSize);
    const up = addUpPhase(tree, position, bytes, 0, same, out);
    addDownPhase(tree, position, bytes, groupSize - 1, same, up, out);
  },
};

/** Reduce `tree`: the phase up, on positions rotated so that the root is 0. */
export const treeReduce: Algorithm = {
  name: 'tree',
  powerOfTwo: false,
  family: 'chained',
  indexCount: (groupSize) => groupSize - 1,
  share(position, { groupSize, bytes, root }, out) {
    out.clear();
    if (groupSize === 1) return;
    const rotated = (position - root + groupSize) % groupSize;
    const toGroup = (treePosition: number): number => (treePosition + root) % groupSize;
    addUpPhase(treePlace(rotated, groupSize), rotated, bytes, 0, toGroup, out);
  },
};
