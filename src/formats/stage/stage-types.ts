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
