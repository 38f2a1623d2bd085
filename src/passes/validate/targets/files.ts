import { finding, type FindingCode } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import type { RankSubject } from '../rank-subject.js';
import { CURRENT_SCHEMA, isAsStored } from '../stored-form.js';

const FORMS: Readonly<Record<string, string>> = {
  'chakra-jsonl': 'JSON lines',
  'feeder-json': 'feeder JSON',
  'stage-json': 'STAGE JSON',
  'jsonizer-json': 'protobuf JSON of chakra_jsonizer',
};

/** A file that is not protobuf of schema 0.0.4. */
export function otherForm(subject: RankSubject, code: FindingCode): Finding[] {
  if (isAsStored(subject.stored)) return [];
  const { format, schema } = subject.stored;
  const form = FORMS[format] ?? `protobuf of schema ${schema}`;
  const message = `rank ${subject.trace.rank}: the file is ${form}, expected protobuf of schema ${CURRENT_SCHEMA}`;
  return [finding(code, message, subject.place)];
}

export function compressed(subject: RankSubject, code: FindingCode): Finding[] {
  if (!subject.stored.gzip) return [];
  return [finding(code, `rank ${subject.trace.rank}: the file is gzip, expected a plain one`, subject.place)];
}

/** The part of a path behind its last folder, and the folder with its slash. */
export function splitPath(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

/** The name of a rank's file with `<rank>` for the number, so that ranks named alike are told in one line. */
export function namePattern(file: string, rank: number): string {
  return splitPath(file).name.replace(new RegExp(`(^|[^0-9])${rank}(?![0-9])(?!.*[^0-9]${rank}(?![0-9]))`), '$1<rank>');
}
