import { finding } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { isAsStored } from '../stored-form.js';
import { compressed, namePattern, otherForm } from './files.js';

/** How files are named and stored (chakra-format sections 1, 3, 18). */
export const feederFileRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['FEEDER_FORMAT'], check: forms },
  { scope: 'rank', codes: ['FEEDER_FILE_NAME'], check: fileNames },
  { scope: 'rank', codes: ['FEEDER_GZIP'], check: (subject) => compressed(subject, 'FEEDER_GZIP') },
  { scope: 'rank', codes: ['FEEDER_EMPTY_FRAME'], check: emptyFrames },
];

/** Feeder JSON is a form of its own. */
export function isFeederJson({ stored }: RankSubject): boolean {
  return stored.format === 'feeder-json';
}

function forms(subject: RankSubject): Finding[] {
  return isFeederJson(subject) ? [] : otherForm(subject, 'FEEDER_FORMAT');
}

function fileNames(subject: RankSubject): Finding[] {
  const { rank, file } = subject.trace;
  const ending = isFeederJson(subject) ? '.json' : '.et';
  if (file === 'stdin' || file.endsWith(ending)) return [];
  const message = `rank ${rank}: the file is named ${namePattern(file, rank)}, expected a name that ends in ${ending}`;
  return [finding('FEEDER_FILE_NAME', message, subject.place)];
}

function emptyFrames(subject: RankSubject): Finding[] {
  if (!isAsStored(subject.stored)) return [];
  const { frameOffset, frameLength } = subject.trace;
  const found = subject.where((node) => frameOffset[node] >= 0 && frameLength[node] === 0);
  return subject.told(found, 'FEEDER_EMPTY_FRAME', 'node', 'of zero bytes');
}
