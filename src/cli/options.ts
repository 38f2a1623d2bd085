import type { Options } from 'yargs';
import { ALGORITHMS, algorithmNames } from '../collectives/catalogue.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { LOG_LEVELS } from './io.js';

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Options>> = {
  config: {
    type: 'string',
    describe: 'YAML file that holds what flags can say (schemas/run-config.schema.json); a flag wins',
  },
  json: { type: 'boolean', describe: 'one JSON document on stdout' },
  quiet: { type: 'boolean', describe: 'only errors on stderr' },
  'log-level': { choices: LOG_LEVELS, describe: 'what goes to stderr (default note: everything)' },
  color: { type: 'boolean', describe: 'colours on a terminal; --no-color or NO_COLOR turn them off' },
};

/** Where process groups come from and which dependencies count. */
export const READING_OPTIONS: Readonly<Record<string, Options>> = {
  groups: {
    type: 'string',
    describe: 'process groups: JSON, name → ranks (default: comm_group.json of the input folder)',
  },
  deps: { choices: ['both', 'data'], describe: 'dependencies that count (default both: data and control)' },
  threads: { type: 'number', describe: 'worker threads (default: as many as pay off, at most one a processor)' },
};

export const OUTPUT_OPTIONS: Readonly<Record<string, Options>> = {
  o: { alias: 'out', type: 'string', describe: 'output folder, or - for one rank on stdout' },
  only: { type: 'string', describe: 'write these ranks only, such as 3 or 0,4-7; all ranks are still read' },
  format: { choices: ['et', 'et.gz', 'jsonl'], describe: 'form of the output (default et)' },
};

/** One option a collective type, naming its algorithm. The names are checked by the library, which lists the known ones. */
export const COLLECTIVE_OPTIONS: Readonly<Record<string, Options>> = Object.fromEntries(
  COLLECTIVE_NAMES.map(({ option, record }, type) => [
    option,
    {
      type: 'string',
      describe: `${record} algorithm: ${algorithmNames(type).join(', ')} (default ${ALGORITHMS[type][0].name})`,
    } as Options,
  ]),
);

export const ORDER_OPTION: Readonly<Record<string, Options>> = {
  order: {
    choices: ['recorded', 'ids'],
    describe: 'order of issue: as recorded, or ascending node ids (default recorded)',
  },
};
