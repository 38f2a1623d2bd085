import type { CatalogueEntry } from './entry.js';

/** What communication and compute nodes state. */
export const ATTRIBUTE_CODES = {
  ATTRIBUTE_ARM: {
    severity: 'warning',
    title: 'attribute in another oneof arm',
    meaning:
      'The value stands in another field (oneof arm) of the attribute than usual, such as uint64_val for int64_val. Here it is read all the same.',
    consequence:
      'Readers that look in one field only, such as feeder v1, take the value as 0: a collective of a megabyte becomes one of zero bytes, without a message.',
    remedy: [
      'Let `chakra-prep validate traces --fix -o fixed` write the usual arms. A command that changes a node, such as `prepare`, writes them on that node as well; `convert` copies nodes as they are.',
    ],
    example: {
      finding: 'warning ATTRIBUTE_ARM: rank 0: comm_size is in uint64_val on 1 node, expected int64_val',
      mended: '`comm_size` has its 1,024 bytes in `int64_val`.',
    },
    advice: 'validate --fix writes the usual arms',
  },
  ATTRIBUTE_NOT_NUMBER: {
    severity: 'warning',
    title: 'attribute of another kind',
    meaning:
      'The value is a text, a list or a floating-point number where an integer is expected, or an integer where a text is. It is not used, and not repaired: what it stands for is a guess.',
    consequence:
      'The node counts as if it did not state the attribute: no size, no type, no partner, a tag of 0, the device.',
    remedy: [
      'Let the producer write the attribute in the kind that the message names: integers for sizes (bytes), types, tags and ranks, a text for `pg_name`, a boolean for `is_cpu_op`.',
    ],
    example: {
      finding:
        'warning ATTRIBUTE_NOT_NUMBER: rank 0: comm_size is string_val "1 KiB" on node 1 and not used there, expected int64_val',
      mended: '`comm_size` is the integer 1024, not the text "1 KiB".',
    },
    advice: 'write it as an integer',
  },
  NUMBER_TOO_LARGE: {
    severity: 'error',
    title: 'number above 2^53',
    meaning:
      'Sizes, tags and durations above 2^53 − 1 are refused, and a duration must not exceed 2^53 ps (9007 s) in a replay either.',
    consequence:
      'Such a number cannot be added up exactly, so the rank is not read and the command stops there. It is almost always a wrong unit or a negative number read as unsigned.',
    remedy: [
      'Check the unit: `comm_size` is bytes, `duration_micros` microseconds. `--assume duration-unit=ns` reads durations in another one.',
      'Check for −1 written to an unsigned field.',
    ],
    example: {
      finding:
        'error NUMBER_TOO_LARGE: rank 1, node 2: duration_micros 1152921504606846976 is too large: at most 2^53 − 1 can be read exactly',
      mended: '`duration_micros` is 5.',
    },
    advice: 'check the unit',
  },
  COMM_SIZE_MISSING: {
    severity: 'warning',
    title: 'comm_size is missing',
    meaning:
      'Nothing says how many bytes the node moves. Where other members of a collective state a size, the largest is used; a barrier needs none.',
    consequence:
      'A collective without a size on any member is left out: it takes no time and holds no rank up. A send or receive counts 0 bytes and takes only latency. ASTRA-sim stops at the node.',
    remedy: ['Add `comm_size` in bytes to the node; a barrier needs none.'],
    example: {
      finding:
        'warning COMM_SIZE_MISSING: ranks 0, 1: 1 communication node without comm_size (bytes): node 1 "all-reduce"',
      mended: 'Node 1 has `comm_size` 1024 on both ranks.',
    },
    advice: 'add comm_size (bytes)',
  },
  COMM_SIZE_ZERO: {
    severity: 'warning',
    title: 'comm_size is 0',
    meaning: 'The size is 0 on this rank and not 0 on its partners. A size of 0 on all of them is legal.',
    consequence:
      'Of a collective the largest size of its members counts, of a message that of the send: a message whose send says 0 takes only latency. ASTRA-sim aborts at messages of 0 bytes.',
    remedy: [
      'Check the producer: files from before September 2024 hold the size in another oneof arm, which some readers take as 0.',
      'Write the same size on every member, or on both ends.',
    ],
    example: {
      finding:
        'warning COMM_SIZE_ZERO: rank 1: 1 collective with comm_size 0, AllReduce 0 of tp, which has 1,024 bytes on another rank: node 1',
      mended: 'Node 1 of rank 1 has `comm_size` 1024.',
    },
    advice: 'check the producer: old files hold the size in another oneof arm',
  },
  COMM_TYPE_MISSING: {
    severity: 'warning',
    title: 'comm_type is missing',
    meaning: 'The collective is not expanded and takes no time, on any of its members.',
    consequence: 'Its bytes and its time are missing from the result, and it holds no rank up.',
    remedy: [
      'Add `comm_type` to the node: 0 for an all-reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7 reduce-scatter, 9 barrier.',
    ],
    example: {
      finding: 'warning COMM_TYPE_MISSING: rank 0: 1 collective without comm_type: node 1 "all-reduce"',
      mended: 'Node 1 of rank 0 has `comm_type` 0, as on the other ranks.',
    },
    advice: 'add comm_type',
  },
  COMM_TYPE_UNKNOWN: {
    severity: 'warning',
    title: 'comm_type is not known',
    meaning: 'The collective is not expanded and takes no time, on any of its members.',
    consequence: 'Its bytes and its time are missing from the result, and it holds no rank up.',
    remedy: [
      'Use one of the types of schema 0.0.4: 0 all-reduce, 1 reduce, 2 all-gather, 3 gather, 4 scatter, 5 broadcast, 6 all-to-all, 7 reduce-scatter, 8 reduce-scatter-block, 9 barrier.',
    ],
    example: {
      finding:
        'warning COMM_TYPE_UNKNOWN: rank 0: 1 collective with a comm_type that is none of 0 ALL_REDUCE to 9 BARRIER: node 1 "all-reduce"',
      mended: 'Node 1 of rank 0 has `comm_type` 0 (ALL_REDUCE).',
    },
    advice: 'use one of the types 0 to 9',
  },
  COMM_ON_CPU: {
    severity: 'warning',
    title: 'communication marked as CPU operation',
    meaning:
      'A send, a receive or a collective has is_cpu_op true. Traces of a host alone often mark the call, not the transfer.',
    consequence:
      'ASTRA-sim throws at such a node. `simulate` runs it as any other communication, so a call and the transfer it launches count twice where the trace has both.',
    remedy: [
      'Mark communication on the device side only: `is_cpu_op` false, or leave it out.',
      'Leave the host copies of calls out of the trace where the device side is in it as well.',
    ],
    example: {
      finding: 'warning COMM_ON_CPU: rank 0: 1 communication node with is_cpu_op true: node 1 "all-reduce"',
      mended: 'Node 1 has `is_cpu_op` false.',
    },
    advice: 'mark communication on the device side only',
  },
  DURATIONS_ABSENT: {
    severity: 'note',
    title: 'compute without durations',
    meaning: 'Every compute node of the rank takes no time: none states a duration.',
    consequence: 'The result is communication time only, and all communication looks exposed.',
    remedy: [
      'Let the producer write `duration_micros` on compute nodes.',
      'Or read the result as communication time only.',
    ],
    example: {
      finding: 'note DURATIONS_ABSENT: rank 0: none of the 2 compute nodes has duration_micros',
      mended: 'Both compute nodes have `duration_micros`.',
    },
    advice: 'add durations, or read the result as communication time only',
  },
  NUMBER_INVALID: {
    severity: 'error',
    title: 'number that cannot be one of its kind',
    meaning:
      'A size, duration, tag or rank is below 0, has a fraction, or is no finite number. The attribute counts as absent; a duration below 0 keeps the rank from being read.',
    consequence: 'Read as unsigned, as other programs do, it becomes a huge number, and the run seems to hang.',
    remedy: [
      'Check the producer of the trace: −1 often stands for "not known", and the attribute must be left out then.',
    ],
    example: {
      finding: 'error NUMBER_INVALID: rank 0: comm_size is -1 on node 1, expected a whole number of 0 or more',
      mended: 'Node 1 has `comm_size` 1024, or no `comm_size` where it is not known.',
    },
    advice: 'check the producer of the trace',
  },
  ATTRIBUTE_EMPTY: {
    severity: 'warning',
    title: 'attribute without a value',
    meaning: 'The attribute has a name and no value; it counts as absent.',
    consequence: 'Some readers take the default of the type instead: 0 bytes, rank 0, an empty group name.',
    remedy: ['Write the value, or leave the attribute out.'],
    example: {
      finding: 'warning ATTRIBUTE_EMPTY: rank 0: comm_size has no value on node 1; it counts as absent there',
      mended: '`comm_size` of node 1 has `int64_val` 1024.',
    },
    advice: 'write the value, or leave the attribute out',
  },
  SIZE_IN_ELEMENTS: {
    severity: 'warning',
    title: 'comm_size looks like a number of elements',
    meaning: "`comm_size` equals the number of elements in the node's tensors, not their bytes.",
    consequence: 'Every transfer is too small by the size of an element, two or four times, and so is its time.',
    remedy: [
      'Multiply `comm_size` by the size of an element in the producer.',
      'Or let the program do it, here for elements of 2 bytes: `chakra-prep prepare traces --assume element-bytes=2 -o prepared`.',
    ],
    example: {
      finding:
        'warning SIZE_IN_ELEMENTS: ranks 0, 1: 1 communication node with the number of tensor elements as comm_size, 1,024 where the tensors have 4,096 bytes: node 1',
      mended: '`comm_size` is 4096: 1,024 elements of 4 bytes.',
    },
    advice: 'multiply by the size of an element, or use --assume element-bytes=N',
  },
  SIDE_PARTIAL: {
    severity: 'note',
    title: 'is_cpu_op on some nodes only',
    meaning: 'Nodes without it are read as device operations.',
    consequence:
      'Host work without the mark shares the accelerator with device work, and both look slower than they are.',
    remedy: [
      'Let the producer write `is_cpu_op` on every node.',
      'Or let `chakra-prep validate traces --fix -o fixed` write false where it is missing.',
    ],
    example: {
      finding: 'note SIDE_PARTIAL: rank 0: is_cpu_op (CPU or device) is on 1 node and not on 1 other: node 2 "gemm"',
      mended: 'Node 2 has `is_cpu_op` false.',
    },
    advice: 'write is_cpu_op on every node; validate --fix does',
  },
  START_TIMES_PARTIAL: {
    severity: 'note',
    title: 'start times on some nodes only',
    meaning: 'No command uses start times; the order comes from dependencies.',
    consequence: 'None here. A viewer that lays nodes out by their start puts those without one at 0.',
    remedy: ['Nothing to do.'],
    example: {
      finding: 'note START_TIMES_PARTIAL: rank 0: start_time_micros is on 1 node and not on 1 other: node 2 "gemm"',
      mended: 'All nodes have a start time, or none has.',
    },
    advice: 'nothing to do',
  },
} satisfies Record<string, CatalogueEntry>;
