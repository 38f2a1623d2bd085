import type { CatalogueEntry } from './entry.js';

/** What communication and compute nodes state. */
export const ATTRIBUTE_CODES = {
  ATTRIBUTE_ARM: {
    severity: 'warning',
    title: 'attribute in another oneof arm',
    meaning:
      'The value stands in another field of the attribute than usual, such as uint64_val for int64_val. Here it is read all the same.',
    consequence:
      'Other readers take the value as 0: a collective of a megabyte becomes one of zero bytes, without a message.',
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
    title: 'attribute is not an integer',
    meaning: 'The value is a text, a fraction or negative where a whole number from 0 is expected. It is not used.',
    consequence: 'The node counts as if it did not state the attribute: a size of 0 bytes, a tag of 0, no partner.',
    remedy: [
      'Let the producer write the value as an integer in the unit of the attribute: bytes, microseconds, a rank.',
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
    meaning: 'Sizes, tags and durations above 2^53 are refused. A duration must not exceed 2^53 ps (9007 s) either.',
    consequence:
      'Such a number cannot be added up exactly. It is almost always a wrong unit or a negative number read as unsigned.',
    remedy: [
      'Check the unit: `comm_size` is bytes, `duration_micros` microseconds.',
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
      'A collective without a size is not expanded; a send or receive counts 0 bytes. Where other members of the collective state a size, theirs is used.',
    consequence:
      'Its bytes are missing from the result, and its time nearly so: zero bytes, no message. ASTRA-sim stops at the node.',
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
      'Of a collective the largest size of its members counts, of a message that of the send; the communication may take only latency. ASTRA-sim refuses messages of 0 bytes.',
    remedy: [
      'Check the producer: files from before September 2024 hold the size in another oneof arm, which some readers take as 0.',
      'Write the same size on every member, or on both ends.',
    ],
    example: {
      finding:
        'warning COMM_SIZE_ZERO: rank 1: 1 collective with comm_size 0, such as AllReduce 0 of tp, which has 1024 on another rank: node 1',
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
    remedy: ['Use one of the types 0 to 9 of the schema.'],
    example: {
      finding:
        'warning COMM_TYPE_UNKNOWN: rank 0: 1 collective with a comm_type that is none of 0 ALL_REDUCE to 9 BARRIER: node 1 "all-reduce"',
      mended: 'Node 1 of rank 0 has `comm_type` 0 (ALL_REDUCE).',
    },
    advice: 'use one of the types 0 … 9',
  },
  COMM_ON_CPU: {
    severity: 'warning',
    title: 'communication marked as CPU operation',
    meaning:
      'A send, a receive or a collective has is_cpu_op true. Traces of a host alone often mark the call, not the transfer.',
    consequence: 'ASTRA-sim refuses such nodes. `simulate` runs them as any other communication.',
    remedy: ['Mark communication on the device side only: `is_cpu_op` false, or leave it out.'],
    example: {
      finding: 'warning COMM_ON_CPU: rank 0: 1 communication node with is_cpu_op true: node 1 "all-reduce"',
      mended: 'Node 1 has `is_cpu_op` false.',
    },
    advice: 'mark communication on the device side only',
  },
  DURATIONS_ABSENT: {
    severity: 'note',
    title: 'compute without durations',
    meaning: 'Every compute node takes no time.',
    consequence: 'The result is communication time only, and all communication looks exposed.',
    remedy: ['Add `duration_micros` to the compute nodes.', 'Or read the result as communication time only.'],
    example: {
      finding: 'note DURATIONS_ABSENT: rank 0: none of the 2 compute nodes has duration_micros',
      mended: 'Both compute nodes have `duration_micros`.',
    },
    advice: 'add durations, or read the result as communication time only',
  },
  NUMBER_INVALID: {
    severity: 'error',
    title: 'number that cannot be one of its kind',
    meaning: 'A size, duration, tag or rank is below 0, has a fraction, or is no finite number.',
    consequence:
      'Nothing can be computed from it; read as unsigned it becomes a huge number, and the run seems to hang.',
    remedy: ['Check the producer of the trace: −1 often stands for "not known" and must then be left out.'],
    example: {
      finding: 'error NUMBER_INVALID: rank 0: comm_size is -1 on node 1, expected a whole number of 0 or more',
      mended: 'Node 1 has `comm_size` 1024, or no `comm_size` where it is not known.',
    },
    advice: 'check the producer of the trace',
  },
  ATTRIBUTE_EMPTY: {
    severity: 'warning',
    title: 'attribute without a value',
    meaning: 'It names a value and holds none; it counts as absent.',
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
    meaning: 'It equals the element count of the tensors, not their bytes.',
    consequence: 'Every transfer is too small by the size of an element, two or four times, and so is its time.',
    remedy: [
      'Multiply `comm_size` by the size of an element in the producer.',
      'Or let the program do it: `--assume element-bytes=N`.',
    ],
    example: {
      finding:
        'warning SIZE_IN_ELEMENTS: ranks 0, 1: 1 communication node with the number of tensor elements as comm_size, 262,144 where the tensors have 524,288 bytes: node 1 "all-reduce"',
      mended: 'Node 1 has `comm_size` 524288: 262,144 elements of 2 bytes.',
    },
    advice: 'multiply by the size of an element, or use --assume element-bytes=N',
  },
  SIDE_PARTIAL: {
    severity: 'note',
    title: 'is_cpu_op on some nodes only',
    meaning: 'Nodes without it are read as device operations.',
    consequence:
      'Host work without the mark shares the accelerator with device work, and both look slower than they are.',
    remedy: ['Write `is_cpu_op` on every node.', 'Or let `chakra-prep validate --fix` do it.'],
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
