import type { Links } from '../links.js';
import { nearestCaller } from './callers.js';
import { communicationMeaning, sameMeaning, type Meaning } from './collective-words.js';
import { canCarry } from './kernel-words.js';
import type { CommunicationKernel } from './kernels.js';
import type { Records } from './records.js';

/** A kernel and the records of what it carries. */
export interface Carrier {
  readonly kernel: CommunicationKernel;
  /** Outermost records: one, several where they were coalesced, none where nothing was recorded. */
  readonly records: readonly number[];
  /** Whether the record that launched the kernel lies inside another one, which then counts. */
  readonly nested: boolean;
}

export interface Attached {
  /** In the order of launch. */
  readonly carriers: readonly Carrier[];
  /** Kernels that carry a part of what another kernel of the same record stands for. */
  readonly parts: readonly CommunicationKernel[];
  /** Kernels whose launch nothing tells of, given records by type and order. */
  readonly byOrder: readonly CommunicationKernel[];
  /** Records that no kernel was found for. */
  readonly withoutKernel: readonly number[];
  /** Records that may be those of kernels without a launch, and cannot be told apart from them. */
  readonly ambiguous: readonly number[];
}

/**
 * Brings kernels and records together, so that each communication is found once.
 *
 * - A kernel belongs to the outermost record around its launch.
 * - Coalesced communication is launched behind its records: a kernel launched under `nccl:coalesced` takes the run of records
 *   before it on its thread that have no kernel, of one group and one kind.
 * - Where a record has several kernels, the first stands for it.
 * - Kernels whose launch nothing tells of take the records that are left over, in order, where there are as many of a type.
 */
export function attachRecords(
  links: Links,
  callers: Int32Array,
  records: Records,
  kernels: readonly CommunicationKernel[],
): Attached {
  const nearest = kernels.map(({ launcher }) => nearestCaller(callers, launcher, (node) => records.outer.has(node)));
  const taken = new Set<number>();
  kernels.forEach((kernel, place) => {
    if (nearest[place] >= 0 && kernel.coalesced < 0) taken.add(records.outer.get(nearest[place])!);
  });

  const carriers: Carrier[] = [];
  const parts: CommunicationKernel[] = [];
  const lost: CommunicationKernel[] = [];
  const byRecord = new Map<number, { carrier: number; named: boolean }>();
  const runs = new CoalescedRuns(links, records, taken);
  kernels.forEach((kernel, place) => {
    const own = nearest[place] < 0 ? -1 : records.outer.get(nearest[place])!;
    if (kernel.coalesced >= 0) {
      const run = runs.before(kernel, own);
      if (run === 'seen') parts.push(kernel);
      else carriers.push({ kernel, records: run, nested: false });
      return;
    }
    const earlier = own < 0 ? undefined : byRecord.get(own);
    const carrier: Carrier = { kernel, records: own < 0 ? [] : [own], nested: own !== nearest[place] };
    const named = kernel.word !== undefined;
    if (earlier === undefined) {
      if (own < 0 && kernel.launcher < 0) lost.push(kernel);
      if (own >= 0) byRecord.set(own, { carrier: carriers.length, named });
      carriers.push(carrier);
    } else if (named && !earlier.named) {
      // A kernel with a name of a collective library stands for the record rather than one that was launched beside it.
      carriers[earlier.carrier] = carrier;
      byRecord.set(own, { carrier: earlier.carrier, named });
    } else if (named) {
      parts.push(kernel);
    }
  });

  const left = records.outermost.filter((node) => !taken.has(node));
  const ordered = byTypeAndOrder(lost, left, records);
  return {
    carriers: carriers.map((carrier) => {
      const record = ordered.record.get(carrier.kernel);
      return record === undefined ? carrier : { ...carrier, records: [record] };
    }),
    parts,
    byOrder: [...ordered.record.keys()],
    withoutKernel: left.filter((node) => !ordered.used.has(node) && !ordered.ambiguous.has(node)),
    ambiguous: [...ordered.ambiguous],
  };
}

/** Outermost records of one thread, in the order of issue. */
interface ThreadRecords {
  readonly nodes: number[];
  /** Whether all of them are in the device trace, so that they have times. */
  timed: boolean;
}

/** Records that were issued one after the other and launched together. */
class CoalescedRuns {
  readonly #byThread = new Map<number, ThreadRecords>();
  /** Place of each record among those of its thread. */
  readonly #places = new Map<number, number>();
  readonly #seen = new Set<number>();

  constructor(
    readonly links: Links,
    readonly records: Records,
    readonly taken: Set<number>,
  ) {
    const { host, hostEvent } = links;
    for (const node of records.outermost) {
      let thread = this.#byThread.get(host.thread[node]);
      if (thread === undefined) {
        thread = { nodes: [], timed: true };
        this.#byThread.set(host.thread[node], thread);
      }
      this.#places.set(node, thread.nodes.length);
      thread.nodes.push(node);
      thread.timed &&= hostEvent[node] >= 0;
    }
  }

