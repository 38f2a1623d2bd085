import type { Finding } from '../../base/finding.js';
import type { JobForm } from '../../formats/conversion.js';
import { prefixOf } from '../prefix.js';
import { goalJob } from './goal-job.js';
import { readGoalBinary } from './read-binary.js';
import { readGoalText } from './read-text.js';

/** GOAL text as it is read (docs/converters.md). */
export const GOAL_TEXT: JobForm = {
  format: 'goal-text',
  options: [],
  open: (source) => {
    const findings: Finding[] = [];
    return goalJob(readGoalText(source, findings), prefixOf(source.name), findings);
  },
};

/** GOAL binary as it is read: the same job as from the text of the same schedule. */
export const GOAL_BINARY: JobForm = {
  format: 'goal-binary',
  options: [],
  open: (source) => {
    const findings: Finding[] = [];
    return goalJob(readGoalBinary(source, findings), prefixOf(source.name), findings);
  },
};
