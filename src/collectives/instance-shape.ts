import type { CollectiveShape } from './algorithm.js';
import type { CollectiveInstance } from './plan.js';

/** What an algorithm is asked about one collective of the plan. */
export function instanceShape(instance: CollectiveInstance): CollectiveShape {
  const { group, size, root, splits } = instance;
  const shape = { groupSize: group.ranks.length, bytes: size, root };
  return splits ? { ...shape, sendBytes: (from, to) => splits[from][to] } : shape;
}
