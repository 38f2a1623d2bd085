import { analyticalAware } from '../../src/network/analytical-aware.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { watchedTransfers } from '../../src/pipeline/watched-transfers.js';

const PAIR = analyticalAware({
  kind: 'analytical',
  dimensions: [{ topology: 'Switch', npus: 2, bandwidthGiBPerSecond: 50, latencyPs: 500_000, latencyNs: 500 }],
});

/** Posts transfers of 1,000 bytes from rank 0 to rank 1, and notes what is told. */
function told(transfers: number): { reports: [number, number][]; calls: string[] } {
  const reports: [number, number][] = [];
  const calls: string[] = [];
  const note = (what: string) => (transfer: number) => void calls.push(`${what} ${transfer}`);
  const kernel = new Kernel();
  const listener = { sent: note('sent'), received: note('received'), acknowledged: note('acknowledged') };
  const watched = watchedTransfers(PAIR, transfers, (done, total) => reports.push([done, total]));
  const network = watched(2, kernel, listener);
  for (let transfer = 0; transfer < transfers; transfer++) network.post(transfer, 0, 1, 1000, 0);
  kernel.run();
  return { reports, calls };
}

test('each acknowledgment of a few is reported, and all that is told passed on', () => {
  const { reports, calls } = told(3);
  expect(reports).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  expect(calls.sort()).toEqual(
    ['sent', 'received', 'acknowledged'].flatMap((what) => [0, 1, 2].map((n) => `${what} ${n}`)).sort(),
  );
});

test('of many, every so manyth', () => {
  const { reports } = told(1000);
  expect(reports).toHaveLength(200);
  expect(reports[0]).toEqual([5, 1000]);
  expect(reports[199]).toEqual([1000, 1000]);
});
