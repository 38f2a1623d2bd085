import { finding, type FindingCode } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { nodeList } from '../trace/node-label.js';

/** Ids that a folded finding lists. */
const SHOWN = 8;

type Id = number | string;

/** Counts what occurs many times on a rank, so that it becomes one finding with the first few ids. */
export class Occurrences {
  count = 0;
  readonly ids: Id[] = [];
  /** Name of the first node, '' when it is not known. */
  firstName = '';

  /** Whether further ones are counted only. */
  get full(): boolean {
    return this.count >= SHOWN;
  }

  /** @param name asked for the first node only */
  add(id: Id, name?: () => string): void {
    if (this.count++ === 0) this.firstName = name?.() ?? '';
    if (this.ids.length < SHOWN) this.ids.push(id);
  }

  /** `node 3 "wait"`, or `nodes 3 "wait", 4, 7 and 1,272 more`. */
  get places(): string {
    return nodeList(this.ids, this.count, this.firstName);
  }

  /** Nothing when it did not occur; else one finding with the ids, and the count where it is more than one. */
  finding(code: FindingCode, message: (places: string, count: number) => string, facts: Partial<Finding>): Finding[] {
    if (this.count === 0) return [];
    const count = this.count > 1 ? { count: this.count } : {};
    return [finding(code, message(this.places, this.count), { nodes: this.ids, ...count, ...facts })];
  }
}
