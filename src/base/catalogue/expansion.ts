import type { CatalogueEntry } from './entry.js';

/** Collectives that are expanded by the algorithms of ASTRA-sim; docs/astra-sim.md tells how. */
export const EXPANSION_CODES = {
  EXPANSION_OWN_ALGORITHM: {
    severity: 'note',
    title: 'collective that ASTRA-sim does not run',
    meaning:
      'ASTRA-sim’s system layer runs AllReduce, AllGather, ReduceScatter and AllToAll. It takes a Broadcast for a delay and ends at any other collective.',
    consequence: 'The collective is expanded by the default algorithm of its type.',
    remedy: [
      'None is needed.',
      'Expand without `--system` for another algorithm, or replace the collective by one that ASTRA-sim runs.',
    ],
    example: {
      finding:
        'note EXPANSION_OWN_ALGORITHM: one Barrier, first on rank 0 node 3: not run by ASTRA-sim’s system layer; expanded with ring',
      mended: 'The trace has no Barrier.',
    },
    advice: 'docs/collectives.md has the algorithm',
  },
  EXPANSION_SPLITS: {
    severity: 'warning',
    title: 'split bytes that ASTRA-sim does not read',
    meaning: 'An AllToAll has `send_split_bytes`. ASTRA-sim knows uniform ones only and sends parts of `comm_size`.',
    consequence: 'The transfers have equal sizes.',
    remedy: ['Expand without `--system`: the algorithms `interleaved` and `sequential` send the split bytes.'],
    example: {
      finding:
        'warning EXPANSION_SPLITS: one AllToAll, first on rank 0 node 2: send_split_bytes do not count, ASTRA-sim sends equal parts of comm_size',
      mended: '`chakra-prep expand traces --alltoall interleaved -o expanded`',
    },
    advice: 'expand without --system to send the split bytes',
  },
  EXPANSION_TIMES_LEFT_OUT: {
    severity: 'note',
    title: 'times of ASTRA-sim that transfers do not carry',
    meaning:
      'ASTRA-sim adds an endpoint delay to every message and a cost to every reduction, and runs the compute nodes of custom collectives. The written traces have sends and receives alone.',
    consequence: 'A replay of the traces is quicker than ASTRA-sim by these times.',
    remedy: ['None is needed; `simulate --system` has them all.'],
    example: {
      finding:
        'note EXPANSION_TIMES_LEFT_OUT: system.json: not in the transfers: endpoint-delay 10 ns, reductions at local-mem-bw 1600 GB/s',
      mended: '`"endpoint-delay": 0, "local-mem-bw": 0`',
    },
    advice: 'run simulate --system for times with them',
  },
  EXPANSION_TURNS_DIFFER: {
    severity: 'warning',
    title: 'members that come to a collective in different turns',
    meaning:
      'Each rank takes the queues of a dimension, and with them the direction of rings, in turn over all its collectives, and the two trees of a dimension as well. Members that ran different collectives before are in different turns. ASTRA-sim stalls there.',
    consequence: 'All members take the turn of the one with the lowest rank.',
    remedy: ['Run with one queue a dimension, or let collectives of groups cover all ranks.'],
    example: {
      finding:
        'warning EXPANSION_TURNS_DIFFER: group 0: AllToAll 0: queues and trees are taken in turn, and it is another turn on rank 2 than on rank 0, whose is taken',
      mended: '`--num-queues-per-dim 1`',
    },
    advice: 'run with one queue a dimension, or give every rank the same number of collectives before',
  },
} satisfies Record<string, CatalogueEntry>;
