import { CollectiveType } from '../../src/trace/collective-type.js';

/** Bytes on the wire in closed form, from the tables of section 8.1. */
export function wireBytes(type: number, name: string, n: number, s: number): number {
  const c = Math.ceil(s / n);
  switch (type) {
    case CollectiveType.allReduce:
      if (name === 'tree') return 2 * (n - 1) * s;
      if (name === 'double-tree') return 4 * (n - 1) * Math.ceil(s / 2);
      return 2 * n * (n - 1) * c; // halving-doubling: n positions × 2 × C × (N/2 + … + 1)
    case CollectiveType.reduce:
    case CollectiveType.broadcast:
    case CollectiveType.gather:
      return (n - 1) * s;
    case CollectiveType.allGather:
      return n * (n - 1) * s;
    case CollectiveType.scatter:
      return (n - 1) * c;
    case CollectiveType.barrier:
      return 0;
    default:
      return n * (n - 1) * c;
  }
}
