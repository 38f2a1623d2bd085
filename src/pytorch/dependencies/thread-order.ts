import type { NodeOrder } from '../node-order.js';
import type { DependencyList } from './dependency-list.js';

/** A host op waits for the one that started before it on its thread, as one thread does one thing after the other. */
export function addThreadOrder({ hostOrder, hostNode, thread }: NodeOrder, list: DependencyList): void {
  const last = new Map<number, number>();
  for (const place of hostOrder) {
    const before = last.get(thread[place]);
    if (before !== undefined) list.add('thread order', hostNode[place], before);
    last.set(thread[place], hostNode[place]);
  }
}
