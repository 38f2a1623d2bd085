import type { CatalogueEntry } from './entry.js';

/** Collectives across ranks. */
export const COLLECTIVE_CODES = {
  COLLECTIVE_COUNT: {
    severity: 'error',
    title: 'participants missing',
    meaning: 'The members of a group have different numbers of collectives.',
    consequence:
      'One of them is never entered by all, and everything behind it pairs with the wrong one, so `prepare` and `simulate` refuse the traces. A simulator that runs them waits for ever.',
    remedy: [
      'Find the rank that lost or repeated a collective; the message gives the numbers.',
      'Record the ranks over the same iterations.',
    ],
    example: {
      finding:
        "error COLLECTIVE_COUNT: group tp: 2 collectives on rank 0, 1 on rank 1; rank 1 lacks one of 2 that are alike, from AllReduce 0 of 1,024 B on (rank 0's 1st to 2nd, the first is node 1)",
      mended: 'Both ranks run two collectives in group tp.',
    },
    advice: 'find the rank that lost or repeated one',
  },
  COLLECTIVE_TYPE: {
    severity: 'error',
    title: 'types disagree',
    meaning: 'Members run different collectives at the same place.',
    consequence:
      'Their transfers do not fit together, so `prepare` and `simulate` refuse the traces. ASTRA-sim stalls there, or pairs them silently where their sizes agree.',
    remedy: [
      'Check the order of the collectives of the group on each rank; they pair by their place.',
      'Record `issue_order` where ids do not give the order.',
    ],
    example: {
      finding:
        'error COLLECTIVE_TYPE: group tp: collective 0 is AllReduce on rank 0 (node 1), Broadcast on rank 1 (node 1)',
      mended: 'The first collective of group tp is an AllReduce on both ranks.',
    },
    advice: 'check the order of the collectives on each rank',
  },
  COLLECTIVE_SIZE: {
    severity: 'warning',
    title: 'sizes disagree',
    meaning: 'Members state different sizes for one collective; the largest is used by all.',
    consequence:
      'The collective may take longer than in the job. Sizes that differ often show that different collectives were paired. ASTRA-sim stalls there.',
    remedy: [
      'Check `comm_size` on each rank: bytes, of the same tensor.',
      'Check that the collectives come in one order on all ranks.',
    ],
    example: {
      finding:
        'warning COLLECTIVE_SIZE: group tp: AllReduce 0 has 1024 bytes on rank 0 (node 1), 2048 on rank 1 (node 1); the largest is used by all',
      mended: 'Both ranks state `comm_size` 2048.',
    },
    advice: 'check comm_size on each rank',
  },
  COLLECTIVE_ROOT: {
    severity: 'error',
    title: 'roots disagree',
    meaning: 'Members name different root ranks.',
    consequence:
      'Each of them waits for data from another rank and the collective never completes, so `prepare` and `simulate` refuse the traces.',
    remedy: ['Name one root on every member. `root` is a rank of the job, not a position in the group.'],
    example: {
      finding: 'error COLLECTIVE_ROOT: group tp: Broadcast 0 has root 0 on rank 0 (node 1), root 1 on rank 1 (node 1)',
      mended: 'Both ranks state `root` 0.',
    },
    advice: 'name one root on every member',
  },
  ROOT_NOT_MEMBER: {
    severity: 'error',
    title: 'root outside the group',
    meaning: 'The root rank is not a member of the group.',
    consequence: 'Nobody sends what the members wait for, so `prepare` and `simulate` refuse the traces.',
    remedy: [
      'Name a member. `root` is a rank of the job, not a position in the group.',
      'Where the traces mean positions: `--assume root=position`.',
    ],
    example: {
      finding:
        'error ROOT_NOT_MEMBER: group tp: Broadcast 0 has root 5 on rank 0 (node 1), which is no member of the group: ranks 0, 1',
      mended: 'Both ranks state `root` 0.',
    },
    advice: 'name a member; --assume root=position reads positions',
  },
  ROOT_ASSUMED: {
    severity: 'note',
    title: 'root not named',
    meaning:
      "The collective has a root and this member, or every member, names none. The root that other members name is used, or else the group's first rank.",
    consequence:
      'If another rank is the root, the bytes flow from or to the wrong server; on an uneven network the time changes.',
    remedy: ['Set `root` on every member.'],
    example: {
      finding: 'note ROOT_ASSUMED: group tp: Broadcast 0 names no root; rank 0, the first of the group, is used',
      mended: 'Both ranks state `root` 0.',
    },
    advice: 'set root on every member',
  },
  ALGORITHM_GROUP_SIZE: {
    severity: 'error',
    title: 'algorithm does not fit the group',
    meaning:
      '`halving` and `halving-doubling` need a group whose size is a power of two, and an algorithm of your own is for one size alone.',
    consequence:
      'The algorithm has no partner for some of the members. ASTRA-sim stalls silently in such a group, with exit status 0.',
    remedy: [
      'Choose another algorithm, such as `--allreduce ring`.',
      'Or use groups of 2, 4, 8 … ranks, or a program for as many ranks as the group has.',
    ],
    example: {
      finding:
        'error ALGORITHM_GROUP_SIZE: group tp: AllReduce 0 (1024 bytes) with halving-doubling needs a power of two, the group has 3 ranks; what fits: ring, tree, double-tree',
      mended: '`chakra-prep validate traces --allreduce ring`',
    },
    advice: 'choose another algorithm or group',
  },
  SPLITS_DISAGREE: {
    severity: 'error',
    title: 'split lists disagree',
    meaning: 'What one rank sends is not what the other expects, or a list has not one entry a member.',
    consequence: 'Bytes are lost or invented in the all-to-all, or it cannot be expanded at all.',
    remedy: [
      'Check `send_split_bytes` of the sender and `receive_split_bytes` of the receiver: bytes, one entry a position of the group.',
    ],
    example: {
      finding:
        'error SPLITS_DISAGREE: group tp: AllToAll 0: the split list of rank 0 has 3 entries; expected 2 byte counts of 0 or more',
      mended: '`send_split_bytes` of rank 0 has two entries.',
    },
    advice: 'check send_split_bytes of the sender and receive_split_bytes of the receiver',
  },
  SPLITS_MISSING: {
    severity: 'warning',
    title: 'split list missing on some members',
    meaning: 'These members send the same number of bytes to every position.',
    consequence: 'An uneven all-to-all is simulated as even on these ranks; its slowest transfer may be missing.',
    remedy: ['State `send_split_bytes` on every member.'],
    example: {
      finding:
        'warning SPLITS_MISSING: group tp: AllToAll 0 has no split list on rank 1; it sends the same to every position',
      mended: 'Rank 1 has `send_split_bytes` as well.',
    },
    advice: 'state the list on every member',
  },
} satisfies Record<string, CatalogueEntry>;
