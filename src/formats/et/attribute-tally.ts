import { finding, type FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { nodeList } from '../../trace/node-label.js';
import { Arm, ARM_WIRE, armName } from './attribute-arms.js';
import { ATTRIBUTE_NAME, USUAL_ARM } from './known-attributes.js';
import { Wire } from './wire.js';

/** How many node indices a finding carries. */
const SHOWN_NODES = 8;

/** What is odd about an attribute. */
export const Oddity = {
  /** An integer in another arm than the usual one; it is used. */
  otherArm: 0,
  /** A text, a list, bytes or a float where a number belongs, or the other way round; it is not used. */
  otherKind: 1,
  /** A number that cannot be one of its kind: below 0, with a fraction, infinite, NaN. */
  impossible: 2,
  /** A name without a value. */
  empty: 3,
} as const;

/** One attribute that is odd in one way. */
interface Case {
  readonly key: number;
  readonly arm: number;
  readonly oddity: number;
  count: number;
  /** The value of the first, for messages; '' where it is not shown. */
  example: string;
  /** Node indices that have no id yet, then the ids shown. */
  nodes: number[];
  readonly ids: (number | string)[];
}

/** Counts odd attributes, so that a thousand nodes written by one producer give one finding. */
export class AttributeTally {
  readonly #cases = new Map<number, Case>();

  /**
   * Counts one attribute of a node; gives its case, so that the value of the first can be noted.
   * @param oddity one of {@link Oddity}
   */
  add(key: number, arm: number, oddity: number, node: number): { readonly count: number; example: string } {
    const place = (key << 11) | (arm << 2) | oddity;
    let entry = this.#cases.get(place);
    if (entry === undefined) {
      entry = { key, arm, oddity, count: 0, example: '', nodes: [], ids: [] };
      this.#cases.set(place, entry);
    }
    entry.count++;
    if (entry.nodes.length + entry.ids.length < SHOWN_NODES) entry.nodes.push(node);
    return entry;
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
    return [...this.#cases.values()].map((entry) => {
      const { key, arm, oddity, count, ids } = entry;
      return finding(CODES[oddity], messageOf(entry), {
        nodes: [...ids],
        count,
        attribute: ATTRIBUTE_NAME[key],
        arm: armName(arm),
        ...(oddity === Oddity.otherKind ? { advice: adviceOf(key) } : {}),
      });
    });
  }
}

/** By {@link Oddity}. */
const CODES: readonly FindingCode[] = ['ATTRIBUTE_ARM', 'ATTRIBUTE_NOT_NUMBER', 'NUMBER_INVALID', 'ATTRIBUTE_EMPTY'];

function messageOf({ key, arm, oddity, count, example, ids }: Case): string {
  const name = ATTRIBUTE_NAME[key];
  const expected = armName(USUAL_ARM[key]);
  const where = `on ${nodeList(ids, count)}`;
  const value = example === '' ? '' : `${count === 1 ? '' : 'such as '}${example} `;
  switch (oddity) {
    case Oddity.otherKind:
      return `${name} is ${armName(arm)} ${value}${where} and not used there, expected ${expected}`;
    case Oddity.impossible:
      if (example === '') return `${name} holds a number that is not ${WHOLE} ${where}`;
      return count === 1
        ? `${name} is ${value}${where}, expected ${WHOLE}`
        : `${name} is not ${WHOLE} ${where}, the first is ${example}`;
    case Oddity.empty:
      return `${name} has no value ${where}; it counts as absent there`;
    default:
      // Producers write all their nodes alike: the ids say nothing, and ranks that say the same are told together.
      return `${name} is in ${armName(arm)} on ${count} ${count === 1 ? 'node' : 'nodes'}, expected ${expected}`;
  }
}

const WHOLE = 'a whole number of 0 or more';

function adviceOf(key: number): string {
  const arm = USUAL_ARM[key];
  if (arm === Arm.string) return 'write it as a text';
  if (arm === Arm.bool) return 'write it as true or false';
  return ARM_WIRE[arm] === Wire.delimited ? 'write it as a list of integers' : 'write it as an integer';
}
