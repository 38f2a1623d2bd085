import type { StopEntry } from './entry.js';

/** Configuration, mapping file, and times of a run. */
export const CONFIGURATION_STOPS = {
  CONFIG_INVALID: {
    exitStatus: 2,
    title: 'run configuration with a wrong attribute or value',
    meaning:
      'The file of --config, or a --set, has a name that is not known, a value of another type or out of range, or says one thing twice.',
    remedy: [
      'Correct the file at the line and column of the message, or the --set that it names.',
      'schemas/run-config.schema.json and docs/configuration.md say what it may hold.',
    ],
    advice: 'see schemas/run-config.schema.json',
  },
  CONFIG_UNREADABLE: {
    exitStatus: 2,
    title: 'run configuration cannot be read',
    meaning: 'The file of --config is not there or may not be read.',
    remedy: ['Check the path and its permissions.'],
    advice: 'check the path',
  },
  MAPPING_MALFORMED: {
    exitStatus: 2,
    title: 'mapping file with a wrong line or value',
    meaning:
      'The mapping file breaks one of its rules (R-034 to R-038): a field, a number, a rank twice, a group without parameters.',
    remedy: ['Correct the line that the message names; docs/mapping.md has all rules.'],
    advice: 'correct the line named; see docs/mapping.md',
  },
  MAPPING_MISSING: {
    exitStatus: 2,
    title: 'UseMapping is true and no mapping file is named',
    meaning: 'The configuration asks for a mapping, and there is none to use.',
    remedy: ['Name one with `--mapping FILE` or `mapping:`.', 'Or leave `UseMapping` out.'],
    advice: 'name one with --mapping, or leave UseMapping out',
  },
  MAPPING_RANK_COUNT: {
    exitStatus: 2,
    title: 'mapping file and traceset differ in ranks',
    meaning: 'The mapping file places more or fewer ranks than the traceset has (R-037).',
    remedy: ['Place exactly the ranks of the traceset: one line each, from rank 0.'],
    advice: 'place exactly the ranks of the traceset',
  },
  MAPPING_UNREADABLE: {
    exitStatus: 2,
    title: 'mapping file cannot be read',
    meaning: 'The mapping file is not there or may not be read.',
    remedy: ['Check the path and its permissions.'],
    advice: 'check the path',
  },
  RANK_COUNT: {
    exitStatus: 2,
    title: 'NumOfChakraFiles differs from the files found',
    meaning: 'The configuration says how many ranks there must be, and there is another number of files.',
    remedy: ['Correct `NumOfChakraFiles`, or the input.'],
    advice: 'correct the number or the input',
  },
  STOP_BEFORE_START: {
    exitStatus: 2,
    title: 'the run stops before its ranks start',
    meaning: '--until is an absolute time and lies before StartTime, so nothing would run.',
    remedy: ['Use an `--until` after `StartTime`.'],
    advice: 'use an --until after StartTime',
  },
  TIME_MALFORMED: {
    exitStatus: 2,
    title: 'time cannot be read',
    meaning: 'A time is no number with a unit, is 0 where more is needed, or is below half a picosecond.',
    remedy: ['Write a number and one of ps, ns, us, ms and s, such as `1.5us`.'],
    advice: 'write a number and a unit, such as 1.5us',
  },
  TIME_TOO_LARGE: {
    exitStatus: 2,
    title: 'time above 2^53 ps',
    meaning: 'Simulated time is whole picoseconds and ends at 2^53 ps, which is 9007 s.',
    remedy: ['Use a time below 9007 s; check its unit.'],
    advice: 'use a time below 9007 s',
  },
  RECORD_TOO_LARGE: {
    exitStatus: 2,
    title: 'record with too many rows',
    meaning:
      'Some records have a row for each device at each multiple of an interval up to the end of the simulation, profiles a block. The interval is so short, or the simulation so long, that there would be more than 100,000,000. Nothing was written.',
    remedy: [
      'Make the interval that the message names longer.',
      'Or let the run stop earlier with `--until`: one that stalls lasts until its stop, and one that does not goes on for `BeaconReportInterval`.',
    ],
    advice: 'make the interval longer, or let the run stop earlier with --until',
  },
  TRANSFERS_NOT_RECORDED: {
    exitStatus: 2,
    title: 'a record of transfers of a run that kept none',
    meaning:
      'A caller of the library asks for `chakra-perf` or a timing report of a replay that did not log its transfers.',
    remedy: ['Replay with `recordTransfers: true`.'],
    advice: 'replay with recordTransfers',
  },
} satisfies Record<string, StopEntry>;
