import type { Phase } from '../collective-plan.js';
import { Pattern } from '../phase-shape.js';
import { reductionNs } from '../prepared-phase.js';
import type { UnawareTimes } from '../unaware-times.js';

/**
 * How long a phase takes where all its members begin at once and nothing is in their way, ns. Of `direct` and of the tree
 * the longest way counts.
 * @param endpointNs delay of each message at its sender and at its receiver
 */
export function phaseDurationNs(
  { shape, members: { stride } }: Phase,
  times: UnawareTimes,
  endpointNs: number,
  localMemoryGBps: number,
): number {
  const { pattern, count, parallelism, sends, reduced, bytes, distances, kind } = shape;
  const bytesOf = (packet: number): number => bytes[Math.min(packet, bytes.length - 1)];
  const messageNs = (distance: number, packet: number): number =>
    times.delayNs(0, distance * stride, bytesOf(packet)) + endpointNs;
  const reducingNs = (packet: number): number =>
    reduced[packet] === 1 ? reductionNs(bytesOf(packet), localMemoryGBps) : 0;
  let durationNs = endpointNs;
  if (pattern === Pattern.doubleBinaryTree) {
    const levels = Math.log2(count);
    return durationNs + 2 * levels * messageNs(count >> 1, 0) + levels * reductionNs(bytes[0], localMemoryGBps);
  }
  if (pattern === Pattern.direct) {
    const farthest = count >> 1;
    const rounds = Math.ceil((count - 1) / parallelism) * (kind === 'allReduce' ? 2 : 1);
    for (let round = 1; round <= rounds; round++) {
      durationNs += messageNs(farthest, 0) + reducingNs(Math.min(round * parallelism, reduced.length - 1));
    }
    return durationNs;
  }
  for (let packet = 0; packet < sends; packet++) {
    const distance = pattern === Pattern.ring ? 1 : distances[packet];
    durationNs += messageNs(distance, packet) + reducingNs(packet + 1);
  }
  return durationNs;
}
