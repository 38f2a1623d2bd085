import { entry, type CatalogueEntry } from './entry.js';

/** Dependencies, and what they keep from starting. */
export const DEPENDENCY_CODES = {
  NO_INITIAL_NODE: entry(
    'error',
    'nothing can start',
    'Every node of the rank waits for another one.',
    'look at the cycles reported for the rank',
  ),
  NODES_NEVER_START: entry(
    'error',
    'nodes that can never start',
    'They are in a dependency cycle or behind one; the rank never ends.',
    'look at the cycles reported for the rank',
  ),
  DANGLING_DATA: entry(
    'error',
    'data dependency on a missing node',
    'The node waits for an id that the rank does not have.',
    'add the node or drop the dependency',
  ),
  DANGLING_CONTROL: entry(
    'warning',
    'control dependency on a missing node',
    'The node waits for an id that the rank does not have.',
    'use --deps data where control records nesting',
  ),
  SELF_DATA: entry('error', 'node depends on itself', 'The node can never start.', 'drop the dependency'),
  SELF_CONTROL: entry(
    'warning',
    'node is its own control parent',
    'With --deps both the node can never start.',
    'use --deps data where control records nesting',
  ),
  CYCLE: entry(
    'error',
    'dependency cycle',
    'The nodes of the cycle wait for each other for ever.',
    'break the cycle; use --deps data where only control dependencies close it',
  ),
} satisfies Record<string, CatalogueEntry>;
