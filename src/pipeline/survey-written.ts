import { MemorySource, type ByteSource } from '../base/byte-source.js';
import { openTraceSource } from '../formats/open-source.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import { readTrace } from '../formats/read-trace.js';
import { PLAIN } from '../passes/validate/stored-form.js';
import type { ValidationSurvey } from '../passes/validate/survey.js';
import { surveyForValidation } from '../passes/validate/validate.js';

/** What `validate --for astra-sim` takes from one rank that was written: a file under a temporary name, or bytes. */
export function surveyWritten(written: string | Uint8Array, rank: number, file: string): ValidationSurvey {
  const source: ByteSource = typeof written === 'string' ? openTraceSource(written) : new MemorySource(written, file);
  try {
    const { trace, findings } = readTrace(source, { rank, file });
    const found = [...findings, ...groupsDeclaredIn(trace).findings];
    return surveyForValidation(trace, { deps: 'both', found, stored: PLAIN }, 'astra-sim');
  } finally {
    source.close();
  }
}
