import type { Options } from 'yargs';
import { RECORDS_FORMATS } from '../../config/run-options.js';
import { BACKENDS } from '../../config/system-options.js';
import {
  COLLECTIVE_OPTIONS,
  ORDER_OPTION,
  PACKET_OPTIONS,
  PLACEMENT_OPTIONS,
  READING_OPTIONS,
  SYSTEM_OPTIONS,
  TIME_OPTIONS,
} from '../options.js';

/** What `simulate` prints on stdout; `astra-sim` is there with `--system`, and `timing` without. */
const REPORTS = ['table', 'timing', 'wall', 'none', 'astra-sim'] as const;
export type Report = (typeof REPORTS)[number];

export const SIMULATE_OPTIONS: Readonly<Record<string, Options>> = {
  network: {
    type: 'string',
    describe:
      'alpha-beta:latency=1us,bandwidth=50GB/s, or a file: an analytical .yml topology, or hosts and switches (docs/topologies.md)',
  },
  logical: {
    type: 'string',
    requiresArg: true,
    describe:
      'logical topology, {"logical-dims": ["2", "4"]}, as beside an ns-3 topology: checked against the ranks, and of no effect',
  },
  backend: {
    choices: BACKENDS,
    requiresArg: true,
    describe:
      'network model: without contention, with links that are waited for, or packet by packet (default packet on hosts and switches, else analytical-unaware)',
  },
  family: {
    choices: ['synthesized', 'compiled', 'collected'],
    describe: 'whether durations are for a compute unit of its own (default synthesized) or were measured (collected)',
  },
  serialize: { type: 'boolean', describe: 'order the collectives of each group (default yes, unless that pass ran)' },
  sync: { type: 'boolean', describe: 'a barrier before each collective (default yes, unless that pass ran)' },
  scale: { type: 'string', requiresArg: true, describe: 'factor for sizes and durations, 0 to 1' },
  'drop-missing-deps': {
    type: 'boolean',
    describe: 'ignore data dependencies on missing nodes, with a warning (default no)',
  },
  o: { alias: 'out', type: 'string', requiresArg: true, describe: 'folder for the records' },
  timeline: {
    type: 'string',
    requiresArg: true,
    describe: 'file for a timeline of the run that Perfetto, speedscope and chrome://tracing open (docs/visualize.md)',
  },
  'timeline-ranks': {
    type: 'string',
    requiresArg: true,
    describe: 'ranks that the timeline shows: 3 or 0,4-7 (default all)',
  },
  'records-format': { choices: RECORDS_FORMATS, requiresArg: true, describe: 'form of the records (default csv)' },
  'scale-up-stats': { type: 'boolean', describe: 'rows for the scale-up fabric in nd-stats (default no)' },
  report: {
    choices: REPORTS,
    requiresArg: true,
    describe:
      'what is printed: a summary table (default), simulated or wall-clock time by executor, nothing, or with --system the lines of ASTRA-sim',
  },
  ...PACKET_OPTIONS,
  ...SYSTEM_OPTIONS,
  ...PLACEMENT_OPTIONS,
  ...TIME_OPTIONS,
  ...COLLECTIVE_OPTIONS,
  ...ORDER_OPTION,
  ...READING_OPTIONS,
};
