/** What a file name says. */
export interface TraceFileName {
  /** Name without rank and endings: `job` of `job.3.et.gz`. */
  readonly prefix: string;
  /** `undefined` where the name has none. */
  readonly rank: number | undefined;
}

/** Endings of files that hold traces; each may be followed by `.gz`. */
export const TRACE_ENDINGS = ['et', 'eg', 'jsonl', 'json'] as const;

const ENDING = new RegExp(`\\.(${TRACE_ENDINGS.join('|')})$`, 'i');
// More digits are a time or a process number.
const RANK = '([0-9]{1,7})';
const DOTTED = new RegExp(`^(.+)\\.${RANK}$`);
const SPELLED = new RegExp(`^(.*?)[._-]?(rank)[._-]?${RANK}$`, 'i');
const TRAILING = new RegExp(`^(.+)[_-]${RANK}$`);
const BARE = new RegExp(`^${RANK}$`);

/**
 * Reads rank and prefix off a file name (chakra-format section 17): `<prefix>.<rank>.et` (so `allreduce_0.10.526.eg`
 * is rank 526), `rank3.et`, `job_rank_3.et`, and of several files `job_3.et`, `job-3.et` and `3.et` too.
 *
 * @param alone whether there is no other file: then only a number behind a dot or the word rank is a rank, because
 *   any other may mean anything
 */
export function parseTraceFileName(fileName: string, alone = false): TraceFileName {
  const stem = fileName.replace(/\.gz$/i, '').replace(ENDING, '');
  const spelled = SPELLED.exec(stem);
  if (spelled) return { prefix: spelled[1] || spelled[2], rank: Number(spelled[3]) };
  const dotted = DOTTED.exec(stem);
  if (dotted) return { prefix: dotted[1], rank: Number(dotted[2]) };
  if (alone) return { prefix: stem, rank: undefined };
  const trailing = TRAILING.exec(stem);
  if (trailing) return { prefix: trailing[1], rank: Number(trailing[2]) };
  const bare = BARE.exec(stem);
  if (bare) return { prefix: 'trace', rank: Number(bare[1]) };
  return { prefix: stem, rank: undefined };
}

/** The ending without `.gz`, in lower case; '' where the file has none of {@link TRACE_ENDINGS}. */
export function traceEnding(fileName: string): string {
  const ending = ENDING.exec(fileName.replace(/\.gz$/i, ''));
  return ending ? ending[1].toLowerCase() : '';
}
