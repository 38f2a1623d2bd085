/** What a code of an error that stops a command stands for. */
export interface StopEntry {
  /** 1 the traces have problems, 2 the request is wrong, 3 the input cannot be read. */
  readonly exitStatus: 1 | 2 | 3;
  readonly title: string;
  /** What to do, one line. */
  readonly advice: string;
}

/**
 * Every code that stops a command at once and is not the code of a finding. docs/errors.md has a row for each; a test
 * holds the two together.
 */
export const STOP_CODES = {
  // the traces have problems
  PREPARATION_REFUSED: stop(1, 'collectives do not fit together', 'see the findings printed before it'),
  SERIALIZE_DEADLOCK: stop(
    1,
    'the order of issue makes ranks wait in a circle',
    'issue the collectives in one order on all ranks, or use --no-serialize',
  ),
  TRACESET_INCOMPLETE: stop(1, 'not exactly one file a rank', 'add the missing files, or name one of the doubled'),
  TRACES_REFUSED: stop(1, 'the traces have errors', 'see the findings printed before it; validate lists all'),
  WARNING_ABORTS: stop(1, 'a warning, and AbortOnChakraWarning is set', 'mend what is warned of, or unset it'),
  ID_SPACE: stop(1, 'no ids left above the largest of a rank', 'give the nodes smaller ids'),
  COLLECTIVES_RAW: stop(2, 'raw collectives on a network with contention', 'expand the traces first'),
  // the request is wrong
  ALGORITHM_UNKNOWN: stop(2, 'unknown collective algorithm', 'use one of those listed'),
  ASSUMPTION_UNKNOWN: stop(2, 'unknown convention or value behind --assume', 'use one of those listed'),
  BANDWIDTH_MALFORMED: stop(2, 'bandwidth cannot be read', 'write a number and a unit, such as 50GB/s'),
  CODE_UNKNOWN: stop(2, 'explain: no such code', 'see docs/errors.md for all'),
  COLLECTIVE_UNKNOWN: stop(2, 'unknown collective', 'use one of those listed'),
  COMMAND_UNKNOWN: stop(2, 'unknown command', 'use one of those listed'),
  CONFIG_INVALID: stop(2, 'run configuration with a wrong attribute or value', 'see schemas/run-config.schema.json'),
  CONFIG_UNREADABLE: stop(2, 'run configuration cannot be read', 'check the path'),
  FEEDER_CLOSED: stop(2, 'a feeder was used after it was closed', 'close it behind the last use'),
  FEEDER_NODE_ABSENT: stop(2, 'the feeder has no such node', 'ask for a node that was read and not removed'),
  FEEDER_NODE_STATE: stop(2, 'a node of the feeder is not at that step', 'issue, then free, then remove'),
  FEEDER_WINDOW: stop(2, 'number of nodes in a window cannot be used', 'use a whole number from 1, or Infinity'),
  INPUT_MIXED: stop(2, 'stdin beside other inputs', 'name either - or files'),
  MAPPING_MALFORMED: stop(2, 'mapping file with a wrong line or value', 'correct the line named; see docs/mapping.md'),
  MAPPING_MISSING: stop(
    2,
    'UseMapping is true and no mapping file is named',
    'name one with --mapping, or leave UseMapping out',
  ),
  MAPPING_RANK_COUNT: stop(2, 'mapping file and traceset differ in ranks', 'place exactly the ranks of the traceset'),
  MAPPING_UNREADABLE: stop(2, 'mapping file cannot be read', 'check the path'),
  NETWORK_MALFORMED: stop(2, 'network description with a wrong key or value', 'see docs/simulate.md'),
  NETWORK_MISSING: stop(2, 'no network named', 'name one with --network; none is assumed'),
  NETWORK_SIZE: stop(2, 'network and traceset differ in size', 'give the network as many NPUs as there are ranks'),
  NETWORK_UNKNOWN: stop(2, 'unknown kind of network', 'use a file or alpha-beta:latency=1us,bandwidth=50GB/s'),
  NETWORK_UNREADABLE: stop(2, 'network file cannot be read', 'check the path'),
  NIC_KINDS_MIXED: stop(2, 'servers with NICs of different kinds', 'give all servers one kind of NIC'),
  OPTION_MISSING: stop(2, 'a required option is missing', 'add the option named'),
  OUTPUT_AMBIGUOUS: stop(2, 'more than one thing for one output', 'choose one rank with --only, or write to a folder'),
  OUTPUT_IS_INPUT: stop(2, 'the output folder is the input folder', 'name another folder with -o'),
  PREFIXES_MIXED: stop(2, 'files of more than one traceset', 'name one prefix'),
  RANKS_MALFORMED: stop(2, 'ranks cannot be read', 'write ranks such as 3 or 0,4-7'),
  RANK_ABSENT: stop(2, 'no such rank', 'name a rank of the traceset'),
  RANK_COUNT: stop(2, 'NumOfChakraFiles differs from the files found', 'correct the number or the input'),
  RANK_UNNAMED: stop(2, 'a file among several names no rank', 'name the files <prefix>.<rank>.et'),
  SCALE_OUT_OF_RANGE: stop(2, 'scaling factor outside 0 … 1', 'use a factor from 0 to 1'),
  SERVER_COUNT: stop(
    2,
    'network and traceset differ in servers and ranks',
    'give the network as many servers as there are ranks, or use --allow-extra-servers',
  ),
  SERVER_UNKNOWN: stop(
    2,
    'mapping file names a server the network does not have',
    'name a server of the network that has a NIC',
  ),
  SIZE_MALFORMED: stop(2, 'size cannot be read', 'write whole bytes with a unit, such as 4KiB'),
  STDIN_ABSENT: stop(2, 'no stdin to read', 'pipe a trace into the command'),
  STOP_BEFORE_START: stop(2, 'the run stops before its ranks start', 'use an --until after StartTime'),
  THREADS_MALFORMED: stop(2, 'number of threads cannot be read', 'use a whole number from 1'),
  TIME_MALFORMED: stop(2, 'time cannot be read', 'write a number and a unit, such as 1.5us'),
  TIME_TOO_LARGE: stop(2, 'time above 2^53 ps', 'use a time below 9007 s'),
  TRANSFERS_NOT_RECORDED: stop(2, 'a record of transfers of a run that kept none', 'replay with recordTransfers'),
  USAGE: stop(2, 'the command line cannot be read', 'chakra-prep <command> --help lists the options'),
  // the input cannot be read
  FILE_TOO_LARGE: stop(3, 'file too large for the form it is in', 'convert it to .et first'),
  FILE_UNREADABLE: stop(3, 'file cannot be read', 'check the path and its permissions'),
  GZIP_BROKEN: stop(3, 'gzip content cannot be unpacked', 'copy or pack the file again'),
  INPUT_NOT_FOUND: stop(3, 'no such file, folder, glob or prefix', 'check the path'),
  JSON_LINES_MALFORMED: stop(3, 'a JSON line cannot be read', 'correct the line named'),
  JSON_MALFORMED: stop(3, 'JSON cannot be read', 'write the file again'),
  NO_TRACES: stop(3, 'no traces there', 'name a folder, glob, prefix or files that hold traces'),
  OUTPUT_UNWRITABLE: stop(3, 'output cannot be written', 'check the folder and the free space'),
} satisfies Record<string, StopEntry>;

export type StopCode = keyof typeof STOP_CODES;

function stop(exitStatus: 1 | 2 | 3, title: string, advice: string): StopEntry {
  return { exitStatus, title, advice };
}
