import { ARM_READING, armName, integerOf, Reading } from './attribute-arms.js';
import { armFor, ATTRIBUTE_NAME, USUAL_ARM } from './known-attributes.js';
import { type Integer, type ReadMessage, SchemaMessages, type Wide } from './schema-messages.js';
import type { SchemaVersion } from './schema-version.js';

export type LegacySchema = Exclude<SchemaVersion, '0.0.4'>;

/** An attribute of 0.0.4: the value is under the name of its oneof arm. */
export interface Attribute {
  name: string;
  doc_string?: string;
  [arm: string]: unknown;
}

/** A node of 0.0.4. */
export interface CurrentNode {
  id: Wide;
  name: string;
  type: number;
  data_deps: readonly Wide[];
  duration_micros?: Wide;
  inputs?: Record<string, string>;
  outputs?: Record<string, string>;
  attr: Attribute[];
}

const NODE_TYPE = 'NodeType';
const COLLECTIVE_TYPE = 'CollectiveCommType';

/** The conversion of one file of an older schema, and what it could not convert. */
export class LegacyConversion {
  readonly old: SchemaMessages;
  readonly current = SchemaMessages.of('0.0.4');
  /** Fields that the schema does not have. */
  dropped = 0;
  /** Collective types that the schema does not name. */
  unknownCollectives = 0;

  constructor(readonly schema: LegacySchema) {
    this.old = SchemaMessages.of(schema);
  }

  countUnknown({ $unknowns }: ReadMessage): void {
    this.dropped += $unknowns?.length ?? 0;
  }

  /** Today's number of a node type. One that the old schema does not name is one that today's does not name either. */
  nodeType(old: number): number {
    const name = this.old.nameOf(NODE_TYPE, old);
    const found = name === undefined ? undefined : this.current.valueOf(NODE_TYPE, name);
    if (found !== undefined) return found;
    return this.current.nameOf(NODE_TYPE, old) === undefined ? old : old + 1;
  }

  /** The attribute for a collective type, under another name where the schema does not name the type. */
  commType(old: Integer): Attribute {
    const name = this.old.nameOf(COLLECTIVE_TYPE, numberOf(old));
    const type = name === undefined ? undefined : this.current.valueOf(COLLECTIVE_TYPE, name);
    if (type !== undefined) return { name: 'comm_type', int64_val: type };
    this.unknownCollectives++;
    return { name: 'legacy_comm_type', int64_val: old };
  }
}

/** An attribute with an integer: a known name in the arm that readers expect, another in `arm`. */
export function integerAttribute(name: string, arm: string, value: Integer): Attribute {
  const key = name === '' ? -1 : ATTRIBUTE_NAME.indexOf(name);
  if (key < 0 || ARM_READING[USUAL_ARM[key]] === Reading.none) return { name, [arm]: value };
  const number = numberOf(value);
  return { name, [armName(armFor(key, number))]: Number.isSafeInteger(number) ? number : value };
}

function numberOf(value: Integer): number {
  if (typeof value === 'number') return value;
  return integerOf(value.unsigned ? Reading.unsigned64 : Reading.signed64, value.low, value.high);
}
