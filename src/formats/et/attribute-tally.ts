import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { armName } from './attribute-arms.js';
import { ATTRIBUTE_NAME, holdsNumber, USUAL_ARM } from './known-attributes.js';

/** How many node indices a finding carries. */
const SHOWN_NODES = 8;

interface Case {
  readonly key: number;
  readonly arm: number;
  readonly usable: boolean;
  count: number;
  /** Node indices that have no id yet, then the ids shown. */
  nodes: number[];
  readonly ids: (number | string)[];
}

/** Counts attributes in unusual arms, so that a thousand nodes written by one producer give one finding. */
export class AttributeTally {
  readonly #cases = new Map<number, Case>();

  /** @param usable whether the value was an integer and could be used */
  add(key: number, arm: number, usable: boolean, node: number): void {
    const place = (key << 9) | (arm << 1) | (usable ? 1 : 0);
    let entry = this.#cases.get(place);
    if (entry === undefined) {
      entry = { key, arm, usable, count: 0, nodes: [], ids: [] };
      this.#cases.set(place, entry);
    }
    entry.count++;
    if (entry.nodes.length + entry.ids.length < SHOWN_NODES) entry.nodes.push(node);
  }

  /** Turns the node indices added since the last call into ids, before they stand for other nodes. */
  settle(idOf: (node: number) => number | string): void {
    for (const entry of this.#cases.values()) {
      if (entry.nodes.length === 0) continue;
      entry.ids.push(...entry.nodes.map(idOf));
      entry.nodes = [];
    }
  }

  /** One finding a case, of the nodes that {@link settle} has seen. */
  findings(): Finding[] {
    return [...this.#cases.values()].map(({ key, arm, usable, count, ids }) => {
      const attribute = ATTRIBUTE_NAME[key];
      const where = `on ${count} ${count === 1 ? 'node' : 'nodes'}`;
      const expected = armName(USUAL_ARM[key]);
      let message = `${attribute} is in ${armName(arm)} ${where}, expected ${expected}`;
      if (!usable) {
        message = holdsNumber(key, arm)
          ? `${attribute} is negative ${where} and not used there`
          : `${attribute} is ${armName(arm)} ${where} and not used there, expected ${expected}`;
      }
      return finding(usable ? 'ATTRIBUTE_ARM' : 'ATTRIBUTE_NOT_NUMBER', message, {
        nodes: [...ids],
        count,
        attribute,
        arm: armName(arm),
      });
    });
  }
}
