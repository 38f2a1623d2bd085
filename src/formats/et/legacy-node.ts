import { ownValue } from '../../base/named-values.js';
import { CollectiveType } from '../../trace/collective-type.js';
import type { LegacySchema } from './legacy-schemas.js';

/** A message as protobufjs gives it: 64-bit integers as decimal text, absent fields left out. */
export type Message = Readonly<Record<string, unknown>>;

/** A node or attribute as it is handed to protobufjs. */
export type CurrentMessage = Record<string, unknown>;

/** Arms of today for integer attributes that official readers know (chakra-format section 21). */
const ARM: Readonly<Record<string, string>> = {
  comm_type: 'int64_val',
  comm_size: 'int64_val',
  num_ops: 'int64_val',
  tensor_size: 'uint64_val',
  comm_src: 'int32_val',
  comm_dst: 'int32_val',
  comm_tag: 'int32_val',
  comm_priority: 'int32_val',
  is_cpu_op: 'bool_val',
};

/** Fields of 0.0.1 that are attributes today, in the order of their numbers, and the arm of those without a usual one. */
const FIELDS_001: readonly (readonly [name: string, arm: string])[] = [
  ['tensor_loc', 'uint32_val'],
  ['tensor_size', 'uint64_val'],
  ['input_tensor_loc', 'uint32_val'],
  ['input_tensor_size', 'uint64_val'],
  ['output_tensor_loc', 'uint32_val'],
  ['output_tensor_size', 'uint64_val'],
  ['num_ops', 'int64_val'],
  ['comm_type', 'int64_val'],
  ['communicator_id', 'uint32_val'],
  ['comm_src', 'int32_val'],
  ['comm_dst', 'int32_val'],
  ['comm_size', 'int64_val'],
  ['comm_tag', 'int32_val'],
  ['comm_priority', 'int32_val'],
];

/** Value members of an attribute of 2023 and the arm each becomes. */
const SCALARS: Readonly<Record<string, string>> = {
  b: 'bool_val',
  f: 'float_val',
  u: 'uint64_val',
  i: 'int64_val',
  s: 'string_val',
};
const LISTS: Readonly<Record<string, string>> = {
  bools: 'bool_list',
  floats: 'float_list',
  uints: 'uint64_list',
  ints: 'int64_list',
  strings: 'string_list',
};

/** Collective types by old number; 0.0.1 counts from 1, where 0 means none. */
const COLLECTIVES = [
  CollectiveType.allReduce,
  CollectiveType.allToAll,
  CollectiveType.allGather,
  CollectiveType.reduceScatter,
];
/** Added in August 2023. */
const BROADCAST = 4;

/** Name of the attribute that keeps a collective type without a meaning in 0.0.4. */
const LEGACY_COMM_TYPE = 'legacy_comm_type';

/** Turns messages of one older schema into those of 0.0.4, and counts what has no meaning there. */
export class LegacyConverter {
  /** Collective types without a number of today. */
  unknownCollectives = 0;

  constructor(private readonly schema: LegacySchema) {}

  node(old: Message): CurrentMessage {
    return this.schema === '0.0.1' ? this.#fieldNode(old) : this.#attributeNode(old);
  }

  /** An attribute of 0.0.2 to 0.0.3 of August. */
  attribute(old: Message): CurrentMessage {
    const { name = '', doc_string } = old as { name?: string; doc_string?: string };
    const converted: CurrentMessage = { name, ...(doc_string === undefined ? {} : { doc_string }) };
    for (const [member, value] of Object.entries(old)) {
      if (LISTS[member] && (value as unknown[]).length > 0) {
        // `involved_dim` was a list of integers until July 2023.
        if (name === 'involved_dim')
          converted.bool_list = { values: (value as unknown[]).map((item) => Number(item) !== 0) };
        else converted[LISTS[member]] = { values: value };
      } else if (member === 'i' || member === 'u') Object.assign(converted, integer(name, value, SCALARS[member]));
      else if (SCALARS[member]) converted[SCALARS[member]] = value;
    }
    return converted;
  }

  #fieldNode(old: Message): CurrentMessage {
    const attr: CurrentMessage[] = [];
    for (const [name, arm] of FIELDS_001) {
      const value = old[name];
      if (value === undefined) continue;
      if (name !== 'comm_type') attr.push({ name, ...integer(name, value, arm) });
      else if (Number(value) !== 0) attr.push(this.#collective(Number(value) - 1, value));
    }
    const dimensions = old.involved_dim as boolean[] | undefined;
    if (dimensions?.length) attr.push({ name: 'involved_dim', bool_list: { values: dimensions } });
    return { ...common(old), type: movedUp(old.node_type), duration_micros: old.simulated_run_time ?? 0, attr };
  }

  #attributeNode(old: Message): CurrentMessage {
    const attr: CurrentMessage[] = [];
    let duration: unknown = 0;
    for (const attribute of (old.attribute ?? []) as Message[]) {
      const value = attribute.i ?? attribute.u;
      if (value !== undefined && attribute.name === 'runtime') duration = value;
      else if (value !== undefined && attribute.name === 'comm_type') attr.push(this.#collective(Number(value), value));
      else attr.push(this.attribute(attribute));
    }
    return {
      ...common(old),
      type: this.schema === '0.0.2' ? movedUp(old.type) : (old.type ?? 0),
      duration_micros: duration,
      ...texts('inputs', old.inputs, old.input_shapes, old.input_types),
      ...texts('outputs', old.outputs, old.output_shapes, old.output_types),
      attr,
    };
  }

  #collective(place: number, value: unknown): CurrentMessage {
    const type = this.schema === '0.0.3+' && place === BROADCAST ? CollectiveType.broadcast : COLLECTIVES[place];
    if (type !== undefined) return { name: 'comm_type', int64_val: type };
    this.unknownCollectives++;
    return { name: LEGACY_COMM_TYPE, int64_val: value };
  }
}

function common(old: Message): CurrentMessage {
  return { id: old.id ?? 0, name: old.name ?? '', data_deps: old.parent ?? [] };
}

/** Before METADATA was put in as 1, everything but INVALID was one lower. */
function movedUp(type: unknown): number {
  const number = Number(type ?? 0);
  return number === 0 ? 0 : number + 1;
}

function texts(name: string, values: unknown, shapes: unknown, types: unknown): CurrentMessage {
  const text = Object.fromEntries(Object.entries({ values, shapes, types }).filter(([, value]) => value !== undefined));
  return Object.keys(text).length === 0 ? {} : { [name]: text };
}

/** An integer in the arm that readers expect of the attribute, wider where it does not fit. */
function integer(name: string, value: unknown, otherwise: string): CurrentMessage {
  const arm = ownValue(ARM, name) ?? otherwise;
  if (arm === 'bool_val') return { bool_val: Number(value) !== 0 };
  const fits = arm !== 'int32_val' || (Number(value) < 2 ** 31 && Number(value) >= -(2 ** 31));
  return { [fits ? arm : 'int64_val']: value };
}
