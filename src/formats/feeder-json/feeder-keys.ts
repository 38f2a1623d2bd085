import { Arm } from '../et/attribute-arms.js';

/** What the value of a key must be. */
export type FeederValue = 'id' | 'ids' | 'text' | 'flag' | 'integer';

/** A key of a node that is read. */
interface FeederKey {
  readonly value: FeederValue;
  /** Attribute of the schema that holds it, and its usual oneof arm (chakra-format section 21); none for a field. */
  readonly attribute?: string;
  readonly arm?: number;
  /** Node types that are expected to have it; all when left out, and none when empty. */
  readonly types?: readonly number[];
}

const SEND = 5;
const RECEIVE = 6;
const COLLECTIVE = 7;
const COMMUNICATION = [SEND, RECEIVE, COLLECTIVE];

/** The keys of a feeder JSON node (chakra-format section 11), in the order in which a frame has them. */
export const FEEDER_KEYS: Readonly<Record<string, FeederKey>> = {
  Id: { value: 'id' },
  Name: { value: 'text' },
  NodeType: { value: 'integer' },
  ctrlDeps: { value: 'ids', types: [] },
  data_deps: { value: 'ids' },
  runtime: { value: 'integer' },
  is_cpu_op: { value: 'flag', attribute: 'is_cpu_op', arm: Arm.bool },
  num_ops: { value: 'integer', attribute: 'num_ops', arm: Arm.int64, types: [] },
  tensor_size: { value: 'integer', attribute: 'tensor_size', arm: Arm.uint64, types: [] },
  pg_name: { value: 'text', attribute: 'pg_name', arm: Arm.string, types: [] },
  comm_type: { value: 'integer', attribute: 'comm_type', arm: Arm.int64, types: [COLLECTIVE] },
  comm_size: { value: 'integer', attribute: 'comm_size', arm: Arm.int64, types: COMMUNICATION },
  comm_priority: { value: 'integer', attribute: 'comm_priority', arm: Arm.int32, types: [] },
  comm_src: { value: 'integer', attribute: 'comm_src', arm: Arm.int32, types: [RECEIVE] },
  comm_dst: { value: 'integer', attribute: 'comm_dst', arm: Arm.int32, types: [SEND] },
  comm_tag: { value: 'integer', attribute: 'comm_tag', arm: Arm.int32, types: [SEND, RECEIVE] },
};

/** For messages: what a key's value is expected to be. */
export const EXPECTED: Readonly<Record<FeederValue, string>> = {
  id: 'an integer from 0 to 2^64 − 1',
  ids: 'a list of integers from 0 to 2^64 − 1',
  text: 'a text',
  flag: 'true or false',
  integer: 'an integer',
};
