import type { CatalogueEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_CODES = {
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
} satisfies Record<string, CatalogueEntry>;
