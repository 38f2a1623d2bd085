import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalAware } from '../../src/network/analytical-aware.js';
import type { Dimension } from '../../src/network/network-spec.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const MIB = 1 << 20;

/** Transfers per CPU second where every rank sends to the `peers` next ones, all posted at 0. */
function transferRate(dimensions: readonly Pick<Dimension, 'topology' | 'npus'>[], peers: number): number {
  const ranks = dimensions.reduce((product, { npus }) => product * npus, 1);
  const kernel = new Kernel();
  let received = 0;
  const network = analyticalAware({
    kind: 'analytical',
    dimensions: dimensions.map((dimension) => ({
      ...dimension,
      bandwidthGiBPerSecond: 50,
      latencyPs: 500_000,
      latencyNs: 500,
    })),
  })(ranks, kernel, { sent: () => {}, received: () => received++, acknowledged: () => {} });
  const transfers = ranks * peers;
  const rate = perCpuSecond(transfers, () => {
    for (let source = 0; source < ranks; source++) {
      for (let step = 1; step <= peers; step++) {
        network.post(source * peers + step - 1, source, (source + step) % ranks, MIB, 0);
      }
    }
    kernel.run();
  });
  if (received !== transfers) throw new Error(`${received} transfers received, ${transfers} posted`);
  return rate;
}

export const cases: BenchCase[] = [
  {
    name: 'links, Switch of 1,024 ranks, all-to-all',
    unit: 'transfers/s',
    run: () => transferRate([{ topology: 'Switch', npus: 1024 }], 1023),
  },
  {
    name: 'links, FullyConnected of 512 ranks, all-to-all',
    unit: 'transfers/s',
    run: () => transferRate([{ topology: 'FullyConnected', npus: 512 }], 511),
  },
  {
    name: 'links, Ring of 4,096 ranks, 16 next ranks (8.5 hops on average)',
    unit: 'transfers/s',
    run: () => transferRate([{ topology: 'Ring', npus: 4096 }], 16),
  },
  {
    name: 'links, Ring 16 by Ring 16 by Switch 16, 64 next ranks',
    unit: 'transfers/s',
    run: () =>
      transferRate(
        [
          { topology: 'Ring', npus: 16 },
          { topology: 'Ring', npus: 16 },
          { topology: 'Switch', npus: 16 },
        ],
        64,
      ),
  },
];
