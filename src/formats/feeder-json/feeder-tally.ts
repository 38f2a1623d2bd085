import { finding, type FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { EXPECTED, FEEDER_KEYS } from './feeder-keys.js';
import type { FeederJsonNode } from './feeder-node.js';

/** How many node ids a finding carries. */
const SHOWN_NODES = 8;
/** Keys nobody knows that are told apart; the others are counted together. */
const MOST_KEYS = 64;
const FURTHER_KEYS = 'other keys';

interface Case {
  count: number;
  readonly nodes: (number | string)[];
}

/** Counts what feeder JSON lacks, what of it is not read, and what of it cannot be used. */
export class FeederTally {
  #nodes = 0;
  readonly #missing = new Map<string, Case>();
  readonly #unusable = new Map<string, Case>();
  readonly #impossible = new Map<string, Case>();
  readonly #unread = new Map<string, Case>();
  readonly #beside = new Set<string>();
  #besideCount = 0;

  /** Counts one node. */
  add(node: FeederJsonNode): void {
    this.#nodes++;
    const type = node.values.get('NodeType');
    for (const [key, { types }] of Object.entries(FEEDER_KEYS)) {
      if (key === 'Id' || node.values.has(key)) continue;
      if (node.unusable.includes(key) || node.impossible.includes(key)) continue;
      if (types === undefined || types.includes(type as number)) count(this.#missing, key, node);
    }
    for (const key of node.unusable) count(this.#unusable, key, node);
    for (const key of node.impossible) count(this.#impossible, key, node);
    for (const key of node.unread) {
      const apart = this.#unread.has(key) || this.#unread.size < MOST_KEYS;
      count(this.#unread, apart ? key : FURTHER_KEYS, node);
    }
  }

  /** Counts a key beside `workload_graph`. */
  addBeside(key: string): void {
    this.#besideCount++;
    if (this.#beside.size < SHOWN_NODES) this.#beside.add(key);
  }

  findings(): Finding[] {
    const found = [
      ...this.#each(this.#missing, 'FEEDER_KEY_MISSING', (key, where) => `${key} is missing on ${where}`),
      ...this.#each(this.#unusable, 'ATTRIBUTE_NOT_NUMBER', (key, where) => {
        const expected = EXPECTED[FEEDER_KEYS[key].value];
        return `${key} is not ${expected} on ${where} and not used there`;
      }),
      ...this.#each(this.#impossible, 'NUMBER_INVALID', (key, where) => {
        const least = key === 'runtime' ? ' of 0 or more' : '';
        return `${key} is not a whole number${least} on ${where} and not used there`;
      }),
      ...this.#each(this.#unread, 'FEEDER_KEY_UNREAD', (key, where) => `${key} is not read on ${where}`),
    ];
    if (this.#besideCount > 0) {
      const keys = [...this.#beside];
      const shown = [...keys, ...(this.#besideCount > keys.length ? [`… ${this.#besideCount} in all`] : [])];
      const message = `keys beside workload_graph that are not read: ${shown.join(', ')}`;
      found.push(finding('FEEDER_KEY_UNREAD', message, { count: this.#besideCount, keys }));
    }
    return found;
  }

  #each(cases: Map<string, Case>, code: FindingCode, message: (key: string, where: string) => string): Finding[] {
    return [...cases].map(([key, { count, nodes }]) => {
      const where = this.#nodes === 1 ? 'the only node' : `${count} of ${this.#nodes} nodes`;
      // Most producers leave the runtime out where it is not known (chakra-format section 11).
      const usual = code === 'FEEDER_KEY_MISSING' && key === 'runtime' ? { severity: 'note' as const } : {};
      return finding(code, message(key, where), { ...usual, count, nodes: [...nodes], key });
    });
  }
}

function count(cases: Map<string, Case>, key: string, { id }: FeederJsonNode): void {
  let entry = cases.get(key);
  if (entry === undefined) cases.set(key, (entry = { count: 0, nodes: [] }));
  entry.count++;
  if (entry.nodes.length < SHOWN_NODES) entry.nodes.push(typeof id === 'bigint' ? String(id) : id);
}
