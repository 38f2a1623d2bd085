import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const PAYLOAD = 4096;
const BEYOND = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 50 });

interface Posted {
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
}

/** Packets per CPU second of transfers that are all posted at 0, in groups of as many ranks with subgroups of 8. */
function packetRate(ranks: number, groupSize: number, transfers: readonly Posted[]): number {
  const groups = Array.from({ length: ranks / groupSize }, (_, id) => ({
    id,
    bandwidthGbps: 800,
    switchLatencyPs: 100_000,
    cableLatencyPs: 100_000,
  }));
  const kernel = new Kernel();
  let received = 0;
  const network = scaleUpRouted(BEYOND, {
    groups,
    groupOf: Int32Array.from({ length: ranks }, (_, rank) => Math.floor(rank / groupSize)),
    subgroupOf: Uint32Array.from({ length: ranks }, (_, rank) => Math.floor(rank / 8)),
    maxPayloadBytes: PAYLOAD,
    headerBytes: 24,
  })(ranks, kernel, { sent: () => {}, received: () => received++, acknowledged: () => {} });
  const packets = transfers.reduce((sum, { bytes }) => sum + Math.max(1, Math.ceil(bytes / PAYLOAD)), 0);
  const rate = perCpuSecond(packets, () => {
    for (const [transfer, { source, destination, bytes }] of transfers.entries()) {
      network.post(transfer, source, destination, bytes, 0);
    }
    kernel.run();
  });
  if (received !== transfers.length) throw new Error(`${received} transfers received, ${transfers.length} posted`);
  return rate;
}

function allToAll(
  ranks: number,
  groupSize: number,
  bytesOf: (source: number, destination: number) => number,
): Posted[] {
  const transfers: Posted[] = [];
  for (let source = 0; source < ranks; source++) {
    const base = source - (source % groupSize);
    for (let destination = base; destination < base + groupSize; destination++) {
      if (destination !== source) transfers.push({ source, destination, bytes: bytesOf(source, destination) });
    }
  }
  return transfers;
}

const ring = (ranks: number, bytes: number): Posted[] =>
  Array.from({ length: ranks }, (_, source) => ({ source, destination: (source + 1) % ranks, bytes }));

export const cases: BenchCase[] = [
  {
    name: 'scale-up, all-to-all of 64 ranks, 1 MiB a pair',
    unit: 'packets/s',
    target: 3e6,
    run: () =>
      packetRate(
        64,
        64,
        allToAll(64, 64, () => 1 << 20),
      ),
  },
  {
    name: 'scale-up, all-to-all in 16 groups of 64 ranks, 256 KiB a pair',
    unit: 'packets/s',
    target: 3e6,
    run: () =>
      packetRate(
        1024,
        64,
        allToAll(1024, 64, () => 1 << 18),
      ),
  },
  {
    name: 'scale-up, all-to-all of 64 ranks, every pair another size',
    unit: 'packets/s',
    run: () =>
      packetRate(
        64,
        64,
        allToAll(64, 64, (source, destination) => 1000 * (64 * source + destination)),
      ),
  },
  {
    name: 'scale-up, all-to-all of 512 ranks in one group, 64 KiB a pair',
    unit: 'packets/s',
    run: () =>
      packetRate(
        512,
        512,
        allToAll(512, 512, () => 1 << 16),
      ),
  },
  {
    name: 'scale-up, ring of 64 ranks, 64 MiB a step',
    unit: 'packets/s',
    run: () => packetRate(64, 64, ring(64, 1 << 26)),
  },
];
