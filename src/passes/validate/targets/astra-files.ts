import { finding } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule, TracesetRule, TracesetSubject } from '../rule.js';
import { compressed, namePattern, otherForm, splitPath } from './files.js';

/** How files are named and stored (chakra-format sections 1, 3, 17, 19; astra-sim-semantics section 1). */
export const astraFileRules: readonly (RankRule | TracesetRule)[] = [
  { scope: 'rank', codes: ['ASTRA_FILE_NAME'], check: fileNames },
  { scope: 'rank', codes: ['ASTRA_GZIP'], check: (subject) => compressed(subject, 'ASTRA_GZIP') },
  { scope: 'rank', codes: ['ASTRA_SCHEMA'], check: (subject) => otherForm(subject, 'ASTRA_SCHEMA') },
  { scope: 'traceset', codes: ['ASTRA_FILE_NAME'], check: onePrefix },
  { scope: 'traceset', codes: ['ASTRA_ALONE'], check: oneRank },
];

/** Name of a rank that came through a pipe. */
const PIPE = 'stdin';

/** The file name without `.<rank>.et`; `undefined` where it is not named so. */
function prefixOf(file: string, rank: number): string | undefined {
  const ending = `.${rank}.et`;
  const { folder, name } = splitPath(file);
  return name.endsWith(ending) && name.length > ending.length ? folder + name.slice(0, -ending.length) : undefined;
}

function fileNames({ trace, place }: RankSubject): Finding[] {
  const { rank, file } = trace;
  if (file === PIPE || prefixOf(file, rank) !== undefined) return [];
  const message = `rank ${rank}: the file is named ${namePattern(file, rank)}, expected <prefix>.<rank>.et`;
  return [finding('ASTRA_FILE_NAME', message, place)];
}

/** All ranks behind one --workload-configuration. */
function onePrefix({ surveys }: TracesetSubject): Finding[] {
  const prefixes = new Map<string, number>();
  for (const { file, rank } of surveys) {
    const prefix = prefixOf(file, rank);
    if (prefix !== undefined && !prefixes.has(prefix)) prefixes.set(prefix, rank);
  }
  if (prefixes.size < 2) return [];
  const [[first, one], [second, other]] = prefixes;
  const message = `rank ${one} is ${first}.${one}.et and rank ${other} is ${second}.${other}.et, expected one prefix`;
  return [finding('ASTRA_FILE_NAME', message)];
}

function oneRank({ surveys, context }: TracesetSubject): Finding[] {
  if (context.worldSize > 1 || surveys.some(({ file }) => file === PIPE)) return [];
  return [finding('ASTRA_ALONE', 'the traceset has rank 0 only, expected two ranks or more')];
}
