import type { Finding } from '../base/finding.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { FindingsByKind, type NodeKind } from './findings-by-kind.js';
import { placeOf } from './node-place.js';

/** What there is to say of single nodes (astra-sim-semantics sections 3, 11, 16, 18). */
const KINDS = {
  metadata: {
    code: 'ASTRA_METADATA_NODE',
    severity: 'note',
    noun: 'METADATA node',
    fate: 'ASTRA-sim aborts at such a node, which takes no time here',
  },
  statistics: {
    code: 'ASTRA_STATISTICS',
    severity: 'note',
    noun: 'CPU, memory or INVALID node',
    plural: 'CPU, memory and INVALID nodes',
    fate: 'ASTRA-sim loses the statistics of such a rank, which are complete here',
  },
  untimed: {
    code: 'SYSTEM_DURATION_ABSENT',
    noun: 'node without a duration',
    plural: 'nodes without a duration',
    fate: 'such a node takes 1 ns, as in ASTRA-sim',
  },
  broadcast: {
    code: 'ASTRA_BROADCAST',
    noun: 'broadcast',
    fate: 'a broadcast takes its duration and moves nothing, as in ASTRA-sim',
  },
  tag: {
    code: 'ASTRA_TAG',
    noun: 'send or receive with a tag outside 0 to 499,999,999',
    plural: 'sends and receives with a tag outside 0 to 499,999,999',
    fate: 'such a tag counts modulo 500,000,000, as in ASTRA-sim',
  },
  foreignEnd: {
    code: 'ASTRA_END',
    severity: 'warning',
    noun: 'send or receive that names another rank as its own end',
    plural: 'sends and receives that name another rank as their own end',
    fate: 'ASTRA-sim throws there; here the rank of the file counts',
  },
  dimensions: {
    code: 'ASTRA_DIMENSIONS',
    severity: 'warning',
    noun: 'collective with an involved_dim that is no list of booleans',
    plural: 'collectives with an involved_dim that is no list of booleans',
    fate: 'ASTRA-sim exits there; here it counts as left out',
  },
  emptyTensor: {
    code: 'ASTRA_ROOFLINE',
    severity: 'warning',
    noun: 'compute node with a tensor_size of 0',
    plural: 'compute nodes with a tensor_size of 0',
    fate: 'the roofline skips such a node, as in ASTRA-sim',
  },
  noOperations: {
    code: 'ASTRA_ROOFLINE',
    noun: 'compute node with a num_ops of 0',
    plural: 'compute nodes with a num_ops of 0',
    fate: 'such a node takes what its bytes take; ASTRA-sim divides 0 by 0',
  },
} as const satisfies Record<string, NodeKind & { readonly fate: string }>;

/** What there is to say of the nodes of all ranks. */
export class NodeNotes {
  readonly #found = new FindingsByKind<keyof typeof KINDS>(KINDS);

  add(kind: keyof typeof KINDS, trace: RankTrace, index: number): void {
    this.#found.add(kind, 1, () => ({ place: placeOf(trace, index), fate: KINDS[kind].fate }));
  }

  findings(): Finding[] {
    return this.#found.findings();
  }
}
