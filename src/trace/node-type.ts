/** Node types of schema 0.0.4 by number (chakra-format section 2, R-022). */
export const NodeType = {
  invalid: 0,
  metadata: 1,
  memoryLoad: 2,
  memoryStore: 3,
  compute: 4,
  send: 5,
  receive: 6,
  collective: 7,
} as const;

/** Whether a node is a send or a receive. */
export function isTransfer(type: number): boolean {
  return type === NodeType.send || type === NodeType.receive;
}

/** Whether a node is a send, a receive or a collective. */
export function isCommunication(type: number): boolean {
  return type >= NodeType.send && type <= NodeType.collective;
}

/** Whether a node loads from or stores to memory. */
export function isMemory(type: number): boolean {
  return type === NodeType.memoryLoad || type === NodeType.memoryStore;
}

const NAMES = [
  'INVALID_NODE',
  'METADATA_NODE',
  'MEM_LOAD_NODE',
  'MEM_STORE_NODE',
  'COMP_NODE',
  'COMM_SEND_NODE',
  'COMM_RECV_NODE',
  'COMM_COLL_NODE',
];

/** The schema's name of a type number; a number without a name comes back as `NODE_TYPE_<n>`. */
export function nodeTypeName(type: number): string {
  return NAMES[type] ?? `NODE_TYPE_${type}`;
}

/** The number of a schema name, `undefined` when there is no such type. */
export function nodeTypeNumber(name: string): number | undefined {
  const type = NAMES.indexOf(name);
  return type < 0 ? undefined : type;
}
