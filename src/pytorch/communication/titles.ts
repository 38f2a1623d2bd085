import type { DeviceTrace } from '../../formats/pytorch/device-trace.js';
import { titleMeaning } from './collective-words.js';

/** For each name whether it is a title: of an op or annotation of communication. */
export function titleNames(names: readonly string[]): Uint8Array {
  return Uint8Array.from(names, (name) => (titleMeaning(name) === undefined ? 0 : 1));
}

/**
 * Ops and annotations of communication that enclose launching calls on their thread, as the device trace has them.
 * @param calls places in `device.calls`
 * @returns for each call that is enclosed the places in `device.hostEvents`, innermost first
 */
export function titlesAround(device: DeviceTrace, calls: readonly number[]): Map<number, number[]> {
  const { names, hostEvents } = device;
  const isTitle = titleNames(names);
  const titles: number[] = [];
  for (let event = 0; event < hostEvents.length; event++) {
    if (isTitle[hostEvents.name[event]] === 1 && !Number.isNaN(hostEvents.thread[event])) titles.push(event);
  }
  titles.sort(
    (left, right) =>
      hostEvents.thread[left] - hostEvents.thread[right] ||
      hostEvents.startNs[left] - hostEvents.startNs[right] ||
      hostEvents.durationNs[right] - hostEvents.durationNs[left],
  );
  const { thread: callThread, startNs: callStartNs } = device.calls;
  const asked = calls.filter((call) => !Number.isNaN(callThread[call]));
  asked.sort((left, right) => callThread[left] - callThread[right] || callStartNs[left] - callStartNs[right]);
  const around = new Map<number, number[]>();
  let open: number[] = [];
  let next = 0;
  let thread = NaN;
  for (const call of asked) {
    if (callThread[call] !== thread) {
      thread = callThread[call];
      open = [];
      while (next < titles.length && hostEvents.thread[titles[next]] < thread) next++;
    }
    const startNs = callStartNs[call];
    while (
      next < titles.length &&
      hostEvents.thread[titles[next]] === thread &&
      hostEvents.startNs[titles[next]] <= startNs
    ) {
      open.push(titles[next++]);
    }
    open = open.filter((title) => hostEvents.startNs[title] + hostEvents.durationNs[title] >= startNs);
    if (open.length > 0) around.set(call, open.toReversed());
  }
  return around;
}
