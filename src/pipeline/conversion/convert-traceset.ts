import { FORMATS } from '../../formats/detect.js';
import type { ConversionInput } from './conversion-input.js';
import { demandOptionsTaken, givenOptions } from './conversion-options.js';
import type { ConversionReport, ConversionRequest } from './conversion-request.js';
import { convertFilesToJob, convertFilesToRanks } from './convert-files.js';
import { convertMadeToJob, convertMadeToRanks } from './convert-made.js';
import { outputForm, titleOf } from './output-form.js';

/**
 * Converts a traceset into a form of another program, or a file that holds a whole job into traces or another form. What
 * the output cannot carry is among the findings. Nothing is left behind when anything fails.
 *
 * A traceset in a form that carries everything is `prepareTraceset` without a step.
 * @throws PrepError when the input cannot be read, the request is wrong, or the traces have errors
 */
export async function convertTraceset(
  request: ConversionRequest,
  { job, stdin }: ConversionInput,
): Promise<ConversionReport> {
  const form = outputForm(request.to);
  demandOptionsTaken(
    givenOptions(request),
    { title: job === undefined ? 'a traceset' : FORMATS[job.form.format].name, options: job?.form.options ?? [] },
    { title: titleOf(form), options: form.kind === 'job' ? form.target.options : [] },
  );
  if (job !== undefined) {
    return form.kind === 'job' ? convertMadeToJob(request, job, form.target) : convertMadeToRanks(request, job, form);
  }
  const reading = stdin === undefined ? request : { ...request, stdin };
  if (form.kind === 'job') return convertFilesToJob(reading, form.target);
  if (form.kind === 'rank') return convertFilesToRanks(reading, form.target);
  throw new RangeError(`${form.format} carries everything: a traceset is written in it by prepareTraceset`);
}
