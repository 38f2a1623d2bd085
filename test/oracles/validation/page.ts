import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REPOSITORY } from '../../support/repository.js';
import { deviation, digits, verdict, type Experiment, type Figure } from './experiments/figure.js';

/** docs/validation.md: a section for each experiment, with what came out. */

const PAGE = join(REPOSITORY, 'docs', 'validation.md');

/** What the page says under the heading of an experiment. @param path of the file that runs it */
export function sectionOf({ what }: Experiment, figures: readonly Figure[], path: string): string {
  return [
    `${what[0].toUpperCase()}${what.slice(1)}.`,
    `[${basename(path, '.ts')}](../${path})`,
    '',
    '| figure | expected | got | deviation | tolerance | verdict |',
    '| --- | ---: | ---: | ---: | --- | --- |',
    ...figures.map(rowOf),
  ].join('\n');
}

/** A line of a table. */
export function rowOf(each: Figure): string {
  const { what, unit, expected, got } = each;
  const inUnit = (text: string): string => (unit === '' ? text : `${text} ${unit}`);
  const cells = [what, inUnit(expected.text), inUnit(digits(got)), deviation(each), expected.tolerance, verdict(each)];
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
}

/** The text under the heading `### id`, up to the next heading. */
export function sectionOnPage(id: string): string {
  const { section } = placeOnPage(id);
  return section.trim();
}

/** Puts a section in the place of the one that the page has. Other processes must not write the page at the same time. */
export function takeOver(id: string, text: string): void {
  const { before, after } = placeOnPage(id);
  writeFileSync(PAGE, `${before}\n${text}\n\n${after}`);
}

function placeOnPage(id: string): { before: string; section: string; after: string } {
  const page = readFileSync(PAGE, 'utf8');
  const heading = `\n### ${id}\n`;
  const start = page.indexOf(heading) + heading.length;
  if (start < heading.length) throw new Error(`docs/validation.md has no heading ### ${id}`);
  const next = page.slice(start).search(/^#/m);
  const end = next < 0 ? page.length : start + next;
  return { before: page.slice(0, start), section: page.slice(start, end), after: page.slice(end) };
}
