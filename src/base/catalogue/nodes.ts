import { entry, type CatalogueEntry } from './entry.js';

/** Nodes: ids and types. */
export const NODE_CODES = {
  DUPLICATE_ID: entry(
    'error',
    'duplicate node id',
    'Two nodes of a rank have one id; dependencies on it are ambiguous.',
    'give every node an id of its own',
  ),
  NODE_TYPE_UNKNOWN: entry(
    'warning',
    'unknown node type',
    'The node is kept on conversion and refused by `simulate`.',
    'write the type with schema 0.0.4',
  ),
  NODE_TYPE_INVALID: entry(
    'warning',
    'node of type INVALID',
    'A node without a type does nothing.',
    'check the producer of the trace',
  ),
  NO_NODES: entry(
    'warning',
    'trace without nodes',
    'The rank does nothing and ends at once.',
    'check the producer of the trace',
  ),
  NODE_IDLE: entry(
    'note',
    'node with nothing to do',
    'It takes no time and moves no bytes; others of its kind on the rank do.',
    'check the producer where that is not meant',
  ),
} satisfies Record<string, CatalogueEntry>;
