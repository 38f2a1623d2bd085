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
} satisfies Record<string, CatalogueEntry>;
