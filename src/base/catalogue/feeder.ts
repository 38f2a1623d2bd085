import type { CatalogueEntry } from './entry.js';

/** What the Chakra feeders demand of traces beyond the format; docs/targets.md says where each is from. */
export const FEEDER_CODES = {
  FEEDER_FORMAT: {
    severity: 'error',
    title: 'form that the feeders misread',
    meaning: 'They take every .et for schema 0.0.4; older schemas and JSON lines give garbage nodes without an error.',
    consequence: 'Types and sizes come out wrong, often as 0, and nobody is told.',
    remedy: ['Use `chakra-prep convert traces --to et -o out`.'],
    example: {
      finding: 'error FEEDER_FORMAT: rank 0: the file is JSON lines, expected protobuf of schema 0.0.4',
      mended: '`out/job.0.et` is protobuf of schema 0.0.4.',
    },
    advice: 'use convert --to et',
  },
  FEEDER_FILE_NAME: {
    severity: 'warning',
    title: 'file name that WrapperNode refuses',
    meaning:
      'It takes .et for protobuf and .json for feeder JSON, and exits at any other ending; ETFeeder opens any name.',
    consequence: 'A simulator that opens traces through WrapperNode ends at once.',
    remedy: [
      'Name the file by its form: `.et` or `.json`, without `.gz`; `chakra-prep convert traces --to et -o out` names and unpacks it so.',
    ],
    example: {
      finding: 'warning FEEDER_FILE_NAME: rank 0: the file is named job.<rank>.et.gz, expected a name that ends in .et',
      mended: 'The file is `job.0.et`, not packed.',
    },
    advice: 'name the file by its form, without .gz; convert --to et does',
  },
  FEEDER_GZIP: {
    severity: 'error',
    title: 'gzip that feeder v3 does not unpack',
    meaning: 'Feeder v1 unpacks it; v3 takes the compressed bytes for one garbage node, without an error.',
    consequence: 'With v3 the rank does nothing that its trace says.',
    remedy: ['Unpack the files, or use `chakra-prep convert traces --to et -o out`.'],
    example: {
      finding: 'error FEEDER_GZIP: rank 0: the file is gzip, expected a plain one',
      mended: '`job.0.et` is not packed.',
    },
    advice: 'unpack the files, or use convert --to et',
  },
  FEEDER_EMPTY_FRAME: {
    severity: 'warning',
    title: 'node of zero bytes',
    meaning:
      'The feeders read it; the Python helpers take it for the end of the file and drop the rest without a word.',
    consequence: 'A Python tool works on the first part of the trace only.',
    remedy: [
      'Give the node a type or a name.',
      '`chakra-prep validate traces --fix -o fixed` gives it an `is_cpu_op`, so that it has bytes.',
    ],
    example: {
      finding: 'warning FEEDER_EMPTY_FRAME: rank 0: 1 node of zero bytes: node 0',
      mended: 'Node 0 has a type.',
    },
    advice: 'give the node a type or a name; validate --fix writes an is_cpu_op',
  },
  FEEDER_NO_FREE_NODE: {
    severity: 'error',
    title: 'nothing can start in feeder v3',
    meaning: 'It refuses a trace in which no node is free of dependencies, and one without nodes.',
    consequence: 'A simulator on v3 ends with an uncaught exception when it loads the trace.',
    remedy: ['Give the rank a node without dependencies.'],
    example: {
      finding: 'error FEEDER_NO_FREE_NODE: rank 1: feeder v3 refuses a trace without nodes',
      mended: 'Rank 1 has a node that depends on nothing.',
    },
    advice: 'give the rank a node without dependencies',
  },
  FEEDER_DEPENDENCY_DANGLING: {
    severity: 'error',
    title: 'feeder v3 refuses a dangling control dependency',
    meaning: 'Feeder v1 reads no control dependencies; v3 stops while reading: the node is "not found in index".',
    consequence: 'With v3 the whole trace is refused because of one dependency.',
    remedy: ['Let `chakra-prep validate traces --fix -o fixed` drop the dependency.'],
    example: {
      finding:
        'error FEEDER_DEPENDENCY_DANGLING: rank 0: feeder v3 refuses 1 node with a control dependency on an id that no node has, such as 77: node 4 "op4"',
      mended: 'Node 4 does not list 77 in `ctrl_deps`.',
    },
    advice: 'drop the dependency; validate --fix does',
  },
  FEEDER_CYCLE: {
    severity: 'error',
    title: 'nodes that feeder v3 never hands out',
    meaning:
      'It waits for control dependencies too; nodes that are in a cycle, depend on themselves or wait for such a node are left out without a word. Feeder v1 reads no control dependencies.',
    consequence: 'Their work is missing from the result, without an error.',
    remedy: [
      'Drop the control dependencies that close the cycle.',
      'Those of a node on itself are dropped by `chakra-prep validate traces --fix -o fixed`.',
    ],
    example: {
      finding: 'error FEEDER_CYCLE: rank 0: feeder v3 never runs 1 node of 8: node 3 "op3" depends on itself',
      mended: 'Node 3 does not list itself in `ctrl_deps`.',
    },
    advice: 'drop the control dependencies that close the cycle; validate --fix drops those of a node on itself',
  },
  FEEDER_REPEATED_DEPENDENCY: {
    severity: 'error',
    title: 'dependency that feeder v1 waits for twice',
    meaning: 'It removes one of the equal ids and waits for the other for ever.',
    consequence: 'The node and all behind it are never handed out.',
    remedy: ['Name each dependency once; `chakra-prep validate traces --fix -o fixed` does.'],
    example: {
      finding: 'error FEEDER_REPEATED_DEPENDENCY: rank 0: 1 node with a data dependency named twice: node 2 "op2"',
      mended: 'Node 2 lists each id once in `data_deps`.',
    },
    advice: 'name each dependency once; validate --fix does',
  },
  FEEDER_FORWARD_REFERENCE: {
    severity: 'warning',
    title: 'parents far behind their children',
    meaning: 'Feeder v1 retries every node that waits for one further on, after each node it reads.',
    consequence: 'Loading takes a time that grows with the square of the trace.',
    remedy: ['Write parents before their children; `chakra-prep validate traces --fix -o fixed` does.'],
    example: {
      finding:
        'warning FEEDER_FORWARD_REFERENCE: rank 0: 4,472 nodes with a parent further on in the file, which feeder v1 retries 10,001,628 times',
      mended: 'Every node stands behind its parents.',
    },
    advice: 'write parents before their children; validate --fix does',
  },
  FEEDER_ARM: {
    severity: 'error',
    title: 'attribute that feeder v1 takes as 0',
    meaning:
      'It reads one oneof arm of each attribute and takes any other as 0, or as no text, without a word. A 0 there does no harm and is not told.',
    consequence: 'A collective of a megabyte becomes one of zero bytes, without a message.',
    remedy: [
      'Let `chakra-prep validate traces --fix -o fixed` write the usual arm of integers.',
      'A float, a text or a list is left by it: let the producer write the arm that the message names.',
    ],
    example: {
      finding: 'error FEEDER_ARM: rank 0: 1 node with comm_size in uint64_val, expected int64_val: node 5 "coll5"',
      mended: '`comm_size` of node 5 is in `int64_val`.',
    },
    advice: 'validate --fix writes the usual arm of integers',
  },
  FEEDER_ATTRIBUTE_ABSENT: {
    severity: 'error',
    title: 'attribute that feeder v1 does not initialise',
    meaning: 'It hands out whatever is in memory; v3 throws when the attribute is asked for.',
    consequence: 'With v1 the result differs from run to run; with v3 the run ends.',
    remedy: ['Add the attribute that the message names.'],
    example: {
      finding: 'error FEEDER_ATTRIBUTE_ABSENT: rank 0: 1 collective without comm_type: node 6 "coll6"',
      mended: 'Node 6 has `comm_type`.',
    },
    advice: 'add the attribute',
  },
  FEEDER_OPTIONAL_ABSENT: {
    severity: 'note',
    title: 'optional attribute that feeder v1 does not initialise',
    meaning: 'It hands out whatever is in memory; that matters only to a simulator that asks for it.',
    consequence: 'A simulator that asks for it gets another value in each run.',
    remedy: ['Nothing to do where the simulator does not ask for it.', 'Otherwise add the attribute.'],
    example: {
      finding: 'note FEEDER_OPTIONAL_ABSENT: rank 0: 3 communication nodes without comm_priority',
      mended: 'The nodes have `comm_priority`.',
    },
    advice: 'nothing to do where the simulator does not ask for it',
  },
  FEEDER_SIDE_ABSENT: {
    severity: 'warning',
    title: 'node on one side in one feeder, on the other in the other',
    meaning: 'Feeder v1 takes a node without is_cpu_op for a host operation, v3 for a device operation.',
    consequence: 'The same trace gives other times with the other feeder.',
    remedy: ['Write `is_cpu_op` on every node. `chakra-prep validate traces --fix -o fixed` writes false, the device.'],
    example: {
      finding: 'warning FEEDER_SIDE_ABSENT: rank 0: 7 nodes without is_cpu_op',
      mended: 'All nodes have `is_cpu_op`.',
    },
    advice: 'write is_cpu_op on every node; validate --fix writes the device',
  },
  FEEDER_ATTRIBUTE_REPEATED: {
    severity: 'error',
    title: 'attribute with two values',
    meaning: 'Feeder v1 takes the last value, v3 the first.',
    consequence: 'The same trace gives other times with the other feeder.',
    remedy: ['Write each attribute once.'],
    example: {
      finding: 'error FEEDER_ATTRIBUTE_REPEATED: rank 0: 1 node with two values of comm_size: node 7 "twice"',
      mended: 'Node 7 has one `comm_size`.',
    },
    advice: 'write each attribute once',
  },
  FEEDER_GROUP_UNREAD: {
    severity: 'error',
    title: 'group attribute that no feeder reads',
    meaning: 'The feeders read pg_name only; a collective with comm_group alone has no group.',
    consequence: 'A collective of a few ranks becomes one of all ranks.',
    remedy: ['Name the group in `pg_name`.'],
    example: {
      finding: 'error FEEDER_GROUP_UNREAD: rank 0: 1 collective with comm_group and without pg_name: node 6 "coll6"',
      mended: 'Node 6 has `pg_name`.',
    },
    advice: 'name the group in pg_name',
  },
  FEEDER_JSON_JOIN: {
    severity: 'error',
    title: 'join that WrapperNode never hands out',
    meaning:
      'WrapperNode keeps a copy of a node with each of its parents and frees none of them: a node with two or more never becomes ready.',
    consequence: 'The node and all behind it are never handed out, without an error.',
    remedy: ['Use `chakra-prep convert traces --to et -o out`, and open the `.et`.'],
    example: {
      finding:
        'error FEEDER_JSON_JOIN: rank 0: 1 node with two data dependencies or more: node 2900 "elementwise_kernel_of_layer_002900"',
      mended: '`out/job.0.et` is read in place of `job.0.json`.',
    },
    advice: 'use convert --to et',
  },
  FEEDER_JSON_KEY: {
    severity: 'error',
    title: 'key that WrapperNode does not initialise',
    meaning: 'A key that is missing leaves whatever is in memory.',
    consequence: 'The value differs from run to run.',
    remedy: ['Add the key on every node.'],
    example: {
      finding: 'error FEEDER_JSON_KEY: rank 0: is_cpu_op is missing on 1 node',
      mended: 'Every node has `is_cpu_op`.',
    },
    advice: 'add the key',
  },
  FEEDER_JSON_SIZE: {
    severity: 'warning',
    title: 'feeder JSON that takes long to load',
    meaning: 'WrapperNode copies the whole document once for each node.',
    consequence: 'Loading takes minutes, and memory of the square of the trace.',
    remedy: ['Use `chakra-prep convert traces --to et -o out`, and open the `.et`.'],
    example: {
      finding:
        'warning FEEDER_JSON_SIZE: rank 0: WrapperNode copies 374,782 bytes for each of 2,900 nodes, 1,087 MB in all',
      mended: '`out/job.0.et` is read in place of `job.0.json`.',
    },
    advice: 'use convert --to et',
  },
} satisfies Record<string, CatalogueEntry>;
