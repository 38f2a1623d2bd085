import type { CatalogueEntry } from './entry.js';

/** Nodes: ids and types. */
export const NODE_CODES = {
  DUPLICATE_ID: {
    severity: 'error',
    title: 'duplicate node id',
    meaning: 'Two nodes of a rank have one id; dependencies on it are ambiguous.',
    consequence:
      'Readers that keep nodes by id lose one of the two, and everything that waits for it starts too early or never. `simulate` runs both and waits for the first; `prepare` refuses the traces.',
    remedy: ['Give every node of the rank an id of its own.', 'Point the dependencies at the node that is meant.'],
    example: {
      finding: 'error DUPLICATE_ID: rank 0: node 7 "gemm" has an id that an earlier node has',
      mended: 'The second node has id 8, and what depends on it names 8.',
    },
    advice: 'give every node an id of its own',
  },
  NODE_TYPE_UNKNOWN: {
    severity: 'warning',
    title: 'unknown node type',
    meaning: 'The type is none of the schema. The node is kept when traces are written, and refused by `simulate`.',
    consequence:
      '`simulate` stops, and ASTRA-sim aborts when it issues the node: nobody can say what such a node does or how long it takes.',
    remedy: ['Write the node with one of the types 1 to 7 of schema 0.0.4.'],
    example: {
      finding:
        'warning NODE_TYPE_UNKNOWN: rank 0: 1 node of type 12, known are 1 METADATA_NODE to 7 COMM_COLL_NODE: node 2 "barrier"',
      mended: 'Node 2 has type 7 (COMM_COLL_NODE) with `comm_type` 9 (BARRIER).',
    },
    advice: 'write the node with a type from 1 to 7',
  },
  NODE_TYPE_INVALID: {
    severity: 'warning',
    title: 'node of type INVALID',
    meaning: 'A node without a type does nothing.',
    consequence:
      'It takes no time, so work it stands for is missing from the result. In ASTRA-sim what waits for it starts late or never; then the rank does not finish, with exit status 0.',
    remedy: ['Let the producer write the type of the node.', 'Leave the node out if it stands for nothing.'],
    example: {
      finding: 'warning NODE_TYPE_INVALID: rank 0: 1 node of type 0 INVALID_NODE: node 2 "op"',
      mended: 'Node 2 has type 4 (COMP_NODE) and a duration.',
    },
    advice: 'give the node a type, or leave it out',
  },
  NO_NODES: {
    severity: 'warning',
    title: 'trace without nodes',
    meaning: 'The rank does nothing and ends at once.',
    consequence:
      'The rank takes part in no collective and no message; partners that expect it wait for ever. ASTRA-sim refuses an empty trace.',
    remedy: ['Look why the producer recorded nothing on this rank.', 'Write the trace again.'],
    example: {
      finding: 'warning NO_NODES: rank 1: the trace has no nodes',
      mended: '`traces/job.1.et` holds the nodes of rank 1.',
    },
    advice: 'check the producer of the trace',
  },
  NODE_IDLE: {
    severity: 'note',
    title: 'node with nothing to do',
    meaning:
      'The node states neither a duration nor operations nor bytes, and takes no time; others of its kind on the rank do state one.',
    consequence: 'If its duration or size was lost, the result is too short by as much.',
    remedy: [
      'Nothing to do where the node is meant to be empty.',
      'Otherwise let the producer write its duration or size.',
    ],
    example: {
      finding:
        'note NODE_IDLE: rank 0: 1 of 2 compute nodes has neither duration_micros nor num_ops nor tensor_size: node 2 "gemm"',
      mended: 'Node 2 has `duration_micros`.',
    },
    advice: 'check the producer where that is not meant',
  },
} satisfies Record<string, CatalogueEntry>;
