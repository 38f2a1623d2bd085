import { entry, type CatalogueEntry } from './entry.js';

/** Files and ranks. */
export const FILE_CODES = {
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
  RANKS_DIFFER: entry(
    'warning',
    'ranks of different kinds',
    'One rank lacks what all others have, or has what none of them has.',
    'check that the files belong to one run',
  ),
} satisfies Record<string, CatalogueEntry>;
