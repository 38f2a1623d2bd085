import { WaitingTimes } from '../../../src/pytorch/dependencies/waiting-times.js';
import { linkDependencies } from '../../../src/pytorch/dependencies/dependencies.js';
import { orderNodes } from '../../../src/pytorch/node-order.js';
import { streamsOf } from '../../../src/pytorch/streams.js';
import { madeLinks, type MadeRank } from '../../support/linked-ranks.js';

const US = 1000;
const KERNELS = { sets: false, annotations: false };

function waitsOf(rank: MadeRank): number[] {
  const links = madeLinks(rank);
  const streams = streamsOf(links, links.device!, KERNELS);
  const order = orderNodes(links, streams, KERNELS, () => 1);
  return [...linkDependencies(links, streams, order, { onDevice: new Map() }).waitNs];
}

test('stretches of one op that overlap count once, stretches of no op not at all', () => {
  const times = new WaitingTimes();
  times.add(2, 10, 20);
  times.add(2, 15, 30);
  times.add(0, 5, 5);
  times.add(2, 12, 14);
  times.add(2, 40, 45);
  times.add(-1, 0, 100);
  expect([...times.finish(3)]).toEqual([0, 0, 25]);
});

test('an op waits in its call until what it waits for has ended, and no longer than the call', () => {
  const rank = (eventNs: number): MadeRank => ({
    ops: [
      { id: 1, parent: 1 },
      { id: 2, parent: 1, startNs: 0, durationNs: 100 },
      { id: 3, parent: 1, startNs: 200, durationNs: 10 },
    ],
    calls: [
      { name: 'cudaLaunchKernel', startNs: 10, correlation: 1, caller: 1 },
      { name: 'cudaDeviceSynchronize', startNs: 40, durationNs: 50, correlation: 2, caller: 1 },
    ],
    events: [{ startNs: 20, durationNs: eventNs, launcher: 1, call: 0 }],
  });
  expect(waitsOf(rank(50))).toEqual([0, 30, 0]);
  expect(waitsOf(rank(15))).toEqual([0, 0, 0]);
  expect(waitsOf(rank(500))).toEqual([0, 50, 0]);
});

test('an op in which nothing happens while another thread works waits until that is done', () => {
  const { ops, ...rest } = {
    ops: [
      { id: 1, parent: 1, thread: 0 },
      { id: 2, parent: 1, startNs: 0, durationNs: 9000 * US },
      { id: 3, parent: 2, startNs: 10 * US, durationNs: 90 * US },
      { id: 4, parent: 1, thread: 2, startNs: 200 * US, durationNs: 6000 * US },
      { id: 5, parent: 1, startNs: 9000 * US, durationNs: 10 * US },
    ],
  };
  // Quiet from 100 to 9,000 us; thread 2 is done at 6,200. The own time of op 2 is 8,910 us.
  expect(waitsOf({ ops, ...rest })).toEqual([0, 6100 * US, 0, 0, 0]);
});
