import type { DeviceTrace } from '../../formats/pytorch/device-trace.js';
import type { NodeOrder } from '../node-order.js';
import { firstLaunched, lastLaunched, type Streams } from '../streams.js';
import type { DependencyList } from './dependency-list.js';
import { addBetweenEvents } from './device-order.js';
import { placesByCorrelation, streamsNumbered } from './synchronizations.js';

/**
 * Between streams, where the trace has a cuda_sync event for cudaStreamWaitEvent: what a stream is given next waits for the last op
 * that the other stream was given before the event was recorded.
 * @returns calls that this explains, by place
 */
export function addStreamWaits(
  { calls, synchronizations }: DeviceTrace,
  streams: Streams,
  order: NodeOrder,
  list: DependencyList,
): ReadonlySet<number> {
  const { stream, waitsOnStream, waitsOnCorrelation, correlation, startNs, length } = synchronizations;
  const explained = new Set<number>();
  if (length === 0) return explained;
  const callOf = placesByCorrelation(calls.correlation);
  const numbered = streamsNumbered(streams);
  for (let place = 0; place < length; place++) {
    // Without a stream of its own it is the host that waits.
    if (stream[place] < 0 || waitsOnStream[place] < 0) continue;
    const call = callOf.get(correlation[place]);
    if (call !== undefined) explained.add(call);
    const record = callOf.get(waitsOnCorrelation[place]);
    const waitNs = call === undefined ? startNs[place] : calls.startNs[call];
    const recordNs = record === undefined ? waitNs : calls.startNs[record];
    for (const waiting of numbered.get(stream[place]) ?? []) {
      const next = firstLaunched(streams, waiting, waitNs);
      if (next < 0) continue;
      for (const other of numbered.get(waitsOnStream[place]) ?? []) {
        const last = other === waiting ? -1 : lastLaunched(streams, other, recordNs);
        if (last >= 0) addBetweenEvents('stream wait', order, streams.event[next], streams.event[last], list);
      }
    }
  }
  return explained;
}
