import type { JobTarget, RankTarget } from '../../formats/conversion.js';
import type { OutputFormat } from '../write-ranks.js';
import { JOB_TARGETS } from './job-targets.js';
import { RANK_TARGETS, TRACE_FORMS } from './rank-targets.js';

/** What a conversion writes. */
export type OutputForm =
  | { readonly kind: 'trace'; readonly format: OutputFormat }
  | { readonly kind: 'rank'; readonly target: RankTarget }
  | { readonly kind: 'job'; readonly target: JobTarget };

/** Names that `--to` knows. */
export const OUTPUT_FORMS: readonly string[] = [
  ...TRACE_FORMS,
  ...[...RANK_TARGETS, ...JOB_TARGETS].map(({ name }) => name),
];

/** The form of one of these names. */
export function outputForm(name: string): OutputForm {
  const format = TRACE_FORMS.find((form) => form === name);
  if (format !== undefined) return { kind: 'trace', format };
  const rank = RANK_TARGETS.find((target) => target.name === name);
  if (rank !== undefined) return { kind: 'rank', target: rank };
  const job = JOB_TARGETS.find((target) => target.name === name);
  if (job !== undefined) return { kind: 'job', target: job };
  throw new RangeError(`no form is called ${name}`);
}

/** What a message calls a form. */
export function titleOf(form: OutputForm): string {
  return form.kind === 'trace' ? form.format : form.target.title;
}
