import type { CatalogueEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_CODES = {
  GOAL_LABEL_REPEATED: {
    severity: 'warning',
    title: 'a GOAL label is defined twice',
    meaning:
      'Two operations of a rank have one label. The first definition wins, as in the reference converter: dependencies that mention the label mean the first operation.',
    consequence: 'If the later operation was meant, it starts too early, or nothing waits for it.',
    remedy: ['Give every operation of a rank a label of its own.'],
    example: {
      finding:
        'warning GOAL_LABEL_REPEATED: 1 operation of rank 0 has a label that an earlier one has, first l2 in line 6; dependencies on it mean the earlier one',
      mended: 'The second `l2` is called `l4`.',
    },
    advice: 'give every operation of a rank a label of its own',
  },
  GOAL_TRAILING: {
    severity: 'warning',
    title: 'text behind the last rank of a GOAL schedule',
    meaning:
      'Reading ends with the last rank that `num_ranks` announces, as in the reference converter, and there is more.',
    consequence: 'If `num_ranks` is too small, ranks are missing from the job.',
    remedy: ['Make `num_ranks` the number of ranks, or take out what follows the last one.'],
    example: {
      finding: 'warning GOAL_TRAILING: in/job.goal: what follows rank 2, the last one, is not read: line 18 and on',
      mended: '`num_ranks 3`.',
    },
    advice: 'make num_ranks the number of ranks',
  },
  GOAL_CONSUMED: {
    severity: 'warning',
    title: 'a GOAL file that a simulator has consumed',
    meaning:
      'The magic number is 2342. A simulator that maps the file counts its predecessor counts down in place and marks it so. Everything else is still there, and the counts follow from the successors.',
    consequence: 'None for the traces made from it. A simulator refuses the file itself.',
    remedy: [
      'Keep a copy of GOAL files that are given to a simulator.',
      'Write it anew: convert the traces with `--to goal-bin`.',
    ],
    example: {
      finding:
        'warning GOAL_CONSUMED: in/job.bin was consumed by a simulator run that mapped it: its predecessor counts were counted down, and are worked out again from the successors',
      mended: 'A fresh `job.bin`.',
    },
    advice: 'keep a copy of files that are given to a simulator',
  },
  GOAL_COUNTS: {
    severity: 'warning',
    title: 'counts of a GOAL file disagree with its dependencies',
    meaning:
      'The number of predecessors of an operation, or the list of those without any, is not what the lists of successors say. The lists are used.',
    consequence: 'A GOAL simulator starts such operations too early, or never.',
    remedy: ['Write the file anew with the tool that made it.'],
    example: {
      finding:
        'warning GOAL_COUNTS: in/job.bin: the predecessor counts or roots of 1 rank disagree with the successors, first of rank 0; the successors count',
      mended: 'Written anew.',
    },
    advice: 'write the file anew',
  },
  GOAL_CYCLE: {
    severity: 'warning',
    title: 'operations of a GOAL schedule never run',
    meaning:
      'Operations wait for themselves, for each other in a circle, or for one that does. GOAL tools do not notice that.',
    consequence: 'The rank never ends, and ranks that wait for its messages do not either.',
    remedy: ['Take out a dependency of the circle; `validate` names the one that is left in the traces.'],
    example: {
      finding:
        'warning GOAL_CYCLE: 1 operation of rank 0 never runs: waiting in a circle, or behind one; first node 3, a calc',
      mended: 'Without `l2 requires l2`.',
    },
    advice: 'take out a dependency of the circle',
  },
  GOAL_ROUNDED: {
    severity: 'warning',
    title: 'times of a GOAL schedule are no whole microseconds',
    meaning:
      'A Chakra trace counts durations in whole µs, GOAL in ns. Durations are rounded, halves up, and the attribute `duration_ns` keeps the exact time, which comes back with `--to goal`.',
    consequence: 'A replay computes with the rounded durations: a calc of less than 500 ns takes no time.',
    remedy: [
      'Nothing where the difference does not matter.',
      'Else multiply all times and divide all bandwidths by 1000.',
    ],
    example: {
      finding:
        'warning GOAL_ROUNDED: 1 calc operation: no whole microseconds, rounded by 100 ns in all, first rank 0 node 1; the attribute duration_ns keeps the exact time',
      mended: '`calc 1000`.',
    },
    advice: 'see docs/converters.md on times',
  },
  GOAL_START_DEPENDENCY: {
    severity: 'warning',
    title: 'dependencies on the start of an operation',
    meaning:
      '`A irequires B` lets A start when B has started. A Chakra trace can only wait for the end of a node. A waits for what B waits for instead: then B may start. `goal_irequires` keeps the dependency, and it comes back with `--to goal`.',
    consequence: 'A may start before B where B is ready but its cpu or NIC is busy.',
    remedy: ['Nothing where that does not matter.', 'Else use `requires`.'],
    example: {
      finding:
        'warning GOAL_START_DEPENDENCY: 1 dependency on the start of an operation (irequires), first on rank 0: each became control dependencies on what that operation waits for; the attribute goal_irequires keeps it',
      mended: '`l3 requires l2`.',
    },
    advice: 'see docs/converters.md on irequires',
  },
  GOAL_SOURCE_FOUND: {
    severity: 'note',
    title: 'receives from any source with one possible sender',
    meaning:
      'A receive that leaves its source or its tag open can only take messages that no other receive names. All of these have one sender and one tag, which are written.',
    consequence:
      'None: the receive takes what it would have taken. `goal_any_source` and `goal_any_tag` keep that it was open.',
    remedy: ['Nothing.'],
    example: {
      finding:
        'note GOAL_SOURCE_FOUND: 1 receive from any source or of any tag, first rank 2 node 3: only one sender and tag fits, and is written',
      mended: '`recv 10b from 0 tag 5`.',
    },
    advice: 'nothing to be done',
  },
  GOAL_SOURCE_OPEN: {
    severity: 'warning',
    title: 'receives from any source whose sender is open',
    meaning:
      'A receive leaves its source or its tag open, and messages of several senders or tags fit, or none. Which one it takes shows only when the schedule runs.',
    consequence:
      'The node has no `comm_src`, or no `comm_tag`. `validate` reports it, and a replay refuses it or lets it wait for ever.',
    remedy: ['Name source and tag in the GOAL schedule.', 'Or add `comm_src` and `comm_tag` to the node.'],
    example: {
      finding:
        'warning GOAL_SOURCE_OPEN: 2 receives from any source or of any tag, first rank 2 node 1: not one sender and tag fits, so a replay has no partner for it',
      mended: '`recv 8b from 0 tag 1`.',
    },
    advice: 'name source and tag',
  },
  GOAL_NODE_KEPT: {
    severity: 'note',
    title: 'a node that does nothing becomes calc 0',
    meaning:
      'Nodes that are neither computation nor transfer are left out, and what depends on them waits for what they waited for. Where many wait for one that waits for many, that would write each pair of them; such a node stays, as `calc 0`.',
    consequence: 'In a GOAL simulator it waits for its cpu to be free.',
    remedy: ['Nothing.'],
    example: {
      finding:
        'note GOAL_NODE_KEPT: 1 node that does nothing, first rank 0 node 300: written as calc 0, because leaving it out would multiply dependencies',
      mended: 'Nothing to mend.',
    },
    advice: 'nothing to be done',
  },
  GOAL_CPUS_FOLDED: {
    severity: 'warning',
    title: 'more threads and streams than GOAL has cpus',
    meaning:
      'A rank of GOAL has 256 cpus. Each thread and stream of the traces gets one; those behind the 256th share the first ones.',
    consequence: 'Operations of two streams on one cpu run one after the other.',
    remedy: ['Nothing where few operations are concerned.', 'Else renumber the streams of the traces.'],
    example: {
      finding:
        'warning GOAL_CPUS_FOLDED: 1 node on a thread or stream beyond the 256 cpus of a rank, first rank 0 node 257: cpus are used again from 0',
      mended: 'The nodes of rank 0 run on 256 streams.',
    },
    advice: 'use at most 256 threads and streams a rank',
  },
  TAG_REPLACED: {
    severity: 'note',
    title: 'tags that a form has no place for',
    meaning:
      'The form takes tags of a smaller range. Tags outside it get numbers that no transfer of the job has, the same on sender and receiver.',
    consequence: 'The same transfers match as before. Converting back gives the new tags.',
    remedy: ['Nothing.'],
    example: {
      finding:
        'note TAG_REPLACED: 1 tag that GOAL has no place for (0 to 4294967294), first 8589934592: replaced by a number that no transfer has, 2147483648',
      mended: 'Tags below 4,294,967,295.',
    },
    advice: 'nothing to be done',
  },
  FLOW_START_TIMES: {
    severity: 'note',
    title: 'where the start times of flows come from',
    meaning:
      'A flow list has a start time for each flow and no dependencies. With `--network` the traces are replayed on that network, and each flow starts when its send starts there. Without it a flow starts as early as the traces allow: transfers take no time, and computations their recorded durations.',
    consequence:
      'On a network that is slower than the one the times come from, flows start before what they should wait for.',
    remedy: ['Name the network with `--network`, as for `simulate`.'],
    example: {
      finding:
        'note FLOW_START_TIMES: flows start as early as the traces allow: after the recorded durations before them, with transfers that take no time',
      mended: '`convert traces --to ns3-flows --network fabric.txt -o flows`.',
    },
    advice: 'name a network with --network',
  },
  FLOPS_ASSUMED: {
    severity: 'note',
    title: 'computations in flops of an assumed speed',
    meaning:
      'The form counts computation in floating-point operations, traces in time. Each computation gets the operations that a host does in its time; the speed of the hosts is assumed.',
    consequence: 'Hosts of another speed in the platform file compute longer or shorter than the traces say.',
    remedy: ['Give the hosts of the platform 1 Gflop/s.', 'Or name their speed: `--flops-per-second 1e12`.'],
    example: {
      finding:
        'note FLOPS_ASSUMED: computations are written in flops of hosts with 1e9 flops a second (1 flop for each ns), as --flops-per-second names none',
      mended: '`--flops-per-second 1e9`.',
    },
    advice: 'name the speed of the hosts with --flops-per-second',
  },
  PROGRAM_ASSUMED: {
    severity: 'note',
    title: 'what the file of a program leaves out',
    meaning: 'The file of a collective algorithm does not say something, and it was taken from its steps.',
    consequence: 'Where it is meant otherwise, another collective is checked and simulated.',
    remedy: ['State it in the file: `nchunksperloop`, `root`, `inplace`, or for traces `?size=`.'],
    example: {
      finding: 'note PROGRAM_ASSUMED: star.xml:1: no root is stated; gpu 0, which sends and never receives, is taken',
      mended: '`<algo … coll="broadcast" root="0">`',
    },
    advice: 'state it in the file',
  },
  PROGRAM_BUFFERS: {
    severity: 'error',
    title: 'buffers of a program do not fit its collective',
    meaning:
      'The chunks of a buffer are not what the collective has: of an allgather, `i_chunks` × `ngpus` and `o_chunks` are `nchunksperloop`; of a reduce_scatter, `i_chunks` and `o_chunks` × `ngpus`; of the others all three are equal. 0 stands for a buffer that is not used.',
    consequence: 'The real runtime refuses the program, and a simulation would move the wrong number of bytes.',
    remedy: ['Correct `i_chunks` and `o_chunks` of the gpu, or `nchunksperloop`.'],
    example: {
      finding: 'error PROGRAM_BUFFERS: broken.xml: gpu 0 has i_chunks="3", expected 2 or 0 for allreduce',
      mended: '`i_chunks="2"` on both gpus.',
    },
    advice: 'correct i_chunks, o_chunks or nchunksperloop',
  },
  PROGRAM_PEER: {
    severity: 'error',
    title: 'thread blocks and their peers do not fit together',
    meaning:
      'A thread block names a peer or a channel that is not there, sends or receives without a peer, or shares its peer on a channel with another thread block of its gpu.',
    consequence: 'Which send belongs to which receive is not known.',
    remedy: ['Correct `send`, `recv` or `chan` of the thread block; give each peer and channel one thread block.'],
    example: {
      finding:
        'error PROGRAM_PEER: broken.xml: gpu 0 thread blocks 0 and 1 both send to gpu 1 on channel 0; expected one',
      mended: '`chan="1"` and `nchannels="2"` for the second.',
    },
    advice: 'correct send, recv or chan',
  },
  PROGRAM_OFFSET: {
    severity: 'error',
    title: 'step outside its buffer',
    meaning: 'A step reads or writes chunks that the buffer of its gpu does not have, or moves none.',
    consequence: 'It has no contents; the real runtime would overwrite the memory of something else.',
    remedy: ['Correct the offset or `cnt` of the step, or give the gpu a larger buffer.'],
    example: {
      finding:
        'error PROGRAM_OFFSET: broken.xml: gpu 0 thread block 0 step 3 (r, line 7) has as its destination chunk 3 of the input buffer, which has chunks 0 to 2',
      mended: '`dstoff="0"`',
    },
    advice: 'correct the offset or cnt, or enlarge the buffer',
  },
  PROGRAM_DEPENDENCY: {
    severity: 'error',
    title: 'dependency on a step that is not there or tells nobody',
    meaning: 'A step waits (`depid`, `deps`) for a step that its gpu does not have, or that has `hasdep="0"`.',
    consequence: 'The real runtime waits for ever.',
    remedy: ['Correct `depid` and `deps`, or set `hasdep="1"` on the step that is waited for.'],
    example: {
      finding:
        'error PROGRAM_DEPENDENCY: broken.xml: gpu 0 thread block 1 step 0 (s, line 10) waits for gpu 0 thread block 0 step 0 (s, line 4), which has hasdep="0" and tells nobody',
      mended: '`hasdep="1"` on line 4.',
    },
    advice: 'correct depid and deps, or set hasdep="1"',
  },
  PROGRAM_UNMATCHED: {
    severity: 'error',
    title: 'sends and receives of a connection differ',
    meaning:
      'On one connection (from, to, channel) there are not as many sends as receives, or a pair differs in `cnt`.',
    consequence: 'Something waits for ever, or takes the chunks of another message.',
    remedy: ['Compare the steps of both ends; the k-th send is for the k-th receive.'],
    example: {
      finding:
        'error PROGRAM_UNMATCHED: ring.xml: gpu 1 to gpu 0 on channel 0: 2 sends and 1 receive, expected as many; the first without the other is gpu 1 thread block 0 step 2 (s, line 13)',
      mended: 'Gpu 1 has a second receive.',
    },
    advice: 'compare the steps of both ends',
  },
  PROGRAM_CYCLE: {
    severity: 'error',
    title: 'steps wait for each other in a circle',
    meaning: 'Order in thread blocks, dependencies and messages together have a circle.',
    consequence: 'None of these steps ever runs, nor what waits for them.',
    remedy: ['Move a send before the receive that it does not need.'],
    example: {
      finding:
        'error PROGRAM_CYCLE: ring.xml: 8 steps never run: these wait for each other in a circle: gpu 0 thread block 0 step 0 (r, line 4), gpu 0 thread block 0 step 1 (s, line 5), gpu 1 thread block 0 step 0 (r, line 12), gpu 1 thread block 0 step 1 (s, line 13)',
      mended: 'Gpu 0 sends first.',
    },
    advice: 'move a send before the receive that it does not need',
  },
  PROGRAM_CONTENT: {
    severity: 'error',
    title: 'step uses a chunk that holds nothing, or counts a contribution twice',
    meaning:
      'The program was run on the names of chunks. A step reads a place that nobody has written, or adds two chunks of which both hold the contribution of one rank.',
    consequence: 'The result of the collective is wrong.',
    remedy: ['Check buffer and offset of the step, and what was written there before.'],
    example: {
      finding:
        'error PROGRAM_CONTENT: ring.xml: gpu 0 thread block 0 step 0 (s, line 4) sends scratch chunk 0, which holds nothing yet',
      mended: 'Each contribution is added once.',
    },
    advice: 'check buffer and offset of the step, and what was written there before',
  },
  PROGRAM_RESULT: {
    severity: 'error',
    title: 'program does not do what its collective has to',
    meaning:
      'At the end a chunk does not hold what the collective has to give; the first one is told, and how many there are.',
    consequence: 'The program is another collective, or a part of one; its time says nothing of the whole one.',
    remedy: ['Follow the chunk back from the step that wrote it last.', 'Or name the collective that it is in `coll`.'],
    example: {
      finding:
        'error PROGRAM_RESULT: half.xml: gpu 0 chunk 0 ends with chunk 0 of rank 0, expected chunk 0 of ranks 0, 1; no step writes it (and 1 more chunk)',
      mended: 'Gpu 0 receives chunk 0 from gpu 1.',
    },
    advice: 'follow the chunk back from the step that wrote it last',
  },
  PROGRAM_RACE: {
    severity: 'error',
    title: 'steps without an order touch one chunk',
    meaning:
      'Two thread blocks of a gpu use one chunk, at least one of them writes it, and neither waits for the other.',
    consequence: 'What the chunk holds depends on who is faster.',
    remedy: ['Let one of the steps wait for the other with `depid` and `deps`.'],
    example: {
      finding:
        'error PROGRAM_RACE: ring.xml: gpu 0 thread block 1 step 0 (cpy, line 10) reads chunk 1 and gpu 0 thread block 0 step 1 (rrc, line 5) writes it, and neither waits for the other',
      mended: '`depid="0" deps="0"` on line 7 and `hasdep="1"` on line 4.',
    },
    advice: 'let one of the steps wait for the other',
  },
  PROGRAM_LIMIT: {
    severity: 'warning',
    title: 'program larger than real runtimes take',
    meaning:
      'Runtimes take at most 256 steps a thread block, 32 thread blocks a channel, 71 chunks a step and 16 reductions in a row into one place.',
    consequence: 'It can be simulated and not be run.',
    remedy: ['Spread the steps over more thread blocks and channels.'],
    example: {
      finding:
        'warning PROGRAM_LIMIT: star.xml: gpu 0 thread block 0 step 0 moves 72 chunks; runtimes take 71 at most (and 1 more place)',
      mended: 'Two steps of 36 chunks.',
    },
    advice: 'spread the steps over more thread blocks and channels',
  },
  PROGRAM_CUSTOM: {
    severity: 'note',
    title: 'program whose result nobody states',
    meaning: '`coll="custom"` says of no chunk what it has to hold at the end.',
    consequence: 'It cannot be told whether the program does what the collective in the traces has to.',
    remedy: ['Name the collective in `coll` where it is one.'],
    example: {
      finding:
        'note PROGRAM_CUSTOM: star.xml: coll="custom" states no result; only that chunks are there when they are used, and counted once, is checked',
      mended: '`coll="alltoall"`',
    },
    advice: 'name the collective in coll',
  },
  PROGRAM_UNSEEN: {
    severity: 'note',
    title: 'contents of an algorithm in traces cannot be seen',
    meaning:
      'Traces that describe an algorithm say who sends how many bytes to whom, and not which. What was checked: each position depends on every position whose data it needs, and moves as many bytes as any algorithm must, where the size of the collective is known.',
    consequence: 'An algorithm that sends the wrong bytes is not found.',
    remedy: ['Describe the algorithm as an MSCCL XML program, whose chunks can be followed.'],
    example: {
      finding:
        'note PROGRAM_UNSEEN: swap: the contents of chunks cannot be seen in traces; checked is who depends on whom, and bytes',
      mended: '`--allreduce file:ring.xml`',
    },
    advice: 'describe it as an MSCCL XML program',
  },
  PROGRAM_BYTES: {
    severity: 'error',
    title: 'algorithm in traces moves too few bytes',
    meaning: 'A position sends or receives fewer bytes than any algorithm of the collective must.',
    consequence: 'The simulated collective is too fast.',
    remedy: [
      'Check the size that `?size=` or `collective_size` states: bytes, as `comm_size` of that collective is meant.',
    ],
    example: {
      finding:
        'error PROGRAM_BYTES: half: position 0 receives 0 bytes, and an AllReduce of 1,000 bytes on 2 ranks needs 1,000',
      mended: '`--allreduce "file:pair?size=500B"`',
    },
    advice: 'check the size of the collective that the traces are for',
  },
  PROGRAM_REACH: {
    severity: 'error',
    title: 'algorithm in traces leaves a contribution out',
    meaning:
      'What a position ends with does not depend on a position whose data it needs, over any messages and dependencies.',
    consequence: 'The traces are another collective, or a part of one.',
    remedy: ['Add the missing messages, or the dependency of a send on the receive that it passes on.'],
    example: {
      finding:
        'error PROGRAM_REACH: half: position 0 does not depend on position 1, whose data an AllReduce needs there',
      mended: 'Position 1 sends to position 0 as well.',
    },
    advice: 'add the missing messages or dependencies',
  },
  ALGORITHM_ROOT: {
    severity: 'error',
    title: 'algorithm has another root',
    meaning: 'A program has its root at one position of the group, and the collective names another.',
    consequence: 'The bytes would flow from or to the wrong rank.',
    remedy: ['Name a program for that root, or another algorithm.'],
    example: {
      finding:
        'error ALGORITHM_ROOT: group tp: Broadcast 0 (1024 bytes) with star has its root at rank 0 (position 0), the collective at rank 1 (position 1)',
      mended: 'Both members state `root` 0.',
    },
    advice: 'name a program for that root, or another algorithm',
  },
  ALGORITHM_SPLITS: {
    severity: 'warning',
    title: 'split lists do not count',
    meaning: 'A program of chunks cuts buffers into equal parts, and the all-to-all states bytes for each pair.',
    consequence: 'An uneven all-to-all is simulated as even; its slowest transfer may be missing.',
    remedy: ['Take `interleaved` or `sequential` for it.'],
    example: {
      finding:
        'warning ALGORITHM_SPLITS: group tp: AllToAll 1 (1024 bytes) with pair: send_split_bytes do not count, equal parts of comm_size are sent',
      mended: '`--alltoall interleaved`',
    },
    advice: 'take interleaved or sequential for it',
  },
  ALGORITHM_SIZE: {
    severity: 'warning',
    title: 'collective outside the sizes of its algorithm',
    meaning:
      'The program says which buffers it is for (`minBytes`, `maxBytes`), and those of the collective are smaller or larger.',
    consequence: 'The real runtime would take another algorithm.',
    remedy: ['Name a program for that size, or correct the range in its file.'],
    example: {
      finding:
        'warning ALGORITHM_SIZE: group tp: AllReduce 0 (1024 bytes) with star: made for buffers of 1 to 512 bytes, these have 1,024',
      mended: '`maxBytes="1048576"`',
    },
    advice: 'name a program for that size',
  },
  PLAN_UNMATCHED: {
    severity: 'error',
    title: 'signals, waits, packets or barriers of a plan do not meet',
    meaning:
      'A thread block of an MSCCL++ plan waits for what never comes, or what it signals, puts or writes as packets is never waited for.',
    consequence: 'The plan would hang, or its next run would start with a semaphore that is raised already.',
    remedy: [
      'Give each signal one wait on the same channel, each put a signal behind it, and packets one reader.',
      'Let as many thread blocks come to a barrier as its `num_threadblocks` says.',
    ],
    example: {
      finding:
        'error PLAN_UNMATCHED: gather2.json: gpu 1 thread block 0 (line 49) waits for a signal on memory channel 0 from gpu 0 to gpu 1, which sends 0 signals in all',
      mended: '`{"name": "signal", "channel_type": "memory", "channel_ids": [0]}` behind the put of gpu 0',
    },
    advice: 'give each signal one wait, and each put a signal',
  },
  PLAN_ONE_SIDED: {
    severity: 'note',
    title: 'what sends and receives do not carry of a plan',
    meaning:
      'An MSCCL++ plan writes and reads memory of other gpus. A signal without a put only says that something may begin; a read asks for its bytes first. Sends and receives have neither.',
    consequence:
      'Transfers may begin before such a signal would have come, and a read is one way shorter. What happens in which order on each gpu is kept.',
    remedy: ['Nothing, where one latency more or less does not matter.'],
    example: {
      finding:
        'note PLAN_ONE_SIDED: read2.json: signals without a put before them, which cost nothing: 2; reads, which are sends of the gpu that has the bytes, without the way of the request: 2',
      mended: 'Nothing to mend.',
    },
    advice: 'nothing, where one latency more or less does not matter',
  },
} satisfies Record<string, CatalogueEntry>;
