import { readFileSync, readdirSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '../support/repository.js';
import type { BenchCase } from './bench-case.js';

/**
 * `npm run bench [-- words]`: every case of test/bench whose name holds one of the words, one warm-up and five
 * repetitions each, median with least and most.
 */
const REPETITIONS = 5;

const folder = new URL('.', import.meta.url);
const words = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };

const lines: string[] = [
  `chakra-prep ${version}, node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  'medians of 5 after one warm-up; rates and times are of CPU time',
  '',
  '| case | median | least … most | target | reached |',
  '| --- | ---: | ---: | ---: | --- |',
];
for (const line of lines) console.log(line);

for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.js') || file === 'run.js' || file === 'bench-case.js') continue;
  const { cases } = (await import(new URL(file, folder).href)) as { cases?: BenchCase[] };
  for (const item of cases ?? []) {
    if (words.length > 0 && !words.some((word) => item.name.includes(word))) continue;
    await item.run();
    const values: number[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition++) values.push(await item.run());
    values.sort((a, b) => a - b);
    console.log(row(item, values));
  }
}

function row({ name, unit, target }: BenchCase, values: readonly number[]): string {
  const median = values[REPETITIONS >> 1];
  const rate = unit.endsWith('/s');
  const reached = target === undefined ? '' : (rate ? median >= target : median <= target) ? 'yes' : 'no';
  const goal = target === undefined ? '' : `${rate ? '≥' : '≤'} ${short(target)}`;
  return `| ${name} | ${short(median)} ${unit} | ${short(values[0])} … ${short(values[REPETITIONS - 1])} | ${goal} | ${reached} |`;
}

function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e8 ? 0 : 1)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)} k`;
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
