import type { Options } from 'yargs';
import { requestError } from '../../base/errors.js';
import type { InspectionViews } from '../../pipeline/inspect-file.js';
import { yesFlag, type Flags } from '../command.js';
import { FILTER_OPTIONS, nodeFilter } from './node-filter.js';

/** Nodes that are printed for a person where no limit is given. */
const NODES_PRINTED = 50;

const VIEWS = 'Views:';
const FILTERS = 'Nodes shown:';

/** What `inspect` can be asked to show. */
export const VIEW_OPTIONS: Readonly<Record<string, Options>> = {
  groups: {
    group: VIEWS,
    type: 'string',
    describe:
      'process groups: members, declarations, collectives, who disagrees; a .json FILE named behind it, beside the ' +
      'inputs, declares them (default: comm_group.json of the input folder)',
  },
  pairs: {
    group: VIEWS,
    type: 'boolean',
    describe: 'bytes of sends and receives from rank to rank, and what has no other end',
  },
  collectives: {
    group: VIEWS,
    type: 'boolean',
    describe: 'each collective of each group: size, root, node, durations, whether its members agree',
  },
  nodes: { group: VIEWS, type: 'boolean', describe: 'nodes one by one; --json has everything a trace says of them' },
  type: {
    group: FILTERS,
    type: 'string',
    requiresArg: true,
    describe: 'node types, such as coll or send,recv,COMP_NODE',
  },
  name: { group: FILTERS, type: 'string', requiresArg: true, describe: 'text in the name, or /expression/' },
  rank: { group: FILTERS, type: 'string', requiresArg: true, describe: 'ranks, such as 3 or 0,4-7' },
  id: { group: FILTERS, type: 'string', requiresArg: true, describe: 'node ids, such as 17 or 3,100-200' },
  limit: {
    group: FILTERS,
    type: 'string',
    requiresArg: true,
    describe: `nodes shown at most (default ${NODES_PRINTED}; with --json all)`,
  },
};

/**
 * The views that flags ask for; `undefined` for none. A filter of nodes alone asks for the view of nodes.
 * @throws PrepError `USAGE` for a filter of nodes beside other views, and what `nodeFilter` throws
 */
export function viewsOf(flags: Flags): InspectionViews | undefined {
  const views = {
    groups: yesFlag(flags, 'groupsView', false),
    pairs: yesFlag(flags, 'pairs', false),
    collectives: yesFlag(flags, 'collectives', false),
  };
  const others = views.groups || views.pairs || views.collectives;
  const filter = FILTER_OPTIONS.find((option) => flags[option] !== undefined);
  if (filter !== undefined && others && flags.nodes !== true) {
    throw requestError('USAGE', `--${filter} chooses among nodes, which are not shown`, 'add --nodes, or leave it out');
  }
  const shown = yesFlag(flags, 'nodes', filter !== undefined);
  if (!shown) return others ? views : undefined;
  return { ...views, nodes: nodeFilter(flags, flags.json === true ? undefined : NODES_PRINTED) };
}
