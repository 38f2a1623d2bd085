import { grouped } from '../base/counts.js';

/** What a JSON schema says of one value, as far as messages need it. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** What the schema takes, in words. */
export function expectation({ type, enum: choices, minimum, maximum, minItems, maxItems }: ValueSchema): string {
  if (choices) return `one of ${choices.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'text';
  if (type?.includes('object')) {
    return 'a text such as root=position, a list of such texts, or names with values such as {root: position}';
  }
  if (type?.includes('array')) {
    if (maxItems === 1) return 'a list of one text';
    const list = (minItems ?? 0) > 0 ? 'a list of one or more texts' : 'a list of texts';
    return type.includes('string') ? `text or ${list}` : list;
  }
  const kind = type === 'integer' ? 'an integer' : 'a number';
  if (maximum !== undefined) return `${kind} from ${grouped(minimum!)} to ${grouped(maximum)}`;
  return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
}
