import { Readable } from 'node:stream';
import { PrepError } from '../../base/errors.js';
import { kindOf } from '../../formats/candidates.js';
import type { JobForm } from '../../formats/conversion.js';
import { detectFormat } from '../../formats/detect.js';
import { sourceFromBytes } from '../../formats/open-source.js';
import { detectFile } from '../../formats/sniff.js';
import type { Reading } from '../open-traceset.js';
import { jobFormOf } from './job-forms.js';

/** A file that holds a whole job. */
export interface JobFile {
  readonly form: JobForm;
  /** `-` for stdin. */
  readonly path: string;
  /** What came through stdin. */
  readonly bytes?: Uint8Array;
}

/** What the input of a conversion is: one file of a whole job, or else a traceset, which is opened as everywhere. */
export interface ConversionInput {
  readonly job?: JobFile;
  /** Where `-` is read from, when stdin had to be looked at. */
  readonly stdin?: Readable;
}

/**
 * Looks whether the input is one file of a form that holds a whole job. What cannot be read is left to whoever opens it as
 * a traceset, so that there is one message for it.
 */
export async function conversionInput({ inputs, stdin }: Pick<Reading, 'inputs' | 'stdin'>): Promise<ConversionInput> {
  const [path] = inputs;
  if (inputs.length !== 1) return stdin === undefined ? {} : { stdin };
  if (path === '-') return stdin === undefined ? {} : fromPipe(stdin);
  const form = (await kindOf(path)) === 'file' ? formOfFile(path) : undefined;
  return { ...(form === undefined ? {} : { job: { form, path } }), ...(stdin === undefined ? {} : { stdin }) };
}

async function fromPipe(stdin: Readable): Promise<ConversionInput> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Uint8Array);
  const bytes = Buffer.concat(chunks);
  const again = Readable.from(bytes.length === 0 ? [] : [bytes]);
  try {
    const form = jobFormOf(detectFormat(sourceFromBytes(bytes, 'stdin')).format);
    return { stdin: again, ...(form === undefined ? {} : { job: { form, path: '-', bytes } }) };
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    return { stdin: again };
  }
}

function formOfFile(path: string): JobForm | undefined {
  try {
    return jobFormOf(detectFile(path));
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    return undefined;
  }
}
