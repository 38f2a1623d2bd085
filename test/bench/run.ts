import { readFileSync, readdirSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '../support/repository.js';
import type { BenchCase } from './bench-case.js';

/**
 * `npm run bench [-- words]`: the cases of test/bench, one warm-up and five repetitions each unless the case says otherwise,
 * median with least and most. Words that are names of files of test/bench choose these files, the others the cases whose
 * name holds one of them.
 */
const REPETITIONS = 5;

interface BenchFile {
  readonly cases?: BenchCase[];
  readonly notes?: string[];
  /** Lines on something else than time and memory. */
  readonly report?: (words: readonly string[]) => AsyncIterable<string>;
}

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.js') && file !== 'run.js')
  .map((file) => file.slice(0, -'.js'.length))
  .sort();
const chosen = process.argv.slice(2).filter((word) => files.includes(word));
const words = process.argv.slice(2).filter((word) => !files.includes(word));
const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };

const lines: string[] = [
  `chakra-prep ${version}, node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  'medians of 5 after one warm-up, where no other number of runs is told; rates and times are of CPU time',
  '',
  '| case | median | least … most | target | reached |',
  '| --- | ---: | ---: | ---: | --- |',
];
for (const line of lines) console.log(line);

const notes: string[] = [];
const reports: NonNullable<BenchFile['report']>[] = [];
for (const file of chosen.length > 0 ? chosen : files) {
  const module = (await import(new URL(`${file}.js`, folder).href)) as BenchFile;
  const cases = (module.cases ?? []).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const item of cases) console.log(row(item, valuesOf(item)));
  // What measures nothing is told only where it is asked for.
  if (chosen.length > 0 && module.report !== undefined) reports.push(module.report);
  if (cases.length > 0) notes.push(...(module.notes ?? []));
}
for (const report of reports) for await (const line of report(words)) console.log(line);
for (const note of notes) console.log(`\n${note}`);

/** Ascending. */
function valuesOf(item: BenchCase): number[] {
  if (item.runs === undefined) item.run();
  return Array.from({ length: item.runs ?? REPETITIONS }, () => item.run()).sort((a, b) => a - b);
}

function row({ name, unit, target, runs }: BenchCase, values: readonly number[]): string {
  const median = values[values.length >> 1];
  const rate = unit.endsWith('/s');
  const reached = target === undefined ? '' : (rate ? median >= target : median <= target) ? 'yes' : 'no';
  const goal = target === undefined ? '' : `${rate ? '≥' : '≤'} ${short(target)}`;
  const range = `${short(values[0])} … ${short(values[values.length - 1])}`;
  const spread = runs === 1 ? 'one run' : runs === undefined ? range : `${range} of ${runs}`;
  return `| ${name} | ${short(median)} ${unit} | ${spread} | ${goal} | ${reached} |`;
}

function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e8 ? 0 : 1)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)} k`;
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
