import type { Algorithm } from './algorithm.js';
import { addDownPhase, addUpPhase, treePlace } from './tree.js';

/**
 * AllReduce `double-tree`: tree A rooted at the first position and its mirror image B rooted at the last, each
 * with half the bytes, rounded up. Edges are numbered A up, A down, B up, B down (design 2.3).
 */
export const doubleTreeAllReduce: Algorithm = {
  name: 'double-tree',
  powerOfTwo: false,
  family: 'chained',
  indexCount: (groupSize) => 4 * (groupSize - 1),
  share(position, { groupSize, bytes }, out) {
    out.clear();
    if (groupSize === 1) return;
    const half = Math.ceil(bytes / 2);
    const edges = groupSize - 1;
    const same = (treePosition: number): number => treePosition;
    const mirror = (treePosition: number): number => edges - treePosition;

    const treeA = treePlace(position, groupSize);
    const upA = addUpPhase(treeA, position, half, 0, same, out);
    addDownPhase(treeA, position, half, edges, same, upA, out);

    const mirrored = mirror(position);
    const treeB = treePlace(mirrored, groupSize);
    const upB = addUpPhase(treeB, mirrored, half, 2 * edges, mirror, out);
    addDownPhase(treeB, mirrored, half, 3 * edges, mirror, upB, out);
  },
};
