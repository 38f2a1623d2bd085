import type { Options } from 'yargs';
import { DRAWING_FORMS } from '../../drawings/drawing-sink.js';
import { READING_OPTIONS, SYSTEM_OPTIONS } from '../options.js';
import { SIMULATE_OPTIONS } from '../simulate/options.js';

/** Forms of pictures: of traces, and of a run. */
export const PICTURE_FORMS = [...DRAWING_FORMS, 'timeline'] as const;

const NODES = 'Nodes drawn:';
const RUN = 'Run of a timeline:';

/** Options that choose nodes, beside `--rank`; a run has no use for them. */
export const CHOICE_OPTIONS: Readonly<Record<string, Options>> = {
  type: {
    group: NODES,
    type: 'string',
    requiresArg: true,
    describe: 'node types, such as coll or send,recv,COMP_NODE',
  },
  name: { group: NODES, type: 'string', requiresArg: true, describe: 'text in the name, or /expression/' },
  id: { group: NODES, type: 'string', requiresArg: true, describe: 'node ids, such as 17 or 3,100-200' },
  'only-communication': {
    group: NODES,
    type: 'boolean',
    describe: 'sends, receives and collectives, joined where one waits for the other through nodes left out',
  },
  contract: {
    group: NODES,
    type: 'boolean',
    describe: 'join any nodes chosen in the same way (default with --only-communication)',
  },
  around: { group: NODES, type: 'string', requiresArg: true, describe: 'nodes near these ids; --hops says how near' },
  hops: {
    group: NODES,
    type: 'string',
    requiresArg: true,
    describe: 'dependencies between them and --around at most (default 2)',
  },
  'from-id': { group: NODES, type: 'string', requiresArg: true, describe: 'these ids and all that waits for them' },
  'to-id': { group: NODES, type: 'string', requiresArg: true, describe: 'these ids and all that they wait for' },
  limit: {
    group: NODES,
    type: 'string',
    requiresArg: true,
    describe: 'nodes at most, the first of each rank (default 2000 for dot, 300 for svg, none for graphml)',
  },
};

/** Options of `simulate` that say where a run goes and what is told of it beside the timeline, or of another engine. */
const NOT_OF_A_PICTURE: ReadonlySet<string> = new Set([
  ...['o', 'timeline', 'timeline-ranks', 'records-format', 'scale-up-stats', 'report', 'profiling'],
  ...Object.keys(SYSTEM_OPTIONS),
  ...Object.keys(READING_OPTIONS),
]);

/** Options of `simulate` for the run that a timeline shows. */
export const RUN_OPTIONS: Readonly<Record<string, Options>> = Object.fromEntries(
  Object.entries(SIMULATE_OPTIONS)
    .filter(([name]) => !NOT_OF_A_PICTURE.has(name))
    .map(([name, option]) => [name, { ...option, group: option.group ?? RUN }]),
);
