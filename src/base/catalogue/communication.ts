import type { CatalogueEntry } from './entry.js';

/** Communication of PyTorch traces that are linked. */
export const COMMUNICATION_CODES = {
  COMMUNICATION_AMBIGUOUS: {
    severity: 'warning',
    title: 'records that may be those of kernels without a launch',
    meaning:
      'Some kernels of communication have no launching call, and another number of records of that type have no kernel: which belong together cannot be told. The kernels count, the records do not.',
    consequence:
      'Communication whose kernel was not recorded is missing; a kernel may lack the group, the root or the peer that its record has.',
    remedy: [
      'Record host and device trace over the same steps.',
      'Check the bytes of each type in the summary against what the program does.',
    ],
    example: {
      finding:
        'warning COMMUNICATION_AMBIGUOUS: rank 0: 2 records may be those of kernels without a launching call; the kernels count, these records do not; the first: host node 4 (record_param_comms broadcast)',
      mended: 'Every kernel has the call that launched it.',
    },
    advice: 'record host and device trace over the same steps',
  },
  COMMUNICATION_BYTES_DIFFER: {
    severity: 'warning',
    title: 'kernel and record differ in bytes',
    meaning: 'The arguments of the kernel and its record state other sizes. Those of the kernel are taken.',
    consequence:
      'One of them speaks of another collective: the traces may be of two runs, and kernels linked to the wrong ops.',
    remedy: ['Check that host and device trace are of one run.'],
    example: {
      finding:
        "warning COMMUNICATION_BYTES_DIFFER: rank 0: 1 communication of two sizes: kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL, host node 3 (record_param_comms allreduce): 4096 B by the kernel\'s arguments, 8192 B by the record",
      mended: 'Both say 4096 B.',
    },
    advice: 'check that host and device trace are of one run',
  },
  COMMUNICATION_BYTES_UNKNOWN: {
    severity: 'warning',
    title: 'communication without bytes',
    meaning:
      'No argument of the kernel, no record and no op around the launch tells how much is handed over, or in elements of a type that is not known.',
    consequence: 'The node has no `comm_size`; `simulate` cannot give the communication a time of its own.',
    remedy: ['Record with PyTorch 2.2 or later, whose records have the tensors.', 'Give the node a `comm_size`.'],
    example: {
      finding:
        'warning COMMUNICATION_BYTES_UNKNOWN: rank 0: 1 communication of unknown size: kernel ncclKernel_Broadcast_RING_LL_Sum_int8_t',
      mended: 'The kernel has "In msg nelems" and "dtype".',
    },
    advice: 'record with PyTorch 2.2 or later, or set comm_size',
  },
  COMMUNICATION_BY_ORDER: {
    severity: 'warning',
    title: 'kernels given records by order',
    meaning:
      'Kernels of communication have no launching call. There are as many records of their types without a kernel, so they were brought together in order.',
    consequence:
      'Where the order of launch is another than that of the records, groups, roots and peers are exchanged between them.',
    remedy: ['Record with the categories of runtime calls, so that every kernel has its launch.'],
    example: {
      finding:
        'warning COMMUNICATION_BY_ORDER: rank 0: 1 kernel without a launching call has its record by type and order: kernel ncclKernel_AllReduce_RING_LL_Sum_float',
      mended: 'Every kernel has the call that launched it.',
    },
    advice: 'record the runtime calls as well',
  },
  COMMUNICATION_GROUP_ADDRESS: {
    severity: 'warning',
    title: 'groups that have an address in place of a name',
    meaning:
      'The records tell groups apart by an address, which differs from rank to rank. A single one, or one with as many members as the job has ranks, is taken as all ranks; others are named `unnamed-1`, `unnamed-2` in the order of their first use.',
    consequence: 'Where ranks use their groups in another order, one name stands for two groups.',
    remedy: ['Record with PyTorch 2.3 or later, whose records name the group.'],
    example: {
      finding:
        'warning COMMUNICATION_GROUP_ADDRESS: rank 0: 1 communication names its group by address: 1 address, taken as all ranks',
      mended: 'The records have names such as "0" and "1".',
    },
    advice: 'record with PyTorch 2.3 or later',
  },
  COMMUNICATION_GROUP_DIFFERS: {
    severity: 'warning',
    title: 'one rank states two lists of members for a group',
    meaning:
      'The kernel arguments, process_group:init, distributedInfo and the records of one rank do not agree on the members. The first in this order counts.',
    consequence: 'The sources are of two runs, or one of them is wrong: roots and peers are worked out with the first.',
    remedy: ['Check that host and device trace are of one run.'],
    example: {
      finding:
        'warning COMMUNICATION_GROUP_DIFFERS: 1 difference about members: group "0" is ranks 0, 1 by the kernel arguments and rank 0 by global rank start, stride and size of record_param_comms',
      mended: 'All sources say ranks 0, 1.',
    },
    advice: 'check that host and device trace are of one run',
  },
  COMMUNICATION_KERNELS_SHARE: {
    severity: 'note',
    title: 'several kernels for one record',
    meaning:
      'One communication was launched as several kernels. The first stands for it; the others are compute nodes with their duration.',
    consequence:
      'The bytes count once. The time of the other kernels is kept as it was recorded and does not follow the network.',
    remedy: ['Nothing to do where that is meant.'],
    example: {
      finding:
        'note COMMUNICATION_KERNELS_SHARE: rank 0: 1 kernel carries a part of what an earlier one stands for: kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL, host node 5 (record_param_comms allreduce)',
      mended: 'The collective has one kernel.',
    },
    advice: 'nothing to do where that is meant',
  },
  COMMUNICATION_MEMBERS_MISSING: {
    severity: 'note',
    title: 'members without traces',
    meaning:
      'Groups have members whose traces are not given. What the given ranks say is linked as it is; what the others do cannot be checked.',
    consequence: '`simulate` and `prepare` need every member: the given ranks would wait for the others for ever.',
    remedy: ['Give the traces of all ranks of the job.'],
    example: {
      finding: 'note COMMUNICATION_MEMBERS_MISSING: 1 group has members without traces: "0" lacks rank 1',
      mended: 'Traces of ranks 0 and 1 are given.',
    },
    advice: 'give the traces of all ranks before a simulation',
  },
  COMMUNICATION_PEER_UNKNOWN: {
    severity: 'warning',
    title: 'send or receive without the other end',
    meaning: 'No record and no title tells the position of the other end, or the members of the group are not known.',
    consequence: 'The node has no `comm_src` or `comm_dst`; `simulate` refuses it.',
    remedy: ['Record with PyTorch 2.2 or later, whose records have the peer.', 'Declare the group.'],
    example: {
      finding:
        'warning COMMUNICATION_PEER_UNKNOWN: rank 0: 1 send or receive without the other end: send in group "0": the position is not recorded',
      mended: 'The record of the send has the position of the receiver.',
    },
    advice: 'record with the host trace, and declare the groups',
  },
  COMMUNICATION_RANKS_DISAGREE: {
    severity: 'warning',
    title: 'ranks disagree about the collectives of a group',
    meaning: 'The members of a group have other numbers, types or sizes of collectives.',
    consequence: '`validate` reports it as an error where collectives cannot be paired; a simulation stalls.',
    remedy: ['Record all ranks over the same steps.'],
    example: {
      finding: 'warning COMMUNICATION_RANKS_DISAGREE: group "0": 2 collectives on rank 0; 1 on rank 1',
      mended: 'Both ranks have 15 collectives of equal types.',
    },
    advice: 'record all ranks over the same steps',
  },
  COMMUNICATION_ROOT_UNKNOWN: {
    severity: 'warning',
    title: 'rooted collective without a root',
    meaning: 'No record tells the position of the root, or the members of the group are not known.',
    consequence: 'The node has no `root`; the first member is taken for it later on.',
    remedy: ['Give the host trace, whose records have the root.', 'Declare the group.'],
    example: {
      finding:
        'warning COMMUNICATION_ROOT_UNKNOWN: rank 0: 1 collective without its root: Broadcast in no group: the position is not recorded',
      mended: 'The record of the broadcast has the position of the root.',
    },
    advice: 'give the host trace, and declare the groups',
  },
  COMMUNICATION_SPLITS_UNUSABLE: {
    severity: 'warning',
    title: 'splits of an all-to-all that do not add up',
    meaning:
      'The split lists do not share out the buffer, or have another number of entries than the group has members. The all-to-all is taken as even.',
    consequence: 'The bytes from rank to rank are averages.',
    remedy: ['Look at the splits of the record: one entry a member, in rows of the first dimension or in elements.'],
    example: {
      finding:
        'warning COMMUNICATION_SPLITS_UNUSABLE: rank 0: 1 all-to-all whose splits cannot be used: kernel ncclDevKernel_SendRecv, host node 7 (record_param_comms all_to_allv): 3 splits, expected 2',
      mended: 'The record has 4 splits.',
    },
    advice: 'check the splits of the record',
  },
  COMMUNICATION_TYPE_DIFFERS: {
    severity: 'warning',
    title: 'sources name different collectives',
    meaning:
      "The kernel's arguments, its record, the op that launched it and its name do not agree. The first in this order counts.",
    consequence: 'Kernels may be linked to the wrong ops: group, root and bytes are those of another collective.',
    remedy: ['Check that host and device trace are of one run.'],
    example: {
      finding:
        "warning COMMUNICATION_TYPE_DIFFERS: rank 0: 1 communication of two types: kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL, host node 4 (record_param_comms broadcast): Broadcast, and the kernel\'s name says otherwise",
      mended: 'The record of the kernel says allreduce.',
    },
    advice: 'check that host and device trace are of one run',
  },
  COMMUNICATION_TYPE_UNKNOWN: {
    severity: 'warning',
    title: 'collective of unknown type',
    meaning:
      'Nothing that is known names the type. Kernels of sends and receives alone do not tell what they are part of.',
    consequence: 'The node is a collective without `comm_type`: `simulate` cannot expand it and takes its duration.',
    remedy: ['Give the host trace, whose records name the collective.', 'Set `comm_type` on the node.'],
    example: {
      finding:
        'warning COMMUNICATION_TYPE_UNKNOWN: rank 0: 1 collective of unknown type: kernel ncclDevKernel_SendRecv, host node 10 (aten::copy_)',
      mended: 'The host trace has its record.',
    },
    advice: 'give the host trace as well',
  },
  COMMUNICATION_UNMATCHED: {
    severity: 'warning',
    title: 'sends and receives that do not meet',
    meaning:
      'A rank sends more to another than that one receives, or the other way round. Both ends are counted within one group.',
    consequence: 'What is left over waits for ever in a simulation.',
    remedy: ['Record all ranks over the same steps.'],
    example: {
      finding: 'warning COMMUNICATION_UNMATCHED: group "0": rank 0 sends 1 time to rank 1, which receives 0 times',
      mended: 'Rank 1 receives 3 times.',
    },
    advice: 'record all ranks over the same steps',
  },
  COMMUNICATION_WITHOUT_KERNEL: {
    severity: 'note',
    title: 'communication without a kernel',
    meaning:
      'Communication is recorded on the host and no kernel belongs to it: it ran on the host, as with gloo, or its kernel lies outside the device trace. The host node stands for it.',
    consequence: 'It has the duration of the host op, which for a device collective is the time of the launch.',
    remedy: ['Nothing to do where it ran on the host.', 'Otherwise record host and device trace over the same steps.'],
    example: {
      finding:
        'note COMMUNICATION_WITHOUT_KERNEL: rank 0: 3 communications without a kernel, marked on the host; the first: host node 3 (record_param_comms allreduce)',
      mended: 'The device trace has its kernel.',
    },
    advice: 'nothing to do where it ran on the host',
  },
  COMMUNICATION_ZERO_GROUP: {
    severity: 'warning',
    title: 'group "0" is not all ranks',
    meaning: 'In ASTRA-sim the name "0" stands for all ranks, and here it is the name of some of them.',
    consequence:
      'ASTRA-sim would run the collectives of the group over all ranks. This program takes the members that are declared.',
    remedy: ['Write for ASTRA-sim with `convert --for astra-sim`, which renames groups.'],
    example: {
      finding:
        'warning COMMUNICATION_ZERO_GROUP: group "0" is ranks 0, 1 of 4; ASTRA-sim takes a group of that name as all ranks',
      mended: 'The group is named "1".',
    },
    advice: 'rename it before the traces go to ASTRA-sim',
  },
} satisfies Record<string, CatalogueEntry>;
