/** What a file name says. */
export interface TraceFileName {
  /** Name without rank and endings: `job` of `job.3.et.gz`. */
  readonly prefix: string;
  /** `undefined` where the name has none. */
  readonly rank: number | undefined;
  /** Whether only the place of the number makes it a rank (`job_3.et`): in a file alone it may mean anything. */
  readonly weak: boolean;
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
 * is rank 526), `rank3.et`, `job_rank_3.et`, `job_3.et`, `job-3.et`, `3.et`.
 */
export function parseTraceFileName(fileName: string): TraceFileName {
  const stem = fileName.replace(/\.gz$/i, '').replace(ENDING, '');
  const spelled = SPELLED.exec(stem);
  if (spelled) return { prefix: spelled[1] || spelled[2], rank: Number(spelled[3]), weak: false };
  const dotted = DOTTED.exec(stem);
  if (dotted) return { prefix: dotted[1], rank: Number(dotted[2]), weak: false };
  const trailing = TRAILING.exec(stem);
  if (trailing) return { prefix: trailing[1], rank: Number(trailing[2]), weak: true };
  const bare = BARE.exec(stem);
  if (bare) return { prefix: 'trace', rank: Number(bare[1]), weak: true };
  return { prefix: stem, rank: undefined, weak: false };
}

/** The ending without `.gz`, in lower case; '' where the file has none of {@link TRACE_ENDINGS}. */
export function traceEnding(fileName: string): string {
  return ENDING.exec(fileName.replace(/\.gz$/i, ''))?.at(1)?.toLowerCase() ?? '';
}
