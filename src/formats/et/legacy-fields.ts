import { type Attribute, type CurrentNode, integerAttribute, type LegacyConversion } from './legacy-conversion.js';
import type { Integer, ReadMessage, Wide } from './schema-messages.js';

/** A node of schema 0.0.1: everything is a field. */
interface FieldNode extends ReadMessage {
  readonly id: Wide;
  readonly name: string;
  readonly node_type: number;
  readonly parent: readonly Wide[];
  readonly simulated_run_time: Wide;
  readonly comm_type: number;
  readonly involved_dim: readonly boolean[];
}

/** Fields that are attributes in 0.0.4, in the order of their numbers, and the arm of those without an expected one. */
const ATTRIBUTES: readonly (readonly [field: string, arm: string])[] = [
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

/** A node of 0.0.1 as one of 0.0.4. Throws MalformedWire. */
export function convertFieldNode(
  conversion: LegacyConversion,
  bytes: Uint8Array,
  start: number,
  end: number,
): CurrentNode {
  const node = conversion.old.read<FieldNode>('Node', bytes, start, end);
  conversion.countUnknown(node);
  const attr: Attribute[] = [];
  for (const [field, arm] of ATTRIBUTES) {
    if (!Object.hasOwn(node, field)) continue;
    const value = (node as unknown as Record<string, Integer>)[field];
    if (field !== 'comm_type') attr.push(integerAttribute(field, arm, value));
    else if (value !== 0) attr.push(conversion.commType(value)); // 0 means none
  }
  if (node.involved_dim.length > 0) attr.push({ name: 'involved_dim', bool_list: { values: node.involved_dim } });
  return {
    id: node.id,
    name: node.name,
    type: conversion.nodeType(node.node_type),
    data_deps: node.parent,
    duration_micros: node.simulated_run_time,
    attr,
  };
}
