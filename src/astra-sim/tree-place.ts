/** Where a position stands in a binary tree of a double binary tree (astra-sim-semantics 8.4); −1: nobody there. */
export interface TreePlace {
  readonly parent: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The place of a position among `count` (a power of two) in the tree whose root is the highest position (`rootMax`) or position 0.
 * The root has one child, the top of a perfect tree of the others in order.
 */
export function treePlace(count: number, position: number, rootMax: boolean): TreePlace {
  const root = rootMax ? count - 1 : 0;
  const first = rootMax ? 0 : 1;
  const top = count / 2; // number of the top, from 1
  if (position === root) return { parent: -1, left: first + top - 1, right: -1 };
  const number = position - first + 1;
  const height = 31 - Math.clz32(number & -number);
  const step = (1 << height) >> 1;
  const parent = number === top ? root : first + ((number ^ (1 << height)) | (1 << (height + 1))) - 1;
  return step === 0
    ? { parent, left: -1, right: -1 }
    : { parent, left: first + number - step - 1, right: first + number + step - 1 };
}
