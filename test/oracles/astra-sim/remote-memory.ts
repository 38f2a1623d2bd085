import type { RemoteMemoryConfiguration } from '../../../src/astra-sim/system-configuration.js';
import type { Action, Timer } from './events.js';

/** Reads or writes `bytes` for a rank, on whose timer it ends. */
export type RemoteMemory = (rank: number, timer: Timer, bytes: number, done: Action) => void;

/** Section 4. */
export function remoteMemory(memory: RemoteMemoryConfiguration): RemoteMemory {
  const { kind, latencyNs, bytesPerNs, ranksPerNode } = memory;
  const duration = (bytes: number): number => latencyNs + Math.floor(bytes / bytesPerNs);
  if (kind === 'NO_MEMORY_EXPANSION') {
    return (rank) => {
      throw new Error(`rank ${rank} has a memory node and there is no remote memory`);
    };
  }
  if (kind === 'PER_NPU_MEMORY_EXPANSION') return (_rank, timer, bytes, done) => timer(duration(bytes), done);
  const ports = new Map<number, { busy: boolean; waiting: Action[] }>();
  return (rank, timer, bytes, done) => {
    const number = kind === 'MEMORY_POOL' ? 0 : Math.floor(rank / ranksPerNode);
    const port = ports.get(number) ?? { busy: false, waiting: [] };
    ports.set(number, port);
    const start = (): void => {
      port.busy = true;
      // Two callbacks of the rank: what its node's end brings is queued before the next access starts.
      timer(duration(bytes), done);
      timer(duration(bytes), () => {
        port.busy = false;
        port.waiting.shift()?.();
      });
    };
    if (port.busy) port.waiting.push(start);
    else start();
  };
}
