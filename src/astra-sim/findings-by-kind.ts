import { finding, type FindingCode } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import type { Finding, Severity } from '../base/finding.js';
import type { NodePlace } from './node-place.js';

/** Nodes of one kind, which are told of in one finding. */
export interface NodeKind {
  readonly code: FindingCode;
  /** Another than that of the code. */
  readonly severity?: Severity;
  readonly advice?: string;
  readonly noun: string;
  readonly plural?: string;
}

/** What is found of nodes: one finding a kind, with the first node and how many there are. */
export class FindingsByKind<Kind extends string> {
  readonly #kinds: Readonly<Record<Kind, NodeKind>>;
  readonly #found = new Map<Kind, { count: number; readonly place: NodePlace; readonly fate: string }>();

  constructor(kinds: Readonly<Record<Kind, NodeKind>>) {
    this.#kinds = kinds;
  }

  /**
   * @param count nodes that it is true of
   * @param first asked for the first time only: the node, and what becomes of it
   */
  add(kind: Kind, count: number, first: () => { place: NodePlace; fate: string }): void {
    const found = this.#found.get(kind);
    if (found === undefined) this.#found.set(kind, { count, ...first() });
    else found.count += count;
  }

  findings(): Finding[] {
    return [...this.#found].map(([kind, { count, place, fate }]) => {
      const { code, severity, advice, noun, plural } = this.#kinds[kind];
      const where = count === 1 ? place.label : `the first ${place.label}`;
      return finding(code, `${counted(count, noun, plural)}, ${where}: ${fate}`, {
        rank: place.rank,
        nodes: [place.id],
        ...(severity !== undefined && { severity }),
        ...(advice !== undefined && { advice }),
        ...(count > 1 && { count }),
      });
    });
  }
}
