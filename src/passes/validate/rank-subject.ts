import type { Finding } from '../../base/finding.js';
import { findCyclicComponents, type CyclicComponents, type DependencyKind } from '../../trace/cycles.js';
import { nodeId } from '../../trace/listed-ids.js';
import { nodeLabel, nodeName } from '../../trace/node-label.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import type { DependencyMode } from '../rank-skeleton.js';
import { Occurrences } from './occurrences.js';
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
}
