import type { FindingCode } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { findCyclicComponents, type CyclicComponents, type DependencyKind } from '../../trace/cycles.js';
import { nodeId } from '../../trace/listed-ids.js';
import { nodeLabel, nodeName } from '../../trace/node-label.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import type { DependencyMode } from '../rank-skeleton.js';
import { Occurrences } from '../occurrences.js';
import { PLAIN, type StoredForm } from './stored-form.js';

/** What is known of a rank beside its trace. */
export interface RankContext {
  /** Which dependencies hold a node back, default `both`; with `data`, problems of control dependencies are notes. */
  readonly deps?: DependencyMode;
  /** What reading the trace found. */
  readonly found?: readonly Finding[];
  /** How the file is stored; a plain file of the current schema when left out. */
  readonly stored?: StoredForm;
}

/** What is counted; with its plural where an s behind it makes none. */
export type Noun = string | readonly [one: string, several: string];

export const TRANSFER_NOUN: Noun = ['send or receive', 'sends and receives'];

/** One rank as the rules see it: its trace and what several rules ask of it, worked out once. */
export class RankSubject {
  readonly trace: RankTrace;
  readonly deps: DependencyMode;
  readonly found: readonly Finding[];
  readonly stored: StoredForm;
  readonly #components = new Map<DependencyKind, CyclicComponents>();

  constructor(trace: RankTrace, { deps = 'both', found = [], stored = PLAIN }: RankContext) {
    this.trace = trace;
    this.deps = deps;
    this.found = found;
    this.stored = stored;
  }

  /** Facts every finding of the rank carries. */
  get place(): { rank: number; file: string } {
    return { rank: this.trace.rank, file: this.trace.file };
  }

  /** Which dependencies hold a node back. */
  get waiting(): DependencyKind {
    return this.deps === 'data' ? 'data' : 'both';
  }

  components(kind: DependencyKind): CyclicComponents {
    let components = this.#components.get(kind);
    if (components === undefined) {
      components = findCyclicComponents(this.trace, kind);
      this.#components.set(kind, components);
    }
    return components;
  }

  id(node: number): number | string {
    return nodeId(this.trace, node);
  }

  /** Name of a node, '' when the trace was made here and has none. */
  name(node: number): string {
    return nodeName(this.trace, node);
  }

  /** `3 "wait"`. */
  label(node: number): string {
    return nodeLabel(this.id(node), this.name(node));
  }

  /** The nodes for which `holds`, folded. */
  where(holds: (node: number) => boolean): Occurrences {
    const found = new Occurrences();
    for (let node = 0; node < this.trace.length; node++) if (holds(node)) this.add(found, node);
    return found;
  }

  add(occurrences: Occurrences, node: number): void {
    // A rank may have millions of them.
    if (occurrences.full) occurrences.count++;
    else occurrences.add(this.id(node), () => this.name(node));
  }

  /** `rank 0: 3 collectives without comm_type: nodes 4, 5 and 7`; nothing where it did not occur. */
  told(found: Occurrences, code: FindingCode, noun: Noun, what: string, more: Partial<Finding> = {}): Finding[] {
    const text = (places: string, count: number): string => `${this.#counted(count, noun)} ${what}: ${places}`;
    return found.finding(code, text, { ...this.place, ...more });
  }

  /** The same without the nodes, so that ranks of which the same is said are printed in one line. */
  toldAlike(found: Occurrences, code: FindingCode, noun: Noun, what: string, more: Partial<Finding> = {}): Finding[] {
    const text = (_: string, count: number): string => `${this.#counted(count, noun)} ${what}`;
    return found.finding(code, text, { ...this.place, ...more });
  }

  #counted(count: number, noun: Noun): string {
    return `rank ${this.trace.rank}: ${typeof noun === 'string' ? counted(count, noun) : counted(count, ...noun)}`;
  }
}
