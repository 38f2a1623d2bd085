import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';
import { newFolder, writeRanks } from '../../../support/folders.js';
import { attributes, collective } from '../../../support/preparation.js';
import { simulateFolder } from '../../../support/simulations.js';
import type { NodeObject } from '../../../support/traces.js';

/** Hosts, switches and links as a topology file has them. */
export type TopologyFile = Readonly<Record<string, unknown>>;

export const SINGLE_SWITCH = (hosts: number): TopologyFile => ({
  version: 1,
  generator: { type: 'single-switch', hosts, gbps: 400, delayNs: 500 },
});

export interface PacketJob {
  readonly ranks: readonly NodeObject[][];
  readonly topology: TopologyFile;
  readonly nic: NicKind;
  readonly stated?: StatedSettings;
}

/** When the last transfer of a job is received, µs: written, expanded and replayed as the command does it, `sync` off. */
export async function lastReceivedUs(job: PacketJob): Promise<number> {
  const { nic, stated = {}, topology, ranks } = job;
  return replayed(ranks, (folder) => {
    const network = join(folder, 'network.json');
    writeFileSync(network, JSON.stringify(topology));
    return { network, backend: 'packet', packet: { nic, check: true, stated, findings: [] } };
  });
}

/** The same on one latency and one rate. @param network a short form, such as `alpha-beta:latency=1us,bandwidth=50GB/s` */
export async function lastReceivedUnawareUs(ranks: PacketJob['ranks'], network: string): Promise<number> {
  return replayed(ranks, () => ({ network, backend: 'analytical-unaware' }));
}

async function replayed(
  ranks: PacketJob['ranks'],
  networkIn: (folder: string) => Parameters<typeof simulateFolder>[1],
): Promise<number> {
  const folder = newFolder();
  const network = networkIn(folder);
  const traces = writeRanks(join(folder, 'traces'), ranks);
  const { outcome } = await simulateFolder(traces, { ...network, sync: false, keepTransfers: true });
  rmSync(folder, { recursive: true });
  if (outcome.status !== 'finished') throw new Error(`the replay ended as ${outcome.status}`);
  const { received, length } = outcome.transferLog!;
  return received.subarray(0, length).reduce((last, time) => Math.max(last, time), 0) / 1e6;
}

/** AllReduces over all ranks that wait for nothing, of `bytes` each. */
export function allReduces(ranks: number, bytes: number, count = 1): NodeObject[][] {
  const nodes = Array.from({ length: count }, (_, n) => collective(n + 1, { type: 0, size: bytes }));
  return Array.from({ length: ranks }, () => nodes);
}

/** One transfer from rank 0 to rank 1. */
export function oneTransfer(bytes: number): NodeObject[][] {
  const attr = attributes({ size: bytes, from: 0, to: 1, tag: 1 });
  return [
    [{ id: 1, name: 'send', type: 'COMM_SEND_NODE', attr }],
    [{ id: 1, name: 'receive', type: 'COMM_RECV_NODE', attr }],
  ];
}
