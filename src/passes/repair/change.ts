import { finding } from '../../base/catalogue.js';
import type { Finding, Severity } from '../../base/finding.js';
import { nodeId } from '../../trace/listed-ids.js';
import { nodeName } from '../../trace/node-label.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { Occurrences } from '../occurrences.js';

/** What `validate --fix` repairs, in the order in which it tells of it. */
export const REPAIRS = [
  'orphan-data',
  'orphan-control',
  'self-data',
  'self-control',
  'repeated-data',
  'repeated-control',
  'is-cpu-op',
  'empty-node',
  'attribute-arm',
  'parents-first',
] as const;

export type Repair = (typeof REPAIRS)[number];

type Id = number | string;

/** One kind of repair on one rank: a finding that lists every node it changed. Plain data. */
export interface Change extends Finding {
  code: 'REPAIRED';
  repair: Repair;
  rank: number;
  /** Changes: dependencies dropped, attributes written or moved, nodes put elsewhere. */
  count: number;
  /** Node of each change; a node that lost two dependencies is there twice. */
  nodes: Id[];
  /** Of each change the dependency that was dropped, or the node before which the changed one stands now. */
  ids?: Id[];
}

/** Gathers the changes of one kind on one rank. */
export class ChangeTally {
  readonly #trace: RankTrace;
  readonly #nodes: Id[] = [];
  readonly #ids: Id[] = [];
  readonly #places = new Occurrences(); // each node once
  #last = -1;

  constructor(trace: RankTrace) {
    this.#trace = trace;
  }

  get count(): number {
    return this.#nodes.length;
  }

  /** The changed nodes, for a message. */
  get places(): string {
    return this.#places.places;
  }

  /** Counts a change of a node; those of one node follow one another. */
  add(node: number, id?: Id): void {
    const own = nodeId(this.#trace, node);
    this.#nodes.push(own);
    if (id !== undefined) this.#ids.push(id);
    if (node !== this.#last) this.#places.add(own, () => nodeName(this.#trace, node));
    this.#last = node;
  }

  /** Nothing where nothing was changed. */
  changes(
    repair: Repair,
    message: (count: number, places: string) => string,
    facts: { severity?: Severity; advice?: string; [fact: string]: unknown } = {},
  ): Change[] {
    if (this.count === 0) return [];
    const { rank, file } = this.#trace;
    const text = `rank ${rank}: ${message(this.count, this.places)}`;
    const found = finding('REPAIRED', text, { rank, file, ...facts });
    const ids = this.#ids.length === 0 ? {} : { ids: this.#ids };
    return [{ ...found, code: 'REPAIRED', repair, rank, count: this.count, nodes: this.#nodes, ...ids }];
  }
}
