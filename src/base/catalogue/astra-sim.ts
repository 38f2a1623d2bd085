import type { CatalogueEntry } from './entry.js';

/** What ASTRA-sim demands of traces beyond the format; docs/targets.md says where each is from. */
export const ASTRA_SIM_CODES = {
  ASTRA_FILE_NAME: {
    severity: 'error',
    title: 'ASTRA-sim does not find the file',
    meaning: 'It opens <prefix>.<rank>.et, one prefix for all ranks, and exits when a file is not there.',
    consequence: 'The run ends before it begins, or takes files of another traceset.',
    remedy: [
      'Name the files `<prefix>.<rank>.et`, with one prefix.',
      '`chakra-prep convert traces --to et -o out` writes them so.',
    ],
    example: {
      finding: 'error ASTRA_FILE_NAME: ranks 0, 1: the file is named job.<rank>.et.gz, expected <prefix>.<rank>.et',
      mended: 'The files are `job.0.et` and `job.1.et`.',
    },
    advice: 'name the files <prefix>.<rank>.et; convert writes them so',
  },
  ASTRA_GZIP: {
    severity: 'error',
    title: 'ASTRA-sim does not unpack gzip',
    meaning: 'It takes the compressed bytes for one garbage node and reports no error.',
    consequence: 'The rank does nothing that its trace says, and nobody is told.',
    remedy: ['Unpack the files, or use `chakra-prep convert traces --to et -o out`.'],
    example: {
      finding: 'error ASTRA_GZIP: ranks 0, 1: the file is gzip, expected a plain one',
      mended: '`job.0.et` and `job.1.et` are not packed.',
    },
    advice: 'unpack the files, or use convert --to et',
  },
  ASTRA_SCHEMA: {
    severity: 'error',
    title: 'ASTRA-sim reads another form',
    meaning: 'It takes every file for protobuf of schema 0.0.4: older schemas and JSON are misread without an error.',
    consequence: 'Types and sizes come out wrong, often as 0: the run is quick and means nothing.',
    remedy: ['Use `chakra-prep convert traces --to et -o out`.'],
    example: {
      finding: 'error ASTRA_SCHEMA: rank 0: the file is JSON lines, expected protobuf of schema 0.0.4',
      mended: '`out/job.0.et` is protobuf of schema 0.0.4.',
    },
    advice: 'use convert --to et',
  },
  ASTRA_ALONE: {
    severity: 'warning',
    title: 'ASTRA-sim needs two ranks',
    meaning: 'Its networks have at least two NPUs, and each NPU has its file.',
    consequence: 'A network for the one rank cannot be described.',
    remedy: ['Name the whole traceset, not one file of it.'],
    example: {
      finding: 'warning ASTRA_ALONE: the traceset has rank 0 only, expected two ranks or more',
      mended: '`chakra-prep validate traces --for astra-sim` with all files of `traces`.',
    },
    advice: 'name the whole traceset',
  },
  ASTRA_NO_FREE_NODE: {
    severity: 'error',
    title: 'nothing can start in ASTRA-sim',
    meaning: 'It refuses a rank in which no node is free of dependencies, and one without nodes.',
    consequence: 'The program ends with an uncaught exception when it loads the trace.',
    remedy: ['Give the rank a node without dependencies.'],
    example: {
      finding: 'error ASTRA_NO_FREE_NODE: rank 1: ASTRA-sim refuses a trace without nodes',
      mended: 'Rank 1 has a node that depends on nothing.',
    },
    advice: 'give the rank a node without dependencies',
  },
  ASTRA_DEPENDENCY_DANGLING: {
    severity: 'error',
    title: 'ASTRA-sim refuses a dangling control dependency',
    meaning: 'It stops while reading: the node is "not found in index".',
    consequence: 'The whole run is refused because of one dependency.',
    remedy: ['Let `chakra-prep validate traces --fix -o fixed` drop the dependency.'],
    example: {
      finding:
        'error ASTRA_DEPENDENCY_DANGLING: rank 0: ASTRA-sim refuses 1 node with a control dependency on an id that no node has, such as 77: node 2 "op2"',
      mended: 'Node 2 does not list 77 in `ctrl_deps`.',
    },
    advice: 'drop the dependency; validate --fix does',
  },
  ASTRA_CYCLE: {
    severity: 'error',
    title: 'nodes that ASTRA-sim never runs',
    meaning:
      'It waits for control dependencies too; nodes that are in a cycle, depend on themselves or wait for such a node are left out without a word.',
    consequence: 'Their work is missing from the result, and the exit status is 0.',
    remedy: [
      'Drop the control dependencies that close the cycle.',
      'Those of a node on itself are dropped by `chakra-prep validate traces --fix -o fixed`.',
    ],
    example: {
      finding: 'error ASTRA_CYCLE: rank 0: ASTRA-sim never runs 1 node of 8: node 3 "op3" depends on itself',
      mended: 'Node 3 does not list itself in `ctrl_deps`.',
    },
    advice: 'drop the control dependencies that close the cycle; validate --fix drops those of a node on itself',
  },
  ASTRA_NODE_TYPE: {
    severity: 'error',
    title: 'node type unknown to ASTRA-sim',
    meaning: 'Its statistics abort when the node is issued.',
    consequence: 'The run ends in the middle, with an assertion.',
    remedy: ['Give the node a type from 0 to 7, or drop it.'],
    example: {
      finding: 'error ASTRA_NODE_TYPE: rank 0: 1 node of a type that ASTRA-sim does not know: node 4 "kernel"',
      mended: 'Node 4 has type 4 (COMP_NODE).',
    },
    advice: 'give the node a type from 0 to 7, or drop it',
  },
  ASTRA_METADATA_NODE: {
    severity: 'error',
    title: 'METADATA node, which ASTRA-sim cannot issue',
    meaning:
      'Its statistics abort when the node is issued; builds without assertions parse it as a list of process groups.',
    consequence: 'The run ends in the middle, with an assertion. Expanded traces have such a node for each collective.',
    remedy: [
      'Write the traces for it: `chakra-prep convert traces --for astra-sim -o mended` leaves such nodes out, and `expand` and `prepare` take the option as well.',
      'Declare groups in a group file, not in nodes.',
    ],
    example: {
      finding: 'error ASTRA_METADATA_NODE: rank 0: 1 METADATA node: node 5 "init"',
      mended: 'The trace has no METADATA node; the groups are in `comm_group.json`.',
    },
    advice: 'write the traces with --for astra-sim: convert, expand and prepare leave such nodes out',
  },
  ASTRA_NODE_SKIPPED: {
    severity: 'error',
    title: 'ASTRA-sim starts nobody behind an INVALID node',
    meaning:
      'It ends without a look at what waits for it, which starts late or never; the exit status is 0 all the same.',
    consequence: 'Nodes behind it start late or never, and the time that is reported is wrong.',
    remedy: [
      'Give the node a type.',
      'Or let its dependents wait for what it waits for; `--for astra-sim` of a command that writes does.',
    ],
    example: {
      finding: 'error ASTRA_NODE_SKIPPED: rank 0: 1 INVALID node that others wait for: node 6 "blank"',
      mended: 'Node 6 has type 4 (COMP_NODE).',
    },
    advice: 'give the node a type, or let its dependents wait for what it waits for',
  },
  ASTRA_STATISTICS: {
    severity: 'warning',
    title: 'statistics that ASTRA-sim cannot make of the rank',
    meaning:
      'Memory, CPU and INVALID nodes make its statistics throw: their lines are missing, or the process aborts at the end of the rank.',
    consequence: 'Numbers other than the finish time are missing for the rank.',
    remedy: ['Read the finish times only.', 'Leave memory and CPU nodes out where their time does not matter.'],
    example: {
      finding: 'warning ASTRA_STATISTICS: rank 0: statistics fail at 1 memory node, 1 INVALID node',
      mended: 'Rank 0 has compute and communication nodes of the device only.',
    },
    advice: 'read the finish times only',
  },
  ASTRA_REMOTE_MEMORY: {
    severity: 'note',
    title: 'ASTRA-sim needs a remote memory',
    meaning: 'With NO_MEMORY_EXPANSION it exits at the first memory node.',
    consequence: 'The run ends at the first such node.',
    remedy: ['Name a remote memory in `--remote-memory-configuration`.'],
    example: {
      finding: 'note ASTRA_REMOTE_MEMORY: rank 0: 1 memory node needs a remote memory',
      mended: 'The memory configuration is one with a remote memory, such as `MEMORY_POOL`.',
    },
    advice: 'name a remote memory in --remote-memory-configuration',
  },
  ASTRA_ROOFLINE: {
    severity: 'note',
    title: 'ASTRA-sim cannot use the roofline model',
    meaning:
      'With roofline-enabled a device compute node needs num_ops and tensor_size: without them it throws, with a tensor_size of 0 it skips the node.',
    consequence: 'Compute is left out of the result, or the run ends at it.',
    remedy: ['Leave `roofline-enabled` off.', 'Or add `num_ops` and `tensor_size` to device compute nodes.'],
    example: {
      finding: 'note ASTRA_ROOFLINE: rank 0: 1 device compute node without num_ops or tensor_size',
      mended: 'The node has both attributes.',
    },
    advice: 'leave roofline-enabled off, or add both attributes',
  },
  ASTRA_LOCAL_MEMORY: {
    severity: 'note',
    title: 'ASTRA-sim cannot track local memory',
    meaning:
      'With track-local-mem every node needs inputs and outputs; a rank with a node that lacks one never finishes.',
    consequence: 'The rank does not finish, and the exit status is 0.',
    remedy: ['Leave `track-local-mem` off.'],
    example: {
      finding: 'note ASTRA_LOCAL_MEMORY: rank 0: 12 nodes without inputs or outputs',
      mended: 'All nodes have `inputs` and `outputs`, or `track-local-mem` is off.',
    },
    advice: 'leave track-local-mem off',
  },
  ASTRA_COMM_ON_CPU: {
    severity: 'error',
    title: 'ASTRA-sim refuses communication on the host',
    meaning: 'It throws when the node is issued.',
    consequence: 'The run ends in the middle, with an exception.',
    remedy: ['Set `is_cpu_op` false on communication.', 'Or drop the host copies of it.'],
    example: {
      finding: 'error ASTRA_COMM_ON_CPU: ranks 0, 1: 1 communication node with is_cpu_op true: node 4 "coll4"',
      mended: 'Node 4 has `is_cpu_op` false.',
    },
    advice: 'set is_cpu_op false on communication, or drop the host copies of it',
  },
  ASTRA_COLLECTIVE_TYPE: {
    severity: 'error',
    title: 'collective that ASTRA-sim does not run',
    meaning:
      'It runs ALL_REDUCE, ALL_GATHER, ALL_TO_ALL and REDUCE_SCATTER, takes BROADCAST as a delay, and throws at the others.',
    consequence: 'The run ends in the middle, with an exception.',
    remedy: [
      'Write it as sends and receives: `chakra-prep expand traces --for astra-sim -o expanded`.',
      'Or replace the collective by one that it runs.',
    ],
    example: {
      finding: 'error ASTRA_COLLECTIVE_TYPE: ranks 0, 1: 1 collective of type 1 REDUCE: node 1 "coll1"',
      mended: 'Node 1 has `comm_type` 0 (ALL_REDUCE).',
    },
    advice: 'write it as sends and receives: expand --for astra-sim',
  },
  ASTRA_BROADCAST: {
    severity: 'warning',
    title: 'broadcast that ASTRA-sim does not simulate',
    meaning: 'It takes duration_micros, or 1 ns without one, and moves no bytes.',
    consequence: 'The broadcast looks free, whatever its size.',
    remedy: ['Write the broadcast as sends and receives where its time matters.'],
    example: {
      finding: 'warning ASTRA_BROADCAST: ranks 0, 1: 1 collective of type 5 BROADCAST: node 2 "coll2"',
      mended: 'The root has sends, the other ranks have receives.',
    },
    advice: 'write the broadcast as sends and receives where its time matters',
  },
  ASTRA_ATTRIBUTE_MISSING: {
    severity: 'error',
    title: 'attribute that ASTRA-sim needs is missing',
    meaning: 'It throws when the node is issued.',
    consequence: 'The run ends in the middle, with an exception.',
    remedy: ['Add the attribute that the message names.'],
    example: {
      finding: 'error ASTRA_ATTRIBUTE_MISSING: ranks 0, 1: 1 collective without comm_type: node 3 "coll3"',
      mended: 'Node 3 has `comm_type`.',
    },
    advice: 'add the attribute',
  },
  ASTRA_ARM: {
    severity: 'error',
    title: 'attribute that ASTRA-sim cannot convert',
    meaning:
      'It takes any integer for a number and a text for a group; it throws at anything else, and at an attribute without a value.',
    consequence: 'The run ends in the middle, with an exception.',
    remedy: [
      'Let the producer write an integer, or `pg_name` as a text. `validate --fix` leaves floats, texts and lists: what they stand for is a guess.',
    ],
    example: {
      finding: 'error ASTRA_ARM: ranks 0, 1: 1 node with comm_size in double_val: node 5 "coll5"',
      mended: '`comm_size` of node 5 is in `int64_val`.',
    },
    advice: 'write an integer, or pg_name as a text',
  },
  ASTRA_END: {
    severity: 'error',
    title: 'transfer that ASTRA-sim finds on the wrong rank',
    meaning: 'A send must name its own rank in comm_src, a receive in comm_dst, or leave it out; it throws otherwise.',
    consequence: 'The run ends in the middle, with an exception.',
    remedy: ['Leave `comm_src` of a send and `comm_dst` of a receive out, or write the own rank there.'],
    example: {
      finding: 'error ASTRA_END: rank 0: 1 send or receive that names another rank as its own end: node 12 "send12"',
      mended: 'Node 12 has no `comm_src`.',
    },
    advice: 'leave the own rank out, or write it right',
  },
  ASTRA_SIZE_ZERO: {
    severity: 'error',
    title: 'size of 0 in ASTRA-sim',
    meaning: 'A message of 0 bytes aborts it, and a collective that gathers 0 bytes never ends.',
    consequence: 'The run ends with an assertion, or never.',
    remedy: [
      'Drop the node, or give it a size.',
      'Barriers that `prepare` adds have 0 bytes; with `--for astra-sim` they have 1.',
    ],
    example: {
      finding: 'error ASTRA_SIZE_ZERO: ranks 0, 1: 1 communication node with comm_size 0: node 6 "coll6"',
      mended: 'Node 6 has `comm_size` 1024.',
    },
    advice: 'give it a size, or write the traces with --for astra-sim, which gives it a byte',
  },
  ASTRA_GATHER_SMALL: {
    severity: 'warning',
    title: 'all-gather that ASTRA-sim may never end',
    meaning:
      'It loops for ever when comm_size is below preferred-dataset-splits of the system configuration. Below 64 bytes that is likely.',
    consequence: 'The program never ends.',
    remedy: ['Set `preferred-dataset-splits` to no more than the smallest size.'],
    example: {
      finding: 'warning ASTRA_GATHER_SMALL: ranks 0, 1: 1 all-gather of 8 bytes: node 7 "coll7"',
      mended: '`preferred-dataset-splits` is 8 or less.',
    },
    advice: 'set preferred-dataset-splits to no more than the smallest size',
  },
  ASTRA_DIMENSIONS: {
    severity: 'error',
    title: 'involved_dim that ASTRA-sim cannot use',
    meaning:
      'It exits when the value is no list of booleans; without one true dimension the collective never completes.',
    consequence: 'The run ends, or the collective holds its ranks for ever.',
    remedy: ['Leave `involved_dim` out; all dimensions then take part.'],
    example: {
      finding:
        'error ASTRA_DIMENSIONS: ranks 0, 1: 1 collective with involved_dim true for no dimension: node 8 "coll8"',
      mended: 'Node 8 has no `involved_dim`.',
    },
    advice: 'leave involved_dim out',
  },
  ASTRA_TAG: {
    severity: 'warning',
    title: 'tag that ASTRA-sim changes',
    meaning: 'It reads 32 bits and takes them modulo 500,000,000, so that different tags can become one.',
    consequence: 'Messages with different tags can be matched with each other.',
    remedy: ['Use tags from 0 to 499,999,999.'],
    example: {
      finding: 'warning ASTRA_TAG: rank 0: 1 send or receive with a tag outside 0 to 499,999,999: node 9 "send9"',
      mended: 'Node 9 and its partner have `comm_tag` 9.',
    },
    advice: 'use tags from 0 to 499,999,999',
  },
  ASTRA_TRANSFER_SIZE: {
    severity: 'error',
    title: 'ASTRA-sim never pairs ends of different sizes',
    meaning:
      'It pairs a send only with a receive of the same size; the receive never completes, and the exit status is 0.',
    consequence: 'The receiving rank does not finish, and nobody is told.',
    remedy: ['Make `comm_size` equal on both ends.'],
    example: {
      finding: 'error ASTRA_TRANSFER_SIZE: rank 1: 1 receive of another size than the send: node 10',
      mended: 'Both ends have `comm_size` 8.',
    },
    advice: 'make comm_size equal on both ends',
  },
  ASTRA_PEER_SELF: {
    severity: 'error',
    title: 'message to the own rank, which ASTRA-sim refuses',
    meaning: 'Its network asserts that sender and receiver differ.',
    consequence: 'The run ends with an assertion.',
    remedy: ['Drop the transfer, or name the rank that is meant.'],
    example: {
      finding: 'error ASTRA_PEER_SELF: rank 0: 1 send or receive with the rank itself as partner: node 11 "send11"',
      mended: 'Rank 0 has no node 11, or it names another rank.',
    },
    advice: 'drop the transfer, or name the rank that is meant',
  },
  ASTRA_GROUP_NAME: {
    severity: 'error',
    title: 'group name that ASTRA-sim cannot read',
    meaning:
      'It takes the number at the start of a name for the group; without one it throws, and two names with one number are one group.',
    consequence: 'The run ends with an exception, or two groups become one.',
    remedy: ['Name groups 1, 2, 3 and so on, in traces and group file.'],
    example: {
      finding: 'error ASTRA_GROUP_NAME: group "tp" does not begin with a number that fits in 32 bits',
      mended: 'The group is called "1".',
    },
    advice: 'name groups 1, 2, 3 … in traces and group file, as convert --for astra-sim does',
  },
  ASTRA_GROUP_ZERO: {
    severity: 'error',
    title: 'group "0" that is not the world',
    meaning: 'ASTRA-sim runs collectives of group "0" over all ranks, whatever the group file says.',
    consequence: 'A collective of a few ranks becomes one of all ranks.',
    remedy: ['Give the group another number.'],
    example: {
      finding: 'error ASTRA_GROUP_ZERO: group "0" has 1 of 2 ranks, and collectives use it',
      mended: 'The group is called "1".',
    },
    advice: 'give the group another number, as convert --for astra-sim does',
  },
  ASTRA_GROUP_UNKNOWN: {
    severity: 'error',
    title: 'group that ASTRA-sim is not told of',
    meaning: 'It looks in the group file only, and exits when the group is not there.',
    consequence: 'The run ends at the first collective of the group.',
    remedy: [
      'Write the group into `comm_group.json`; `chakra-prep inspect traces --groups` shows its members.',
      '`expand`, `serialize`, `sync` and `prepare` write the file beside their traces, and so does every command with `--for astra-sim`.',
    ],
    example: {
      finding: 'error ASTRA_GROUP_UNKNOWN: group "5" is not in a group file, it comes from the metadata of the traces',
      mended: '`comm_group.json` says `"5": [0, 1]`.',
    },
    advice: 'write the group into comm_group.json; inspect --groups shows its members',
  },
  ASTRA_GROUP_FILE: {
    severity: 'error',
    title: 'group file that ASTRA-sim does not open',
    meaning: 'A path with the word "empty" in it stands for no groups.',
    consequence: 'Collectives of groups have no members, and the run ends.',
    remedy: ['Give the file or its folder another name.'],
    example: {
      finding:
        'error ASTRA_GROUP_FILE: in/empty-groups.json: the path has the word "empty" in it, and collectives use groups',
      mended: 'The file is called `groups.json`.',
    },
    advice: 'give the file or its folder another name',
  },
  ASTRA_GROUP_UNREAD: {
    severity: 'error',
    title: 'group attribute that ASTRA-sim does not read',
    meaning: 'It reads pg_name only; a collective with comm_group alone runs over all ranks.',
    consequence: 'A collective of a few ranks becomes one of all ranks.',
    remedy: ['Name the group in `pg_name`.'],
    example: {
      finding: 'error ASTRA_GROUP_UNREAD: ranks 0, 1: 1 collective with comm_group and without pg_name: node 4 "coll4"',
      mended: 'Node 4 has `pg_name` "4".',
    },
    advice: 'name the group in pg_name',
  },
  ASTRA_WORLD_AFTER_GROUP: {
    severity: 'warning',
    title: 'world collective that may stall ASTRA-sim',
    meaning:
      'Collectives of groups move the numbers of later collectives over all ranks on. Where ranks ran different numbers of them, the collective over all ranks waits for ever, and the exit status is 0.',
    consequence: 'The run ends early, with ranks that did not finish.',
    remedy: [
      'Let groups that cover all ranks run the same number of collectives before each collective over all ranks.',
    ],
    example: {
      finding:
        'warning ASTRA_WORLD_AFTER_GROUP: collective 0 over all ranks comes behind no collective of a group on rank 1, and behind 1 on rank 0',
      mended: 'Rank 1 runs a collective of a group before it as well.',
    },
    advice: 'let groups that cover all ranks run the same number of collectives',
  },
} satisfies Record<string, CatalogueEntry>;
