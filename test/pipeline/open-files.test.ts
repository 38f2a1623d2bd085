import { readdirSync, readlinkSync } from 'node:fs';
import { collective, compute, receive, send } from '../support/jobs.js';
import { simulateFolder, writeJob } from '../support/simulations.js';
import type { NodeObject } from '../support/traces.js';

/** Files below a folder that this process has open. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // the one that lists the others
    }
  });
}

const NETWORK = 'alpha-beta:latency=1us,bandwidth=1GB/s';

const pair = (more: NodeObject[] = []): NodeObject[][] =>
  [0, 1].map((rank) => [
    compute(1, 5),
    collective(2, 0, 3000, 'world', [1]),
    send(3, 1 - rank, 10, rank, [2]),
    receive(4, 1 - rank, 10, 1 - rank, [2]),
    ...more,
  ]);

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

describeLinux('a simulation leaves no file open', () => {
  test.each([
    ['as it is', {}],
    ['with passes in memory', { scale: 0.5 }],
  ])('%s, and looking at its nodes afterwards opens none for long', async (_how, request) => {
    const folder = writeJob(pair(), { world: [0, 1] });
    const { outcome } = await simulateFolder(folder, { network: NETWORK, ...request });
    expect(outcome.nodeTimes(1).start[0]).toBe(0);
    expect(Array.from(outcome.nodeTimes(0).start)).toEqual(Array.from(outcome.nodeTimes(0).start));
    expect(openBelow(folder)).toEqual([]);
  });

  test.each<[string, NodeObject[][], object]>([
    ['a partner that is not there', pair([send(9, 7, 8, 9)]), { scale: 0.5 }],
    ['a dependency on nothing', pair([compute(9, 1, [77])]), { scale: 0.5 }],
    ['a collective on one rank only', [pair()[0], [compute(1, 1)]], {}],
    ['more ranks than the network has servers', pair(), { network: '/nothere' }],
  ])('nor does one that is refused: %s', async (_why, nodes, request) => {
    const folder = writeJob(nodes, { world: [0, 1] });
    await expect(simulateFolder(folder, { network: NETWORK, ...request })).rejects.toThrow();
    expect(openBelow(folder)).toEqual([]);
  });
});
