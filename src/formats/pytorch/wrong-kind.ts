import type { ByteSource } from '../../base/byte-source.js';
import { inputError, type PrepError } from '../../base/errors.js';
import { detectFormat, FORMATS, type Format } from '../detect.js';
import { JsonSyntaxError } from '../json-scan.js';

/** What to give in place of a file of another kind, where more can be said than what that file is. */
const ADVICE: Partial<Record<Format, Partial<Record<Format, string>>>> = {
  'pytorch-host-json': {
    'linked-json':
      'give the host trace and the device trace that it was made from: linking starts from those two, and what it adds would be lost',
    'kineto-json': 'it belongs behind --device; the host trace is what ExecutionTraceObserver writes',
    'chakra-et': 'it needs no linking: it is what linking makes',
  },
  'kineto-json': {
    'linked-json': 'give the device trace that it was made from, and the host trace: linking starts from those two',
    'pytorch-host-json': 'it belongs behind --host; the device trace is what the PyTorch profiler writes',
    'chakra-et': 'it needs no linking: it is what linking makes',
  },
};

/** The error for a file that is not of the kind that was asked for. */
export function wrongKind(source: ByteSource, file: string, expected: Format, found?: Format): PrepError {
  const format = found ?? detectFormat(source).format;
  if (format === 'empty')
    return inputError('FILE_EMPTY', `${file}: the file is empty, expected ${FORMATS[expected].name}`);
  const { name, about } = FORMATS[format];
  return inputError(
    'WRONG_KIND',
    `${file} is ${name}, expected ${FORMATS[expected].name}`,
    ADVICE[expected]?.[format] ?? about,
  );
}

/**
 * The error for what a reader threw: text that is no JSON, in a file of the kind or in one that was never it.
 * @param place where the reader was, as in "node 3 of the list, "; '' before it was sure of the kind
 */
export function readingProblem(
  error: unknown,
  source: ByteSource,
  file: string,
  expected: Format,
  place: string,
): unknown {
  if (!(error instanceof JsonSyntaxError)) return error;
  if (place === '') {
    const { format } = detectFormat(source);
    // Text that begins as JSON and goes wrong early is of no known kind; where it goes wrong says more.
    const early = format === 'other-json' || (format === 'unknown' && beginsAsJson(source));
    if (format !== expected && !early) return wrongKind(source, file, expected, format);
  }
  return inputError(
    'JSON_MALFORMED',
    `${file}: ${place}byte ${error.offset}: ${error.message}`,
    'copy the file again, or record it anew: recorders that are killed leave the end out',
  );
}

function beginsAsJson(source: ByteSource): boolean {
  const beginning = Buffer.from(source.read(0, Math.min(64, source.length))).toString('utf8');
  return /^\ufeff?\s*[[{]/.test(beginning);
}
