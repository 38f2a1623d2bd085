import type { Options } from 'yargs';
import { ALGORITHMS, algorithmNames } from '../collectives/catalogue.js';
import { ECMP_MODES, NIC_KINDS, PFC_MODES } from '../network/packet/settings/packet-settings.js';
import { CONGESTION_CONTROLS } from '../network/packet/settings/stated-settings.js';
import { WRITING_TARGETS } from '../pipeline/preparation-request.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { LOG_LEVELS } from './io.js';

/** Heading of the options of every command. */
export const EVERYWHERE = 'Everywhere:';

/** Options of every command. */
export const COMMON_OPTIONS = group(EVERYWHERE, {
  config: {
    type: 'string',
    requiresArg: true,
    describe: 'YAML file that holds what flags can say (schemas/run-config.schema.json); a flag wins',
  },
  json: { type: 'boolean', describe: 'one JSON document on stdout' },
  quiet: { type: 'boolean', describe: 'only errors on stderr' },
  'log-level': {
    choices: LOG_LEVELS,
    requiresArg: true,
    describe: 'what goes to stderr (default note: everything)',
  },
  color: { type: 'boolean', describe: 'colours on a terminal; --no-color or NO_COLOR turn them off' },
});

/** Where process groups come from and which dependencies count. */
export const READING_OPTIONS = group('Reading:', {
  groups: {
    type: 'string',
    requiresArg: true,
    describe: 'process groups: JSON, name → ranks (default: comm_group.json of the input folder)',
  },
  assume: {
    type: 'array',
    string: true,
    requiresArg: true,
    describe:
      'read the traces in another convention, such as allgather-size=total; may be given again (docs/conventions.md lists all)',
  },
  deps: {
    choices: ['both', 'data'],
    requiresArg: true,
    describe: 'dependencies that count (default both: data and control)',
  },
  threads: {
    type: 'string',
    requiresArg: true,
    describe: 'worker threads, one rank at a time each (default: as many as pay off); simulate uses one',
  },
});

export const OUTPUT_OPTIONS = group('Writing:', {
  o: { alias: 'out', type: 'string', requiresArg: true, describe: 'output folder, or - for one rank on stdout' },
  only: {
    type: 'string',
    requiresArg: true,
    describe: 'write these ranks only, such as 3 or 0,4-7; all ranks are still read',
  },
  format: { choices: ['et', 'et.gz', 'jsonl'], requiresArg: true, describe: 'form of the output (default et)' },
  for: {
    choices: WRITING_TARGETS,
    requiresArg: true,
    describe: 'mend what is written so that this program runs it, or write nothing (docs/targets.md)',
  },
});

/** One option a collective type, naming its algorithm. */
export const COLLECTIVE_OPTIONS = group(
  'Algorithms:',
  Object.fromEntries(
    COLLECTIVE_NAMES.map(({ option, record }, type) => [
      option,
      {
        type: 'string',
        requiresArg: true,
        describe: `${record}: ${algorithmNames(type).join(', ')} (default ${ALGORITHMS[type][0].name}), or file:PATH`,
      },
    ]),
  ),
);

export const ORDER_OPTION: Readonly<Record<string, Options>> = {
  order: {
    choices: ['recorded', 'ids'],
    requiresArg: true,
    describe: 'order of issue: as recorded, or ascending node ids (default recorded)',
  },
};

/** A run on ASTRA-sim's system layer instead of the replay. */
export const SYSTEM_OPTIONS = group("ASTRA-sim's system layer:", {
  system: {
    type: 'string',
    requiresArg: true,
    describe: 'system file of ASTRA-sim, JSON: its system layer runs, not the replay',
  },
  memory: {
    type: 'string',
    requiresArg: true,
    describe: 'remote memory file of ASTRA-sim, JSON (default: no remote memory)',
  },
  'num-queues-per-dim': {
    type: 'string',
    requiresArg: true,
    describe: 'queues of each dimension of the network (default 1)',
  },
  'injection-scale': { type: 'string', requiresArg: true, describe: 'factor for endpoint-delay (default 1)' },
  rendezvous: { type: 'boolean', describe: 'a transfer is asked for before its bytes are sent (default no)' },
  'system-extensions': {
    type: 'boolean',
    describe: 'apply settings of the system file that ASTRA-sim no longer has (default no)',
  },
});

/** Algorithms of that system layer instead of those above. */
export const SYSTEM_EXPANSION_OPTIONS = {
  ...group("ASTRA-sim's system layer:", {
    system: {
      type: 'string',
      requiresArg: true,
      describe: 'system file of ASTRA-sim, JSON: its algorithms are written, with their chunks and queues',
    },
    network: {
      type: 'string',
      requiresArg: true,
      describe: 'with --system: an analytical .yml topology, whose dimensions the algorithms run over',
    },
  }),
  'num-queues-per-dim': SYSTEM_OPTIONS['num-queues-per-dim'],
  'system-extensions': SYSTEM_OPTIONS['system-extensions'],
};

/** The packet network; every other setting of it by --set. */
export const PACKET_OPTIONS = group('Packet network:', {
  nic: { choices: NIC_KINDS, requiresArg: true, describe: 'transport of every NIC (default roce)' },
  ecmp: {
    choices: ECMP_MODES,
    requiresArg: true,
    describe: 'which of several next hops a switch takes (default flow: by hash)',
  },
  'congestion-control': {
    choices: CONGESTION_CONTROLS,
    requiresArg: true,
    describe: 'how senders slow down (default dcqcn with roce, nscc with uet and mrc)',
  },
  pfc: {
    choices: PFC_MODES,
    requiresArg: true,
    describe: 'how switches pause their neighbours (default static with roce, off with uet and mrc)',
  },
  trimming: {
    type: 'boolean',
    describe: 'trim packets there is no room for (default with uet and mrc, where PFC is off)',
  },
  check: { type: 'boolean', describe: 'assert the invariants of the network while it runs (default no)' },
  set: {
    type: 'array',
    string: true,
    requiresArg: true,
    describe:
      'state any attribute of the configuration, Name=value such as EgressLimit=300KB; may be given again (docs/configuration.md lists all)',
  },
});

/** Where ranks run. */
export const PLACEMENT_OPTIONS = group('Placement:', {
  mapping: {
    type: 'string',
    requiresArg: true,
    describe: 'file that places ranks on servers and in scale-up groups, text or .json (default: in order)',
  },
  'allow-extra-servers': {
    type: 'boolean',
    describe: 'more servers than ranks: the highest ids stay idle (default no)',
  },
});

/** When a run begins, ends and is looked at. */
export const TIME_OPTIONS = group('Times:', {
  until: {
    type: 'string',
    requiresArg: true,
    describe: 'stop at this simulated time, such as 10ms (default 10s after the start, see RunTime)',
  },
  'start-time': { type: 'string', requiresArg: true, describe: 'when every rank starts, such as 1us (default 0s)' },
  profiling: { type: 'string', requiresArg: true, describe: 'write a profile of each rank, a block every TIME' },
});

/** Stands under a heading of its own in the help. */
function group(heading: string, options: Record<string, Options>): Readonly<Record<string, Options>> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group: heading }]));
}
