import type { RemoteMemoryConfiguration } from './system-configuration.js';

/** What the remote memory needs of the engine. */
export interface MemoryTimers {
  /**
   * Registers a system-layer timer of the rank, `delayNs` (whole, 0 or more) from now; when it ends the engine calls
   * `fire(rank, reference)` of the memory.
   */
  register(rank: number, delayNs: number, reference: number): void;
}

/** An access that waits for its port. */
interface WaitingAccess {
  readonly rank: number;
  readonly bytes: number;
  readonly reference: number;
  behind: WaitingAccess | undefined;
}

/** A port that some ranks share: one access at a time, first come, first served. */
interface Port {
  busy: boolean;
  first: WaitingAccess | undefined;
  last: WaitingAccess | undefined;
}

/** Loads and stores of remote memory (astra-sim-semantics section 4). */
export class RemoteMemory {
  readonly #configuration: RemoteMemoryConfiguration;
  readonly #timers: MemoryTimers;
  readonly #ended: (reference: number) => void;
  readonly #ports: readonly Port[]; // none where every rank is by itself

  /** @param ended called with the reference of each access that has ended; it may issue new ones */
  constructor(
    configuration: RemoteMemoryConfiguration,
    rankCount: number,
    timers: MemoryTimers,
    ended: (reference: number) => void,
  ) {
    this.#configuration = configuration;
    this.#timers = timers;
    this.#ended = ended;
    const ports = portsOf(configuration, rankCount);
    this.#ports = Array.from({ length: ports }, () => ({ busy: false, first: undefined, last: undefined }));
  }

  /** Whether ranks have any: under `NO_MEMORY_EXPANSION` the program ends at the first access. */
  get available(): boolean {
    return this.#configuration.kind !== 'NO_MEMORY_EXPANSION';
  }

  /**
   * An access of the rank begins, or waits for those before it on its port.
   *
   * @param bytes `tensor_size`
   * @param reference what `ended` is called with
   * @throws RangeError when the memory is not `available`
   */
  issue(rank: number, bytes: number, reference: number): void {
    if (!this.available) throw new RangeError('an access without remote memory');
    const port = this.#portOf(rank);
    if (port?.busy) {
      const access = { rank, bytes, reference, behind: undefined };
      if (port.last) port.last.behind = access;
      else port.first = access;
      port.last = access;
      return;
    }
    if (port) port.busy = true;
    this.#start(rank, bytes, reference);
  }

  /** The timer of an access has ended: first its node completes, which may issue accesses, then the next on the port starts. */
  fire(rank: number, reference: number): void {
    this.#ended(reference);
    const port = this.#portOf(rank);
    if (!port) return;
    const next = port.first;
    if (!next) {
      port.busy = false;
      return;
    }
    port.first = next.behind;
    if (!port.first) port.last = undefined;
    this.#start(next.rank, next.bytes, next.reference);
  }

  #start(rank: number, bytes: number, reference: number): void {
    const { latencyNs, bytesPerNs } = this.#configuration;
    this.#timers.register(rank, latencyNs + Math.trunc(bytes / bytesPerNs), reference);
  }

  #portOf(rank: number): Port | undefined {
    const { kind, ranksPerNode } = this.#configuration;
    return this.#ports[kind === 'PER_NODE_MEMORY_EXPANSION' ? Math.floor(rank / ranksPerNode) : 0];
  }
}

function portsOf({ kind, ranksPerNode }: RemoteMemoryConfiguration, rankCount: number): number {
  if (kind === 'MEMORY_POOL') return 1;
  return kind === 'PER_NODE_MEMORY_EXPANSION' ? Math.ceil(rankCount / ranksPerNode) : 0;
}
