import type { CatalogueEntry } from './entry.js';

/** Dependencies, and what they keep from starting. */
export const DEPENDENCY_CODES = {
  NO_INITIAL_NODE: {
    severity: 'error',
    title: 'nothing can start',
    meaning: 'Every node of the rank waits for another one, or for itself.',
    consequence:
      'The rank never does anything, and every rank that needs it waits for ever. ASTRA-sim stops when it reads the file.',
    remedy: [
      'Look at the cycles and self dependencies reported for the rank and break them.',
      'Use `--deps data` where only control dependencies close them.',
    ],
    example: {
      finding: 'error NO_INITIAL_NODE: rank 0: each of the 2 nodes waits for another one, by its dependencies',
      mended: 'Node 1 no longer depends on node 2; it starts at once, and node 2 after it.',
    },
    advice: 'look at the cycles reported for the rank',
  },
  NODES_NEVER_START: {
    severity: 'error',
    title: 'nodes that can never start',
    meaning: 'They are in a dependency cycle, depend on themselves, or wait for a node that does; the rank never ends.',
    consequence:
      'The run stalls. A simulator that does not look for it ends with status 0 when its queue is empty, and the time it reports lacks these nodes.',
    remedy: [
      'Break the cycles reported for the rank (CYCLE). Dependencies of a node on itself are dropped by `chakra-prep validate traces --fix -o fixed`.',
      'Use `--deps data` where only control dependencies close them.',
    ],
    example: {
      finding:
        'error NODES_NEVER_START: rank 0: 2 nodes of 3 can never start, first 1 "gemm": they are in a cycle of dependencies or behind one',
      mended: 'Node 1 no longer depends on node 2; all three nodes start.',
    },
    advice: 'look at the cycles reported for the rank',
  },
  DANGLING_DATA: {
    severity: 'error',
    title: 'data dependency on a missing node',
    meaning: 'The node waits for an id that the rank does not have.',
    consequence:
      'It never starts, nor does anything behind it, so `prepare` and `simulate` refuse the traces. A reader that waits for the id to come hangs without a message.',
    remedy: [
      'Add the node; it may have been lost when the file was cut or filtered.',
      'A dependency on a node of another rank must be a send and a receive instead.',
      'Where the order does not matter, let `chakra-prep validate traces --fix -o fixed` drop the dependency, or `simulate --drop-missing-deps` ignore it.',
    ],
    example: {
      finding: 'error DANGLING_DATA: rank 0: 1 data dependency on id 3, which no node has: node 7 "gemm"',
      mended: 'Node 7 does not list 3 in `data_deps`, or the rank has a node 3.',
    },
    advice: 'add the node or drop the dependency; validate --fix drops it',
  },
  DANGLING_CONTROL: {
    severity: 'warning',
    title: 'control dependency on a missing node',
    meaning:
      'The node names a control parent that the rank does not have, and does not wait for it. Converters leave such dependencies behind when they drop the root of the call stack.',
    consequence: 'None here: `simulate` runs the node without it. ASTRA-sim refuses the whole file.',
    remedy: [
      'Let `chakra-prep validate traces --fix -o fixed` drop the dependency.',
      'Or use `--deps data` where control dependencies record nesting of calls and not order.',
    ],
    example: {
      finding: 'warning DANGLING_CONTROL: rank 0: 1 control dependency on id 3, which no node has: node 7 "gemm"',
      mended: 'Node 7 does not list 3 in `ctrl_deps`.',
    },
    advice: 'use --deps data where control records nesting; validate --fix drops it',
  },
  SELF_DATA: {
    severity: 'error',
    title: 'node depends on itself',
    meaning: 'The node can never start.',
    consequence:
      'Nothing behind it starts either, and the rank never ends: `simulate` ends with status 4, `prepare` refuses the traces.',
    remedy: ['Drop the dependency; `chakra-prep validate traces --fix -o fixed` does.'],
    example: {
      finding: 'error SELF_DATA: rank 0: node 7 "gemm" has a data dependency on itself',
      mended: 'Node 7 does not list 7 in `data_deps`.',
    },
    advice: 'drop the dependency; validate --fix does',
  },
  SELF_CONTROL: {
    severity: 'warning',
    title: 'node is its own control parent',
    meaning: 'With --deps both the node can never start, which NODES_NEVER_START then says as an error.',
    consequence: 'It and everything behind it wait for ever, unless control dependencies are left out.',
    remedy: [
      'Use `--deps data` where control dependencies record nesting of calls and not order.',
      'Otherwise drop the dependency; `chakra-prep validate traces --fix -o fixed` does.',
    ],
    example: {
      finding: 'warning SELF_CONTROL: rank 0: node 7 "gemm" has a control dependency on itself',
      mended: 'Node 7 does not list 7 in `ctrl_deps`.',
    },
    advice: 'use --deps data where control records nesting; validate --fix drops it',
  },
  CYCLE: {
    severity: 'error',
    title: 'dependency cycle',
    meaning: 'The nodes of the cycle wait for each other for ever.',
    consequence:
      'They and everything behind them never start: `simulate` ends with status 4, `prepare` refuses the traces. A simulator that does not look for cycles ends with status 0 and a time that lacks them, or hangs.',
    remedy: [
      'Drop the dependency of the cycle that is wrong; the message names its nodes and, for a mixed cycle, the kind of each dependency.',
      'Use `--deps data` where only control dependencies close it.',
    ],
    example: {
      finding:
        'error CYCLE: rank 0: cycle of 2 nodes in data dependencies: 2 "gemm" waits for 3 "gemm" waits for 2 "gemm"',
      mended: 'Node 2 does not list 3 in `data_deps`: it runs first, node 3 after it.',
    },
    advice: 'break the cycle; use --deps data where only control dependencies close it',
  },
} satisfies Record<string, CatalogueEntry>;
