import type { RankTarget } from '../../formats/conversion.js';

/** Every form that holds one rank a file and is written, beside those of {@link TRACE_FORMS}. */
export const RANK_TARGETS: readonly RankTarget[] = [];

/** Forms that carry everything a trace says. */
export const TRACE_FORMS = ['et', 'et.gz', 'jsonl'] as const;
