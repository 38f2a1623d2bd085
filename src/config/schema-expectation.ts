import { grouped } from '../base/counts.js';

/** What a JSON schema says of one value, as far as messages need it. */
export interface ValueSchema {
  /** Several forms; of the names of algorithms the built-in ones, then a file. */
  readonly anyOf?: readonly ValueSchema[];
  readonly pattern?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** What the schema takes, in words. */
export function expectation(schema: ValueSchema): string {
  const { anyOf, pattern } = schema;
  if (anyOf) return anyOf.map(expectation).join(' or ');
  if (pattern?.startsWith('^file:') === true) return 'file:PATH';
  const { type, enum: choices, minimum, maximum, exclusiveMinimum, items, minItems, maxItems } = schema;
  if (choices) return `one of ${choices.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'text';
  if (type?.includes('object')) {
    return 'a text such as root=position, a list of such texts, or names with values such as {root: position}';
  }
  if (type === 'array' && items?.type === 'integer') {
    return `a list of integers from ${grouped(items.minimum!)} to ${grouped(items.maximum!)}`;
  }
  if (type?.includes('array')) {
    if (maxItems === 1) return 'a list of one text';
    const list = (minItems ?? 0) > 0 ? 'a list of one or more texts' : 'a list of texts';
    return type.includes('string') ? `text or ${list}` : list;
  }
  const kind = type === 'integer' ? 'an integer' : 'a number';
  if (exclusiveMinimum !== undefined) {
    return `${kind} above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${grouped(maximum)}`}`;
  }
  if (maximum !== undefined) return `${kind} from ${grouped(minimum!)} to ${grouped(maximum)}`;
  return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
}
