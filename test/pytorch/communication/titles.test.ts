import { titlesAround } from '../../../src/pytorch/communication/titles.js';
import type { DeviceTrace } from '../../../src/formats/pytorch/device-trace.js';
import { linked } from '../../support/communications.js';

const TITLES = ['nccl:all_reduce', 'c10d::allreduce_', 'aten::add', 'gloo:barrier'];

/** Every title looked at for every call. */
function slowTitlesAround({ names, hostEvents, calls }: DeviceTrace): Map<number, number[]> {
  const around = new Map<number, number[]>();
  for (let call = 0; call < calls.length; call++) {
    const places = [...hostEvents.startNs.keys()].filter(
      (event) =>
        names[hostEvents.name[event]] !== 'aten::add' &&
        hostEvents.thread[event] === calls.thread[call] &&
        hostEvents.startNs[event] <= calls.startNs[call] &&
        hostEvents.startNs[event] + hostEvents.durationNs[event] >= calls.startNs[call],
    );
    if (places.length > 0) around.set(call, places);
  }
  return around;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('the same titles as by looking at all of them, case %d', (seed) => {
  let state = seed;
  const below = (limit: number): number => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
  const { device } = linked({
    events: Array.from({ length: 60 }, () => ({
      ...{ name: TITLES[below(4)], start: below(200), duration: below(60), thread: below(3) },
    })),
    kernels: Array.from({ length: 40 }, (_, place) => ({
      ...{ name: 'ncclDevKernel_Generic', start: 1000 + place, call: below(250), thread: below(4) },
    })),
  });
  const found = titlesAround(device!, [...device!.calls.startNs.keys()]);
  const slow = slowTitlesAround(device!);
  expect([...found.keys()].sort()).toEqual([...slow.keys()].sort());
  for (const [call, titles] of found) {
    expect(titles.toSorted((left, right) => left - right)).toEqual(slow.get(call));
    // Innermost first: none starts after the one before it.
    const starts = titles.map((title) => device!.hostEvents.startNs[title]);
    expect(starts).toEqual(starts.toSorted((left, right) => right - left));
  }
});
