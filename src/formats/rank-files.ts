import { basename, dirname, join } from 'node:path';
import { byKey } from '../base/by-key.js';
import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { parseTraceFileName } from './trace-file-name.js';

type NamedFile = ReturnType<typeof parseTraceFileName> & { path: string };

/**
 * The file of each rank, ascending, and what the names have in common. What is missing, doubled or assumed is added to
 * `findings`.
 * @throws PrepError `PREFIXES_MIXED`, `RANK_UNNAMED` (exit status 2)
 */
export function rankFiles(
  paths: readonly string[],
  findings: Finding[],
): { prefix: string; files: { rank: number; path: string }[] } {
  const alone = paths.length === 1;
  const named = paths.map((path): NamedFile => ({ path, ...parseTraceFileName(basename(path), alone) }));
  const [{ prefix }] = named;
  if (named.some((file) => file.prefix !== prefix)) throw prefixesMixed(named);
  const byRank = new Map<number, string>();
  for (const { path, rank = rankOfUnnamed(path, paths, findings) } of named) {
    const earlier = byRank.get(rank);
    if (earlier === undefined) {
      byRank.set(rank, path);
    } else {
      const message = `rank ${rank} has two files: ${earlier} and ${path}; the first is used`;
      findings.push(finding('RANK_DOUBLED', message, { rank, file: path, files: [earlier, path] }));
    }
  }
  const files = [...byRank].map(([rank, path]) => ({ rank, path })).sort((left, right) => left.rank - right.rank);
  findings.push(...missingRanks(files));
  return { prefix, files };
}

function rankOfUnnamed(path: string, paths: readonly string[], findings: Finding[]): number {
  if (paths.length > 1) {
    const message = `${path} names no rank, and there are ${paths.length} files`;
    throw requestError('RANK_UNNAMED', message, 'name the files <prefix>.<rank>.et');
  }
  findings.push(finding('RANK_ASSUMED', `${path} names no rank: it is taken as rank 0`, { rank: 0, file: path }));
  return 0;
}

/** One finding that names every rank below the largest without a file. */
function missingRanks(files: readonly { rank: number; path: string }[]): Finding[] {
  const runs: string[] = [];
  let first: number | undefined;
  let count = 0;
  let expected = 0;
  for (const { rank } of files) {
    if (rank > expected) {
      first ??= expected;
      count += rank - expected;
      runs.push(rank - 1 === expected ? String(expected) : `${expected} to ${rank - 1}`);
    }
    expected = rank + 1;
  }
  if (first === undefined) return [];
  const shown = runs.length > 8 ? [...runs.slice(0, 8), '…'] : runs;
  const last = files[files.length - 1];
  const message =
    `rank${count === 1 ? '' : 's'} ${shown.join(', ')} ${count === 1 ? 'has' : 'have'} no file: ` +
    `the largest rank is ${last.rank} (${last.path}), expected ranks 0 to ${last.rank}`;
  return [finding('RANK_MISSING', message, { rank: first, count })];
}

function prefixesMixed(named: readonly NamedFile[]): Error {
  const byPrefix = byKey(named, ({ prefix }) => prefix);
  const described = [...byPrefix].map(([prefix, files]) => {
    const count = files.length === 1 ? '' : `, … ${files.length} files`;
    return `"${prefix}" (${files[0].path}${count})`;
  });
  const shown = described.length > 6 ? [...described.slice(0, 6), `… ${described.length} in all`] : described;
  const [[prefix, files]] = byPrefix;
  const choice = files.length === 1 ? files[0].path : join(dirname(files[0].path), prefix);
  return requestError(
    'PREFIXES_MIXED',
    `traces of more than one traceset: ${shown.join(', ')}`,
    `choose one, such as ${choice}`,
  );
}
