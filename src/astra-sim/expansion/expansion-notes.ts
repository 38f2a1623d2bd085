import { finding, type FindingCode } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import type { CollectiveInstance } from '../../collectives/plan.js';
import { collectiveName } from '../../trace/collective-type.js';
import type { SystemConfiguration } from '../system-configuration.js';
import type { MemberNode } from './member-nodes.js';

/** What occurred, how often and where first. */
interface Occurrence {
  readonly code: FindingCode;
  readonly message: (count: number) => string;
  readonly facts: Partial<Finding>;
  count: number;
}

/** What an expansion by the system layer's algorithms does otherwise than ASTRA-sim, or than one may think. */
export class ExpansionNotes {
  readonly #occurrences = new Map<string, Occurrence>();

  /** A collective that the system layer does not run. */
  ownAlgorithm(instance: CollectiveInstance, first: MemberNode): void {
    const { type, group, algorithm } = instance;
    this.#add(
      'EXPANSION_OWN_ALGORITHM',
      `${type}`,
      (count) =>
        `${collectives(type, count)}, first on ${first.label}: not run by ASTRA-sim’s system layer; expanded with ${algorithm.name}`,
      { rank: first.rank, group: group.name },
    );
  }

  /** An all-to-all whose members state how much goes to whom. */
  splitsUnused(instance: CollectiveInstance, first: MemberNode): void {
    this.#add(
      'EXPANSION_SPLITS',
      '',
      (count) =>
        `${collectives(instance.type, count)}, first on ${first.label}: send_split_bytes do not count, ASTRA-sim sends equal parts of comm_size`,
      { rank: first.rank, group: instance.group.name },
    );
  }

  /** Members that come to a collective after different ones. */
  turnsDiffer({ type, group, instance }: CollectiveInstance, first: number, other: number): void {
    this.#add(
      'EXPANSION_TURNS_DIFFER',
      group.name,
      (count) =>
        `${group.name}: ${collectiveName(type)} ${instance}${count > 1 ? ` (and ${count - 1} more)` : ''}: queues and trees are taken in turn, ` +
        `and it is another turn on rank ${other} than on rank ${first}, whose is taken`,
      { rank: other, group: group.name },
    );
  }

  computationLeftOut(collective: string, prefix: string, nodes: number): void {
    this.#add(
      'EXPANSION_TIMES_LEFT_OUT',
      prefix,
      () => `${collective} ${prefix}: ${counted(nodes, 'compute node')} of the algorithm left out`,
      {},
    );
  }

  /** What a system file says of times and nothing in a trace can. */
  timesLeftOut({ file, endpointDelayNs, localMemoryGBps, sharedBus }: SystemConfiguration): void {
    const left = [
      ...(sharedBus === undefined ? [] : ['model-shared-bus']),
      ...(endpointDelayNs === 0 ? [] : [`endpoint-delay ${endpointDelayNs} ns`]),
      ...(localMemoryGBps === 0 ? [] : [`reductions at local-mem-bw ${localMemoryGBps} GB/s`]),
    ];
    if (left.length === 0) return;
    this.#add('EXPANSION_TIMES_LEFT_OUT', '', () => `${file}: not in the transfers: ${left.join(', ')}`, { file });
  }

  findings(): Finding[] {
    return [...this.#occurrences.values()].map(({ code, message, facts, count }) =>
      finding(code, message(count), count > 1 ? { ...facts, count } : facts),
    );
  }

  #add(code: FindingCode, kind: string, message: Occurrence['message'], facts: Partial<Finding>): void {
    const key = `${code} ${kind}`;
    const known = this.#occurrences.get(key);
    if (known === undefined) this.#occurrences.set(key, { code, message, facts, count: 1 });
    else known.count++;
  }
}

function collectives(type: number, count: number): string {
  return count === 1 ? `one ${collectiveName(type)}` : `${grouped(count)} of ${collectiveName(type)}`;
}
