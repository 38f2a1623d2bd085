import { GOAL_BINARY, GOAL_TEXT } from '../../exchange/goal/goal-forms.js';
import type { JobForm } from '../../formats/conversion.js';
import type { Format } from '../../formats/detect.js';
import { TEXT_WORKLOAD_FORM } from '../../workloads/text/text-workload-form.js';

/** Every form that holds a whole job and is read. */
export const JOB_FORMS: readonly JobForm[] = [TEXT_WORKLOAD_FORM, GOAL_TEXT, GOAL_BINARY];

/** The form of files of a format; `undefined` where such a file is no job. */
export function jobFormOf(format: Format): JobForm | undefined {
  return JOB_FORMS.find((form) => form.format === format);
}
