import { NodeType } from '../../trace/node-type.js';

/** Node types by the names of STAGE JSON (chakra-format section 11). */
export const STAGE_TYPES: ReadonlyMap<string, number> = new Map([
  ['comp_node', NodeType.compute],
  ['coll_comm_node', NodeType.collective],
  ['comm_send_node', NodeType.send],
  ['comm_recv_node', NodeType.receive],
  ['mem_load_node', NodeType.memoryLoad],
  ['mem_store_node', NodeType.memoryStore],
]);

/** Metadata attribute of STAGE's traces. */
export const STAGE_SCHEMA = 'symbolic_tensor_network';

/**
 * `y_tensor_size` of a node that says nothing else: STAGE's protobuf form has no place for it, and it follows from what
 * is there, on every node seen. `undefined` where it does not.
 * @param tensorSize digits, as for `commSize`
 */
export function usualTensorSize(type: number, tensorSize?: string, commSize?: string): string | undefined {
  if (tensorSize !== undefined) return tensorSize;
  return type === NodeType.send ? '0' : commSize;
}

/**
 * Kind of the attribute that holds an integer: the usual one where it can, else a wider one; `undefined` where none can.
 * @param digits decimal
 */
export function kindFor(usual: 'int32' | 'int64' | 'uint64', digits: string): 'int32' | 'int64' | 'uint64' | undefined {
  const value = BigInt(digits);
  if (usual === 'int32' && value === BigInt.asIntN(32, value)) return 'int32';
  if (usual === 'uint64' && value === BigInt.asUintN(64, value)) return 'uint64';
  if (value === BigInt.asIntN(64, value)) return 'int64';
  return value === BigInt.asUintN(64, value) ? 'uint64' : undefined;
}
