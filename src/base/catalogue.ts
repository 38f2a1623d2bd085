import type { Finding, Severity } from './finding.js';

/** What a code stands for. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** What is wrong, as a heading. */
  readonly title: string;
  /** What it means for a simulation, in one or two sentences. */
  readonly meaning: string;
  /** What to do, one line. */
  readonly advice: string;
}

/** Every code a finding can have. docs/errors.md has a row for each; a test holds the two together. */
export const CATALOGUE = {
  // files and ranks
  FILE_EMPTY: entry(
    'error',
    'empty file',
    'The file has no bytes, not even a metadata frame.',
    'write the trace again',
  ),
  FRAME_TRUNCATED: entry(
    'error',
    'file cut short',
    'The last frame announces more bytes than the file has.',
    'copy or write the file again',
  ),
  FRAME_MALFORMED: entry(
    'error',
    'not a Chakra frame',
    'A frame cannot be decoded as protobuf.',
    'check that the file is a Chakra trace',
  ),
  WRONG_KIND: entry(
    'error',
    'another kind of file',
    'The file is not a Chakra trace of the form this command reads.',
    'see docs/formats.md for what is read',
  ),
  RANK_MISSING: entry(
    'error',
    'missing rank',
    'Ranks must be 0 … R−1; collectives of a missing rank never complete.',
    'add the file of that rank',
  ),
  RANK_DOUBLED: entry('error', 'doubled rank', 'Two files claim one rank.', 'name only one of them'),
  RANK_ASSUMED: entry(
    'note',
    'rank not in the file name',
    'The only file given names no rank; it is taken as rank 0.',
    'name the file <prefix>.<rank>.et where that is not meant',
  ),
  FILE_SKIPPED: entry(
    'note',
    'file is no trace',
    'The file was left out of the traceset.',
    'nothing to do where that is meant',
  ),
  GROUP_FILE_FOUND: entry(
    'note',
    'process group file found',
    'The file lies beside the traces and is used.',
    'name another with --groups where that is not meant',
  ),
  SCHEMA_CONVERTED: entry(
    'note',
    'older schema converted',
    'The file has an older schema; its nodes were converted.',
    'write it once with `convert` to be done with it',
  ),
  SCHEMA_MIXED: entry(
    'warning',
    'mixed schema versions',
    'The ranks were written by different versions of a producer.',
    'make sure they are of one run',
  ),
  FEEDER_KEY_MISSING: entry(
    'warning',
    'key missing in feeder JSON',
    'The value is absent; nothing is put in its place.',
    'check the producer of the trace',
  ),
  FEEDER_KEY_UNREAD: entry(
    'note',
    'key of feeder JSON not read',
    'The key has no meaning here; writing the trace leaves it out.',
    'nothing to do where that is meant',
  ),
  // nodes
  DUPLICATE_ID: entry(
    'error',
    'duplicate node id',
    'Two nodes of a rank have one id; dependencies on it are ambiguous.',
    'give every node an id of its own',
  ),
  NODE_TYPE_UNKNOWN: entry(
    'warning',
    'unknown node type',
    'The node is kept on conversion and refused by `simulate`.',
    'write the type with schema 0.0.4',
  ),
  NODE_TYPE_INVALID: entry(
    'warning',
    'node of type INVALID',
    'A node without a type does nothing.',
    'check the producer of the trace',
  ),
  NO_INITIAL_NODE: entry(
    'error',
    'nothing can start',
    'Every node of the rank waits for another one.',
    'look at the cycles reported for the rank',
  ),
  NODES_NEVER_START: entry(
    'warning',
    'nodes that can never start',
    'They are in a dependency cycle or behind one; the rank never ends.',
    'look at the cycles reported for the rank',
  ),
  NO_NODES: entry(
    'warning',
    'trace without nodes',
    'The rank does nothing and ends at once.',
    'check the producer of the trace',
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
  // attributes
  ATTRIBUTE_ARM: entry(
    'warning',
    'attribute in another oneof arm',
    'Other readers take the value as 0.',
    'any command that writes the trace writes the usual arm',
  ),
  ATTRIBUTE_NOT_NUMBER: entry(
    'warning',
    'attribute is not an integer',
    'The value is not used.',
    'write it as an integer',
  ),
  NUMBER_TOO_LARGE: entry(
    'error',
    'number above 2^53',
    'Sizes, tags and durations above 2^53 are refused.',
    'check the unit',
  ),
  COMM_SIZE_MISSING: entry(
    'warning',
    'comm_size is missing',
    'A collective without a size is not expanded; a send or receive counts 0 bytes.',
    'add comm_size (bytes)',
  ),
  COMM_SIZE_ZERO: entry(
    'warning',
    'comm_size is 0',
    'The communication takes only latency.',
    'check the producer: old files hold the size in another oneof arm',
  ),
  COMM_TYPE_MISSING: entry(
    'warning',
    'comm_type is missing',
    'The collective is not expanded and takes no time.',
    'add comm_type',
  ),
  COMM_TYPE_UNKNOWN: entry(
    'warning',
    'comm_type is not known',
    'The collective is not expanded and takes no time.',
    'use one of the types 0 … 9',
  ),
  COMM_ON_CPU: entry(
    'warning',
    'communication marked as CPU operation',
    'ASTRA-sim refuses such nodes.',
    'mark communication on the device side only',
  ),
  DURATIONS_ABSENT: entry(
    'note',
    'compute without durations',
    'Every compute node takes no time.',
    'add durations, or read the result as communication time only',
  ),
  // process groups
  GROUP_UNDECLARED: entry(
    'error',
    'process group is not declared',
    'Who takes part in the collective is unknown.',
    'declare it with --groups comm_group.json',
  ),
  GROUP_INFERRED: entry(
    'warning',
    'process group taken from its use',
    'The members are the ranks that use the name.',
    'declare it with --groups comm_group.json',
  ),
  GROUP_WORLD: entry(
    'note',
    'no process group named',
    'The collective runs over all ranks.',
    'set pg_name where that is not meant',
  ),
  GROUP_EMPTY: entry('error', 'process group without members', 'A collective of it can never run.', 'list its ranks'),
  GROUP_MEMBER_TWICE: entry(
    'error',
    'rank twice in a group',
    'Positions in the group are ambiguous.',
    'list each rank once',
  ),
  GROUP_MEMBER_OUT_OF_RANGE: entry(
    'error',
    'group member outside the job',
    'There is no trace for that rank.',
    'check the group file against the traceset',
  ),
  GROUP_CONFLICT: entry(
    'error',
    'group declared differently',
    'One name stands for two lists of ranks.',
    'make the declarations agree',
  ),
  GROUP_MALFORMED: entry(
    'error',
    'group declaration cannot be read',
    'The declaration is not the JSON or Python text expected.',
    'correct the declaration',
  ),
  GROUP_CUT: entry(
    'warning',
    'group declaration cut off',
    'The recorder cut the text off; the groups after the cut are not known.',
    'declare the groups with --groups comm_group.json',
  ),
  GROUP_SINGLE: entry(
    'note',
    'group of one member',
    'Its collectives move no bytes.',
    'nothing to do where that is meant',
  ),
  RANK_OUTSIDE_GROUP: entry(
    'warning',
    'collective on a rank outside its group',
    'It is not expanded on that rank and takes no time.',
    'check pg_name and the group',
  ),
  // collectives across ranks
  COLLECTIVE_COUNT: entry(
    'error',
    'participants missing',
    'The members of a group have different numbers of collectives.',
    'find the rank that lost or repeated one',
  ),
  COLLECTIVE_TYPE: entry(
    'error',
    'types disagree',
    'Members run different collectives at the same place.',
    'check the order of the collectives on each rank',
  ),
  COLLECTIVE_SIZE: entry(
    'warning',
    'sizes disagree',
    'The largest size is used by all members.',
    'check comm_size on each rank',
  ),
  COLLECTIVE_ROOT: entry('error', 'roots disagree', 'Members name different root ranks.', 'make them agree'),
  ROOT_NOT_MEMBER: entry(
    'error',
    'root outside the group',
    'The root rank is not a member of the group.',
    'name a member',
  ),
  ROOT_ASSUMED: entry(
    'note',
    'root not named',
    "The root other members name is used, or the group's first rank.",
    'set root on every member',
  ),
  PREPARED_PARTLY: entry(
    'error',
    'pass ran on some members only',
    'A collective was expanded or synchronized on some members of its group and not on others.',
    'run the pass over the whole traceset',
  ),
  PASS_RAN: entry(
    'note',
    'pass ran already',
    'The traces name the pass in their metadata; it is not applied twice.',
    'nothing to do',
  ),
  ALGORITHM_GROUP_SIZE: entry(
    'error',
    'algorithm does not fit the group',
    'halving and halving-doubling need a power of two.',
    'choose another algorithm or group',
  ),
  SPLITS_DISAGREE: entry(
    'error',
    'split lists disagree',
    'What one rank sends is not what the other expects.',
    'check both lists',
  ),
  COLLECTIVE_UNEXPANDED: entry(
    'warning',
    'collective left unexpanded',
    'It takes no time and is counted nowhere (R-129).',
    'prepare the traces, or replay them raw with a plan',
  ),
  SPLITS_MISSING: entry(
    'warning',
    'split list missing on some members',
    'These members send the same number of bytes to every position.',
    'state the list on every member',
  ),
  ORDER_ABSENT: entry(
    'note',
    'no issue order recorded',
    'The collectives of the group are not chained.',
    'record issue_order, or use --order ids',
  ),
  SCALED_BEFORE_EXPANSION: entry(
    'warning',
    'scaled before expansion',
    'The size of a collective was scaled, not its transfers; each transfer is then rounded up.',
    'expand first, or use `prepare --scale`',
  ),
  ORDER_PARTIAL: entry(
    'warning',
    'issue order recorded on some members only',
    'Pairing falls back to ascending ids and nothing is chained.',
    'record issue_order on all members or none',
  ),
  TAG_WIDE: entry(
    'warning',
    'tags above 2^31 − 1',
    'comm_tag is written as int64, which one public reader takes as 0.',
    'prepare fewer collectives in one traceset',
  ),
  WAIT_CYCLE: entry(
    'error',
    'ranks wait for each other in a circle',
    'The job stalls.',
    'issue the collectives in one order on all ranks',
  ),
  // point to point
  PEER_MISSING: entry(
    'error',
    'partner rank is missing',
    'A send or receive without a partner cannot run.',
    'add comm_dst or comm_src',
  ),
  PEER_OUT_OF_RANGE: entry(
    'error',
    'partner outside the job',
    'There is no trace for that rank.',
    'check comm_dst and comm_src',
  ),
  PEER_SELF: entry('warning', 'rank sends to itself', 'The transfer takes no time.', 'check comm_dst'),
  RECEIVE_UNMATCHED: entry(
    'error',
    'receive that nobody sends to',
    'It never finishes.',
    'check tag, sender and receiver',
  ),
  SEND_UNMATCHED: entry(
    'warning',
    'send that nobody receives',
    'The bytes arrive and are never claimed.',
    'check tag, sender and receiver',
  ),
  TRANSFER_SIZE: entry(
    'warning',
    'sizes differ at the two ends',
    'The size of the send counts.',
    'check comm_size on both ends',
  ),
  // configuration and placement
  SETTING_UNUSED: entry(
    'note',
    'setting without effect',
    'Another setting makes this one count for nothing.',
    'leave one of the two out',
  ),
  MAPPING_IGNORED: entry(
    'note',
    'mapping file not used',
    'UseMapping is false: ranks are placed in order, without scale-up groups.',
    'leave UseMapping out, or the mapping file',
  ),
  MAPPING_GROUP_UNUSED: entry(
    'warning',
    'scale-up group without ranks',
    'The mapping file gives parameters to a group that no rank is in.',
    'drop the line, or name the group on the ranks it is meant for',
  ),
} satisfies Record<string, CatalogueEntry>;

export type FindingCode = keyof typeof CATALOGUE;

/** A finding with the severity and advice of its code; `facts` may replace both. */
export function finding(code: FindingCode, message: string, facts: Partial<Finding> = {}): Finding {
  const { severity, advice } = CATALOGUE[code];
  return { code, severity, message, advice, ...facts };
}

function entry(severity: Severity, title: string, meaning: string, advice: string): CatalogueEntry {
  return { severity, title, meaning, advice };
}
