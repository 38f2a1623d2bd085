import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { collective, receive, send } from '../support/jobs.js';
import { csvRows, prepareFolder, recordsOfFolder, simulateFolder, writeJob } from '../support/simulations.js';
import { networkFile, type DimensionFacts } from '../support/topologies.js';

const ALL_TO_ALL = 6;
const MIB = 2 ** 20;

function file(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

/** 50 GB/s (of 2^30), 500 ns: 1 MiB takes 19.53125 µs. */
function networkOf(...dimensions: readonly (readonly [DimensionFacts[0], number])[]): string {
  return file('network.yml', networkFile(...dimensions.map(([topology, npus]) => [topology, npus, 50, 500] as const)));
}

/** Four ranks, one all-to-all of 4 MiB: 1 MiB for each pair. */
function allToAll(): string {
  const ranks = [0, 1, 2, 3];
  return writeJob(
    ranks.map(() => [collective(1, ALL_TO_ALL, 4 * MIB, 'world')]),
    { world: ranks },
  );
}

describe('backend', () => {
  // T = 19,531.25 ns, L = 500 ns. The end of a run is the last acknowledgment.
  test.each([
    ['FullyConnected', 'analytical-unaware', 20_531.25], // T + L, and L
    ['Ring', 'analytical-unaware', 21_531.25], // T + 2 L, and 2 L
    ['Switch', 'analytical-unaware', 21_531.25],
    ['FullyConnected', 'analytical-aware', 20_531.25],
    // Clockwise links carry what goes one hop, what goes two, and what the rank before sends two hops on: 3 T + 2 L, and 2 L.
    ['Ring', 'analytical-aware', 60_593.75],
    // Three on each uplink, each passed on at once: 4 T + 2 L, and 2 L.
    ['Switch', 'analytical-aware', 80_125],
  ] as const)('section 13 an all-to-all on a %s, %s, ends at %d ns', async (topology, backend, end) => {
    const network = networkOf([topology, 4]);
    const { document, outcome } = await simulateFolder(allToAll(), { network, backend, sync: false });
    expect(outcome.network).toBe(backend);
    expect(document).toMatchObject({ status: 'finished', endNs: end, transfers: 12, bytes: 12 * MIB });
  });

  test('without one transfers do not slow each other', async () => {
    const { document, outcome } = await simulateFolder(allToAll(), { network: networkOf(['Ring', 4]), sync: false });
    expect(outcome.network).toBe('analytical-unaware');
    expect(document.endNs).toBe(21_531.25);
  });

  test('raw collectives are expanded where transfers wait for links, and left raw where they do not', async () => {
    const folder = allToAll();
    const network = networkOf(['Ring', 4]);
    const nodesOf = async (backend: 'analytical-aware' | 'analytical-unaware') =>
      (await simulateFolder(folder, { network, backend, sync: false })).document.ranks.map(({ nodes }) => nodes);
    // Three sends, three receives and the exit.
    expect(await nodesOf('analytical-aware')).toEqual([7, 7, 7, 7]);
    expect(await nodesOf('analytical-unaware')).toEqual([1, 1, 1, 1]);
  });

  test('R-093 raw and prepared traces take the same, barriers included', async () => {
    const folder = allToAll();
    const request = { network: networkOf(['Ring', 2], ['Switch', 2]), backend: 'analytical-aware' } as const;
    const prepared = await prepareFolder(folder, { expand: true, serialize: true, sync: true });
    const { findings: ofRaw, ...raw } = (await simulateFolder(folder, request)).document;
    const { findings: ofPrepared, ...ready } = (await simulateFolder(prepared, request)).document;
    expect(raw).toEqual(ready);
    expect(raw.status).toBe('finished');
    // Both have their groups from a file beside the traces.
    expect([ofRaw, ofPrepared].map((found) => found.map(({ code }) => code))).toEqual([
      ['GROUP_FILE_FOUND'],
      ['GROUP_FILE_FOUND'],
    ]);
  });

  test('an α–β network has no links', async () => {
    const network = 'alpha-beta:latency=1us,bandwidth=1GB/s';
    const run = simulateFolder(allToAll(), { network, backend: 'analytical-aware' });
    await expect(run).rejects.toMatchObject({ code: 'NETWORK_WITHOUT_LINKS', exitStatus: 2 });
  });

  test('R-153 records have the waiting in the times of transfers', async () => {
    const folder = writeJob(
      [
        [send(1, 1, MIB, 1), send(2, 1, MIB, 2)],
        [receive(1, 0, MIB, 1), receive(2, 0, MIB, 2)],
      ],
      {},
    );
    const { files } = await recordsOfFolder(folder, { network: networkOf(['Ring', 2]), backend: 'analytical-aware' });
    const name = Object.keys(files).find((path) => path.includes('chakra-perf'))!;
    const rows = csvRows(files[name].toString());
    // T + 2 L and 2 T + 2 L.
    expect(rows.map((row) => row.perf_metric_usec)).toEqual(['20.531250', '40.062500']);
  });
});

describe('backend and scale-up groups', () => {
  /** Ranks 0 and 1 in a group of 800 Gbit/s, 100 ns, 100 ns; rank 2 in none. */
  const mapping = (servers: readonly number[]): string =>
    file('ranks.map', `0 ${servers[0]} 0 0\n1 ${servers[1]} 0 0\n2 ${servers[2]}\n@\n0 800 100 100\n`);

  const job = (): string =>
    writeJob(
      [
        [send(1, 1, MIB, 1), send(2, 2, MIB, 2)],
        [receive(1, 0, MIB, 1), send(2, 2, MIB, 3)],
        [receive(1, 0, MIB, 2), receive(2, 1, MIB, 3)],
      ],
      {},
    );

  test('R-090 inside a group the fabric carries, beyond it transfers wait for links', async () => {
    const { outcome } = await simulateFolder(job(), {
      network: networkOf(['Switch', 3]),
      backend: 'analytical-aware',
      mapping: mapping([0, 1, 2]),
      useMapping: true,
    });
    expect(outcome).toMatchObject({ status: 'finished', network: 'analytical-aware + scale-up' });
    // 1 MiB in a subgroup is sent at 10,547.2 ns and received at 10,888.4; 0 → 2 leaves at T meanwhile.
    expect([...outcome.nodeTimes(0).finish]).toEqual([10_547_200, 19_531_250]);
    expect([...outcome.nodeTimes(1).finish]).toEqual([10_888_400, 19_531_250]);
    // The downlink of rank 2 carries one after the other: 2 T + 2 L, 3 T + 2 L.
    expect([...outcome.nodeTimes(2).finish]).toEqual([40_062_500, 59_593_750]);
  });

  test('R-034 ways follow the servers of the mapping', async () => {
    const { outcome } = await simulateFolder(job(), {
      network: networkOf(['Ring', 6]),
      backend: 'analytical-aware',
      mapping: mapping([1, 0, 3]),
      useMapping: true,
      allowExtraServers: true,
    });
    // 0 → 2 goes over servers 1, 2, 3: 2 (T + L). 1 → 2 goes over servers 0, 1, 2, 3, one link behind: 3 (T + L).
    expect([...outcome.nodeTimes(2).finish]).toEqual([40_062_500, 60_093_750]);
  });
});
