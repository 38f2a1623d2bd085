import { chakraCommCollectiveStats } from './chakra-comm-collective-stats.js';
import { chakraCompletionStats } from './chakra-completion-stats.js';
import { chakraPerf } from './chakra-perf.js';
import type { RecordFile } from './record.js';

/** Records that a run can write. */
export const RECORDS: readonly RecordFile[] = [chakraPerf, chakraCompletionStats, chakraCommCollectiveStats];
