import type { RankTarget } from '../../formats/conversion.js';
import { FEEDER_TARGET } from '../../formats/feeder-json/feeder-target.js';
import { JSONIZER_TARGET } from '../../formats/jsonizer/jsonizer-target.js';
import { STAGE_TARGET } from '../../formats/stage/stage-target.js';

/** Every form that holds one rank a file and is written, beside those of {@link TRACE_FORMS}. */
export const RANK_TARGETS: readonly RankTarget[] = [JSONIZER_TARGET, STAGE_TARGET, FEEDER_TARGET];

/** Forms that carry everything a trace says. */
export const TRACE_FORMS = ['et', 'et.gz', 'jsonl'] as const;
