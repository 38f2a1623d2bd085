import type { ByteSource } from '../../base/byte-source.js';
import type { ConversionOptions, JobForm } from '../../formats/conversion.js';
import type { Format } from '../../formats/detect.js';
import type { MadeJob } from '../../formats/made-job.js';
import { openTraceSource, sourceFromBytes } from '../../formats/open-source.js';
import { jobFormOf } from './job-forms.js';

/** A file of a whole job and what it is opened with: plain data, so that a worker thread can open it again. */
export interface MadeFile {
  readonly format: Format;
  /** `-` for stdin. */
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly options: Omit<ConversionOptions, 'startNs'>;
}

/**
 * Opens it.
 * @throws PrepError what its form throws, and `FILE_UNREADABLE`, `GZIP_BROKEN` (exit status 3)
 */
export function openMadeJob({ path, bytes, options }: MadeFile, form: JobForm): MadeJob {
  const source: ByteSource = bytes === undefined ? openTraceSource(path) : sourceFromBytes(bytes, 'stdin');
  try {
    return form.open(source, options);
  } finally {
    // A source that was closed opens again when it is read, for a form that reads on while ranks are written.
    source.close();
  }
}

/** The job that this thread opened last: a worker is given its ranks in several pieces. */
let last: { readonly token: string; readonly job: MadeJob } | undefined;

/** @param token the same for every piece of one conversion, and for no other */
export function openMadeJobOnce(token: string, file: MadeFile): MadeJob {
  if (last?.token !== token) last = { token, job: openMadeJob(file, jobFormOf(file.format)!) };
  return last.job;
}
