import type { Losses } from '../../base/losses.js';
import { COLLECTIVE_NAMES } from '../../trace/collective-type.js';
import type { AttributeLine, MetadataLine, NodeLine } from './frame-line.js';
import { countOddities } from './wire-oddities.js';

/*
 * What a form with fixed keys takes from a node, and what it leaves out: everything it does not ask for is counted.
 */

const INTEGERS = new Set([
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
]);

/** The attributes of a node, of which each is taken at most once; the first of equal names counts. */
export class CarriedAttributes {
  readonly #left: AttributeLine[];
  readonly #losses: Losses;
  readonly #example: string;

  /** @param example where the node is */
  constructor({ attr = [] }: NodeLine, losses: Losses, example: string) {
    this.#left = [...attr];
    this.#losses = losses;
    this.#example = example;
  }

  /**
   * The digits of an integer; `undefined` where there is none.
   * @param usualArm arm in which readers of the form write it back; `undefined` for every arm alike
   */
  integer(name: string, usualArm?: (digits: string) => string): string | undefined {
    const attribute = this.#find(name, (kind) => INTEGERS.has(kind) || kind === 'bool');
    if (attribute === undefined) return undefined;
    const kind = kindOf(attribute)!;
    const digits = String(kind === 'bool' ? Number(attribute[kind]) : (attribute[kind] as number | string));
    const usual = usualArm?.(digits);
    if (usual !== undefined && usual !== kind) {
      this.#countArm(name, kind, usual);
    }
    return digits;
  }

  text(name: string): string | undefined {
    const attribute = this.#find(name, (kind) => kind === 'string');
    return attribute === undefined ? undefined : (attribute.string as string);
  }

  /** The process group of older files of STAGE, `comm_group`: readers of every form take it for a `pg_name`. */
  olderGroup(): string | undefined {
    const group = this.integer('comm_group');
    if (group !== undefined) this.#losses.add('the name comm_group', this.#example, 'pg_name is read back');
    return group;
  }

  /** The schema's name of `comm_type`; `undefined` where that is no known collective. */
  collectiveName(): string | undefined {
    const isKnown = (attribute: AttributeLine): boolean => numberIn(attribute) in COLLECTIVE_NAMES;
    const attribute = this.#find('comm_type', (kind) => INTEGERS.has(kind), isKnown);
    if (attribute === undefined) return undefined;
    if (kindOf(attribute) !== 'int64') this.#countArm('comm_type', kindOf(attribute)!, 'int64');
    return COLLECTIVE_NAMES[numberIn(attribute)].schema;
  }

  /** Takes a flag that is not set: a form without it says as much. */
  passFalse(name: string): void {
    const isFalse = (attribute: AttributeLine): boolean => numberIn(attribute) === 0;
    this.#find(name, (kind) => INTEGERS.has(kind) || kind === 'bool', isFalse);
  }

  /** A list of texts, empty where the attribute has no value. */
  texts(name: string, fits: (list: readonly string[]) => boolean): readonly string[] | undefined {
    const listOf = (attribute: AttributeLine): readonly string[] => (attribute.string ?? []) as string[];
    const attribute = this.#find(
      name,
      (kind) => kind === '' || kind === 'string list',
      (found) => fits(listOf(found)),
    );
    return attribute === undefined ? undefined : listOf(attribute);
  }

  /** A number of any kind, as JSON writes it. */
  number(name: string): string | undefined {
    const attribute = this.#find(
      name,
      (kind) => INTEGERS.has(kind) || kind === 'double' || kind === 'float',
      (found) => /^-?[0-9]/.test(String(found[kindOf(found)!])),
    );
    return attribute === undefined ? undefined : String(attribute[kindOf(attribute)!]);
  }

  /** Counts what nobody took. */
  countLeft(): void {
    for (const { name } of this.#left) this.#losses.add(`attributes ${String(name) || '""'}`, this.#example);
  }

  #countArm(name: string, kind: string, usual: string): void {
    this.#losses.add(`the arm ${kind}_val of ${name}`, this.#example, `${usual}_val is read back`);
  }

  /** Takes the first attribute of a name where its value is of a kind that the form has. */
  #find(
    name: string,
    isKind: (kind: string) => boolean,
    fits: (attribute: AttributeLine) => boolean = () => true,
  ): AttributeLine | undefined {
    const place = this.#left.findIndex((attribute) => attribute.name === name);
    if (place < 0) return undefined;
    const attribute = this.#left[place];
    const kind = kindOf(attribute) ?? '';
    if (!isKind(Array.isArray(attribute[kind]) ? `${kind} list` : kind) || !fits(attribute)) return undefined;
    this.#left.splice(place, 1);
    if (attribute.doc !== undefined) this.#losses.add('doc strings', this.#example);
    return attribute;
  }
}

/** `int64`, …; `undefined` for an attribute without a value. */
function kindOf(attribute: AttributeLine): string | undefined {
  return Object.keys(attribute).find((member) => member !== 'name' && member !== 'doc');
}

function numberIn(attribute: AttributeLine): number {
  return Number(attribute[kindOf(attribute)!]);
}

/** Counts what is no attribute and no form with fixed keys has: start times, inputs and outputs, unknown fields. */
export function countFields(
  losses: Losses,
  line: NodeLine,
  message: Uint8Array,
  whole: boolean,
  example: string,
): void {
  if (line.startTimeMicros !== undefined) losses.add('start times', example);
  if (line.inputs !== undefined) losses.add('inputs of nodes', example);
  if (line.outputs !== undefined) losses.add('outputs of nodes', example);
  if (!whole) countOddities(losses, message, false, example);
}

/**
 * Counts what the metadata says and no form without metadata has. The version of the schema says nothing about the nodes and
 * is no loss.
 * @param schema that a reader of the form takes it to name
 */
export function countMetadata(
  losses: Losses,
  line: MetadataLine,
  { message, whole, rank }: { message: Uint8Array; whole: boolean; rank: number },
  schema?: string,
): void {
  const example = `rank ${rank} metadata`;
  for (const attribute of line.attr ?? []) {
    const isSaid = attribute.name === 'schema' && attribute.string === schema && schema !== undefined;
    if (!isSaid) losses.add(`metadata attributes ${String(attribute.name)}`, example);
  }
  if (!whole) countOddities(losses, message, true, example);
}
