import type { HostTrace } from '../../formats/pytorch/host-trace.js';
import type { NodeOrder } from '../node-order.js';
import type { DependencyList } from './dependency-list.js';

/**
 * The first backward op of an autograd node waits for the forward op that made the node: the last op of the forward thread with
 * the same sequence number (`fw_tid` and `seq_id`).
 */
export function addBackward(host: HostTrace, { hostOrder, hostNode, thread }: NodeOrder, list: DependencyList): void {
  const { forwardThread, sequence } = host;
  const forward = new Map<number, number>(); // by thread and sequence number
  for (const place of hostOrder) {
    if (sequence[place] < 0) continue;
    const isBackward = forwardThread[place] > 0;
    // Threads are few and sequence numbers are counted from 0.
    const key = (isBackward ? forwardThread[place] : thread[place]) * 0x10000000000 + sequence[place];
    if (!isBackward) {
      forward.set(key, hostNode[place]);
      continue;
    }
    const made = forward.get(key);
    if (made === undefined) continue;
    list.add('backward', hostNode[place], made);
    forward.delete(key);
  }
}