  /**
   * The records that a kernel launched; `seen` where another kernel of the same launch has them.
   * @param own record around the launch, −1
   */
  before(kernel: CommunicationKernel, own: number): readonly number[] | 'seen' {
    const { records, taken, links } = this;
    if (this.#seen.has(kernel.coalesced)) return 'seen';
    this.#seen.add(kernel.coalesced);
    if (kernel.launcher < 0) return [];
    const thread = this.#byThread.get(links.host.thread[kernel.launcher]);
    if (thread === undefined) return [];
    const list = thread.nodes;
    const group = kernel.stated?.group;
    const run: number[] = [];
    for (let place = this.#end(kernel, own, thread) - 1; place >= 0 && !taken.has(list[place]); place--) {
      const node = list[place];
      const meaning = records.meanings.get(node);
      if (meaning === undefined || !canCarry(kernel.word, meaning)) break;
      if (run.length > 0 && !this.#goTogether(node, run[0])) break;
      if (group !== undefined && (this.#groupOf(node) ?? group) !== group) break;
      run.unshift(node);
    }
    for (const node of run) taken.add(node);
    return run;
  }

  /** Place in the list of a thread's records before which the launch stands. */
  #end({ coalesced, launcher, issuedNs }: CommunicationKernel, own: number, { nodes, timed }: ThreadRecords): number {
    const { host, device, hostEvent } = this.links;
    // The launch may have been attached to the last record of the run.
    if (own >= 0) return this.#places.get(own)! + 1;
    if (coalesced < host.length) return countBefore(nodes, (node) => host.id[node] <= host.id[coalesced]);
    const { startNs } = device!.hostEvents;
    if (timed) return countBefore(nodes, (node) => startNs[hostEvent[node]] <= issuedNs);
    return countBefore(nodes, (node) => host.id[node] <= host.id[launcher]);
  }

  /** Sends and receives of a group, or collectives of one type in a group. */
  #goTogether(node: number, later: number): boolean {
    const one = this.records.meanings.get(node)!;
    const other = this.records.meanings.get(later)!;
    const alike = one.kind === 'collective' ? sameMeaning(one, other) : other.kind !== 'collective';
    return alike && this.#groupOf(node) === this.#groupOf(later);
  }

  #groupOf(node: number): string | undefined {
    return this.links.host.communications.get(node)!.group;
  }
}

/** How many places at the beginning of a list hold; those that do come first. */
function countBefore(list: readonly number[], holds: (node: number) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Ordered {
  readonly record: ReadonlyMap<CommunicationKernel, number>;
  readonly used: ReadonlySet<number>;
  readonly ambiguous: ReadonlySet<number>;
}

/** Pairs kernels without a launch and records without a kernel, type by type, where there are as many of both. */
function byTypeAndOrder(kernels: readonly CommunicationKernel[], left: readonly number[], records: Records): Ordered {
  const record = new Map<CommunicationKernel, number>();
  const used = new Set<number>();
  const ambiguous = new Set<number>();
  const byKind = new Map<string, CommunicationKernel[]>();
  for (const kernel of kernels) {
    const meaning = statedOrNamed(kernel);
    const kind = meaning === undefined ? (kernel.word?.sendsAndReceives ? 'sends' : 'any') : JSON.stringify(meaning);
    const list = byKind.get(kind);
    if (list === undefined) byKind.set(kind, [kernel]);
    else list.push(kernel);
  }
  // What is named exactly goes first: a kernel that could be anything takes what is left.
  for (const list of [...byKind]
    .sort(([one], [other]) => rankOfKind(one) - rankOfKind(other))
    .map(([, same]) => same)) {
    const exact = statedOrNamed(list[0]);
    const fits = left.filter((node) => {
      const meaning = records.meanings.get(node);
      if (used.has(node) || ambiguous.has(node) || meaning === undefined) return false;
      return exact === undefined ? canCarry(list[0].word, meaning) : sameMeaning(exact, meaning);
    });
    if (fits.length === list.length) {
      list.forEach((kernel, place) => record.set(kernel, fits[place]));
      fits.forEach((node) => used.add(node));
    } else {
      fits.forEach((node) => ambiguous.add(node));
    }
  }
  return { record, used, ambiguous };
}

function rankOfKind(kind: string): number {
  return kind === 'any' ? 2 : kind === 'sends' ? 1 : 0;
}

function statedOrNamed({ stated, word }: CommunicationKernel): Meaning | undefined {
  const meaning = stated?.collective === undefined ? undefined : communicationMeaning(stated.collective);
  return meaning ?? word?.meaning;
}
