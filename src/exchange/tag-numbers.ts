import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import type { Finding } from '../base/finding.js';

/**
 * Tags for a form that has numbers from 0 to `most` only. A tag in that range stays what it is; another one gets a number
 * that no transfer of the job has, the same wherever it stands, so that what matched still matches and nothing else does.
 */
export class TagNumbers {
  readonly #most: number;
  /** Used tags in the upper half of the range, where new numbers are looked for. */
  readonly #used = new Set<number>();
  readonly #numbers = new Map<number, number>();
  #isAssigned = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a tag of the job; all of them come before the first {@link number}. */
  note(tag: number): void {
    if (tag < 0 || tag > this.#most) this.#numbers.set(tag, -1);
    else if (tag > this.#most / 2) this.#used.add(tag);
  }

  /** The number of a tag. */
  number(tag: number): number {
    if (tag >= 0 && tag <= this.#most) return tag;
    if (!this.#isAssigned) this.#assign();
    return this.#numbers.get(tag)!;
  }

  findings(form: string): Finding[] {
    const tags = [...this.#numbers.keys()].sort((a, b) => a - b);
    if (tags.length === 0) return [];
    const message = `${counted(tags.length, 'tag')} that ${form} has no place for (0 to ${this.#most}), first ${tags[0]}: replaced by ${tags.length === 1 ? 'a number' : 'numbers'} that no transfer has, ${this.number(tags[0])}${tags.length === 1 ? '' : ' and on'}`;
    return [finding('TAG_REPLACED', message, { count: tags.length })];
  }

  #assign(): void {
    this.#isAssigned = true;
    let next = Math.floor(this.#most / 2) + 1;
    for (const tag of [...this.#numbers.keys()].sort((a, b) => a - b)) {
      while (this.#used.has(next)) next++;
      this.#numbers.set(tag, next++);
    }
  }
}
