import type { CatalogueEntry } from './entry.js';

/** Runs on ASTRA-sim's system layer; docs/astra-sim.md has the situations in which the program stops, stalls or misleads. */
export const SYSTEM_RUN_CODES = {
  SYSTEM_TRACES_LEFT_OUT: {
    severity: 'warning',
    title: 'more trace files than NPUs',
    meaning: 'The network has fewer NPUs than the traceset has files. ASTRA-sim reads the first ones and says nothing.',
    consequence: 'The run is one of fewer ranks than the traces are of.',
    remedy: ['Give the network as many NPUs as there are ranks.', 'Or name the traces of the ranks that are to run.'],
    example: {
      finding: 'warning SYSTEM_TRACES_LEFT_OUT: network.yml: 2 NPUs for 3 trace files: rank 2 is left out',
      mended: '`npus_count: [ 3 ]`',
    },
    advice: 'give the network as many NPUs as there are ranks',
  },
  SYSTEM_COLLECTIVES_CROSSED: {
    severity: 'warning',
    title: 'collectives that are paired across',
    meaning:
      'Members of a group begin its collectives in different orders. ASTRA-sim pairs them by that order, and so does this program; the message names the first pair.',
    consequence: 'The run stalls where sizes differ; otherwise its times are those of a wrong pairing.',
    remedy: [
      'Let all members begin the collectives of a group in one order, by dependencies or by ids.',
      '`chakra-prep serialize traces -o out` chains them in the order of issue.',
    ],
    example: {
      finding:
        'warning SYSTEM_COLLECTIVES_CROSSED: collective 0 over all ranks: rank 0 begins AllReduce of 4,096 bytes (ring), rank 1 AllGather of 2,048 bytes (ring)',
      mended: 'Ranks 0 and 1 both begin the AllReduce first.',
    },
    advice: 'let all members begin the collectives of a group in one order',
  },
  SYSTEM_COLLECTIVE_EMPTY: {
    severity: 'warning',
    title: 'collective that nobody takes part in',
    meaning:
      'Its group has one rank, or `involved_dim` leaves no dimension that has an implementation. ASTRA-sim never ends such a collective.',
    consequence: 'It takes no time and moves nothing.',
    remedy: ['Drop the node, or list all members of its group.', 'Or let `involved_dim` name a dimension.'],
    example: {
      finding:
        'warning SYSTEM_COLLECTIVE_EMPTY: 1 collective node, rank 0 node 1 "all-reduce": group "1" has one rank: it ends at once here, and never in ASTRA-sim',
      mended: '`"1": [0, 1]` in place of `"1": [0]`.',
    },
    advice: 'drop the node, or let others take part',
  },
  SYSTEM_DIMENSIONS_LEFT_OUT: {
    severity: 'warning',
    title: 'dimensions that take no part in a collective',
    meaning:
      'A list of implementations is shorter than the network has dimensions, or has more than four entries while the node has no `involved_dim`: ASTRA-sim then takes the first four.',
    consequence:
      'Ranks that differ in the other dimensions do not talk to each other, and the collective looks too quick.',
    remedy: ['Give the list an entry for each dimension.', 'Or write `involved_dim` with an entry for each.'],
    example: {
      finding:
        'warning SYSTEM_DIMENSIONS_LEFT_OUT: 4 collective nodes, the first rank 0 node 1 "all-reduce": all-reduce-implementation has 1 entry for 2 dimensions: the others take no part, as in ASTRA-sim',
      mended: '`"all-reduce-implementation": ["ring", "ring"]`',
    },
    advice: 'give the list an entry for each dimension',
  },
  SYSTEM_GROUP_RING: {
    severity: 'warning',
    title: 'list of implementations that counts as ring',
    meaning:
      'The collective runs in a group of some ranks, where ASTRA-sim takes a list of several entries for `ring`.',
    consequence: 'The collective runs by another algorithm than the file names.',
    remedy: [
      'Nothing to do where ring is right.',
      'A system file with one entry in the list names the algorithm of groups.',
    ],
    example: {
      finding:
        'warning SYSTEM_GROUP_RING: 2 collective nodes, the first rank 0 node 1 "all-reduce": all-reduce-implementation has 2 entries, which stand for ring in a group, as in ASTRA-sim',
      mended: '`"all-reduce-implementation": ["direct"]`',
    },
    advice: 'name one entry where all collectives run in groups',
  },
  SYSTEM_SIZE_RAISED: {
    severity: 'warning',
    title: 'collective that moves more than its size',
    meaning:
      'A chunk has at least a byte for each NPU of the network, and every chunk is as large as the first; what does not divide by `preferred-dataset-splits` makes one more.',
    consequence: 'The collective takes as long as one of the size that the message names.',
    remedy: ['Set `preferred-dataset-splits` to a number that divides the sizes, and to 1 for small ones.'],
    example: {
      finding:
        'warning SYSTEM_SIZE_RAISED: 2 collective nodes, the first rank 0 node 2 "all-reduce": AllReduce of 1,001 bytes runs as 3 chunks of 500 bytes, 1,500 in all: the last is as large as the others, as in ASTRA-sim',
      mended: '`"preferred-dataset-splits": 1`',
    },
    advice: 'set preferred-dataset-splits to a divisor of the sizes',
  },
  SYSTEM_HALVING_RANKS: {
    severity: 'warning',
    title: 'halving-doubling over a number of ranks that is no power of two',
    meaning:
      'An all-gather by `halvingDoubling` ends where every rank has a partner in each step, and has taken too few steps to reach all ranks.',
    consequence: 'Part of the data is never moved: the time is that of ASTRA-sim, and means nothing.',
    remedy: ['Use `ring` or `direct` there.'],
    example: {
      finding:
        'warning SYSTEM_HALVING_RANKS: 6 collective nodes, the first rank 0 node 1 "all-gather": 6 ranks are no power of two: too little data is moved, as in ASTRA-sim, and the time means nothing',
      mended: '`"all-gather-implementation": ["ring"]`',
    },
    advice: 'use ring or direct there',
  },
  SYSTEM_HALVING_SIZE: {
    severity: 'note',
    title: 'halving-doubling that comes to an odd or empty message',
    meaning:
      'An all-reduce halves its messages and then doubles them again. An odd size loses a bit where it turns; a size of 1 becomes 0, at which ASTRA-sim aborts. The run goes on with the sizes of the way there.',
    consequence:
      'Messages of the way back are a little smaller than those of the way there, or ASTRA-sim does not run.',
    remedy: ['Nothing to do where a few bytes do not matter.', 'Otherwise use `ring` or `direct` for such sizes.'],
    example: {
      finding:
        'note SYSTEM_HALVING_SIZE: 4 collective nodes, the first rank 0 node 1 "all-reduce": halvingDoubling turns at an odd size, 3 bytes: messages on the way back are smaller, as in ASTRA-sim',
      mended: '`"all-reduce-implementation": ["ring"]`',
    },
    advice: 'use ring or direct for such sizes',
  },
  SYSTEM_TREE_STANDS_IN: {
    severity: 'warning',
    title: 'double binary tree in place of another collective',
    meaning: '`doubleBinaryTree` is an all-reduce, and ASTRA-sim runs a whole one whatever it is named for.',
    consequence: 'The collective, or the phase of one, moves the data of an all-reduce and takes its time.',
    remedy: ['Use `ring` or `direct` there; `doubleBinaryTree` for an all-reduce over one dimension.'],
    example: {
      finding:
        'warning SYSTEM_TREE_STANDS_IN: 4 collective nodes, the first rank 0 node 2 "all-gather": doubleBinaryTree does a whole AllReduce in place of the AllGather, as in ASTRA-sim',
      mended: '`"all-gather-implementation": ["ring"]`',
    },
    advice: 'use ring or direct there',
  },
  SYSTEM_TREE_IN_GROUP: {
    severity: 'note',
    title: 'double binary tree in a group',
    meaning: 'ASTRA-sim crashes where a group of some ranks uses `doubleBinaryTree`. Here it runs over the members.',
    consequence: 'There is no run of ASTRA-sim to compare the times with.',
    remedy: ['Nothing to do here.', 'Use `ring` or `direct` for a run of ASTRA-sim.'],
    example: {
      finding:
        'note SYSTEM_TREE_IN_GROUP: 2 collective nodes, the first rank 0 node 1 "all-reduce": ASTRA-sim crashes at doubleBinaryTree in a group; here it runs',
      mended: '`"all-reduce-implementation": ["ring"]`',
    },
    advice: 'use ring or direct for a run of ASTRA-sim',
  },
  SYSTEM_CUSTOM_SPLITS: {
    severity: 'note',
    title: 'custom collective with several splits',
    meaning:
      'A custom collective runs once, whole. With `preferred-dataset-splits` other than 1 ASTRA-sim waits for chunks that it never creates.',
    consequence: 'ASTRA-sim stalls at it; here it runs to the end.',
    remedy: ['Set `preferred-dataset-splits` to 1 for a run of ASTRA-sim.'],
    example: {
      finding:
        'note SYSTEM_CUSTOM_SPLITS: 2 nodes of custom collectives, the first rank 0 node 1 "all-to-all": preferred-dataset-splits is 4, and ASTRA-sim waits for chunks that never come; here it runs once, whole',
      mended: '`"preferred-dataset-splits": 1`',
    },
    advice: 'set preferred-dataset-splits to 1 for a run of ASTRA-sim',
  },
  SYSTEM_CUSTOM_UNSORTED: {
    severity: 'note',
    title: 'custom collective in an unsorted group',
    meaning:
      'ASTRA-sim takes the place of a rank from the sorted list of members and its partners from the list as it is written, and aborts at a message of a rank to itself. Here both are from the list as it is written.',
    consequence: 'ASTRA-sim aborts at it; here it runs to the end.',
    remedy: ['Write the members of the group in ascending order.'],
    example: {
      finding:
        'note SYSTEM_CUSTOM_UNSORTED: 2 nodes of custom collectives, the first rank 0 node 1 "all-to-all": group "1" is not in ascending order, and ASTRA-sim mixes up its members; here places are those of the group',
      mended: '`"1": [0, 1]` in place of `"1": [1, 0]`.',
    },
    advice: 'write the members of the group in ascending order',
  },
  SYSTEM_DURATION_ABSENT: {
    severity: 'note',
    title: 'nodes that take 1 ns for want of a duration',
    meaning: 'Their `duration_micros` is missing or 0. ASTRA-sim gives such a node 1 ns, and so does this program.',
    consequence: 'If durations were lost, the result is too short by as much.',
    remedy: [
      'Nothing to do where such nodes are meant to be empty.',
      'Otherwise let the producer write `duration_micros`.',
    ],
    example: {
      finding:
        'note SYSTEM_DURATION_ABSENT: 1 node without a duration, rank 0 node 2 "gemm": such a node takes 1 ns, as in ASTRA-sim',
      mended: 'Node 2 has `duration_micros`.',
    },
    advice: 'write duration_micros where the node has one',
  },
  SYSTEM_REPLAY_ONLY: {
    severity: 'note',
    title: 'run of recorded durations',
    meaning: 'With `replay-only` every node takes its recorded duration, sends, receives and collectives too.',
    consequence: 'Network, algorithms and sizes count for nothing.',
    remedy: ['Set `replay-only` to 0, or leave it out, to simulate communication.'],
    example: {
      finding:
        'note SYSTEM_REPLAY_ONLY: system.json: replay-only: every node takes its duration, communication too, and nothing is sent',
      mended: '`"replay-only": 0`',
    },
    advice: 'set replay-only to 0 to simulate communication',
  },
  SYSTEM_NETWORK_BEYOND: {
    severity: 'note',
    title: 'network that ASTRA-sim does not run with congestion',
    meaning:
      'The congestion-aware back end takes one dimension, and aborts at a Ring of two NPUs. This program gives every dimension its own links and crosses them in order, as a branch of that project does.',
    consequence: 'There is no run of the released ASTRA-sim to compare the times with.',
    remedy: ['Nothing to do here.', 'Use `--backend analytical-unaware` for times that the released program gives.'],
    example: {
      finding:
        'note SYSTEM_NETWORK_BEYOND: a Ring of two NPUs with congestion, at which ASTRA-sim aborts; here it has a link each way',
      mended: '`topology: [ Switch ]`',
    },
    advice: 'use --backend analytical-unaware for times that ASTRA-sim gives',
  },
  SYSTEM_START_ABORTS: {
    severity: 'note',
    title: 'event at the start of the run',
    meaning:
      'The first thing that happens is over at 0 ns. ASTRA-sim takes its first event for one after 0, and aborts.',
    consequence: 'There is no run of ASTRA-sim to compare the times with.',
    remedy: ['Nothing to do here.', 'Set `endpoint-delay` to 1 or more for a run of ASTRA-sim.'],
    example: {
      finding:
        'note SYSTEM_START_ABORTS: system.json: endpoint-delay is 0, and something ends at 0 ns, where ASTRA-sim aborts',
      mended: '`"endpoint-delay": 1`',
    },
    advice: 'set endpoint-delay to 1 or more for a run of ASTRA-sim',
  },
} satisfies Record<string, CatalogueEntry>;
