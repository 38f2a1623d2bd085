import { rankRuns } from '../base/rank-runs.js';
import { grouped } from '../base/text-table.js';
import { countFindings, type Finding, type Severity } from '../base/finding.js';
import type { Printer } from './io.js';

/** Lines shown of one code; the rest is counted. */
const SHOWN_PER_CODE: Readonly<Record<Severity, number>> = { error: 12, warning: 8, note: 3 };
/** Pieces of advice shown of one code. A note asks for nothing to be done; `explain` tells what can be. */
const ADVICE_PER_CODE: Readonly<Record<Severity, number>> = { error: 2, warning: 2, note: 0 };

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Prints findings for a person: errors first, what several ranks have in common in one line, advice once a code. Warnings
 * beyond the printer's limit are held back and counted in one line.
 */
export function printFindings(findings: readonly Finding[], printer: Printer): void {
  for (const severity of ORDER) {
    if (!printer.shows(severity)) continue;
    const byCode = new Map<string, Finding[]>();
    const found = findings.filter((finding) => finding.severity === severity);
    const shown = severity === 'warning' ? printer.admitWarnings(found.length) : found.length;
    for (const finding of found.slice(0, shown)) {
      const same = byCode.get(finding.code);
      if (same) same.push(finding);
      else byCode.set(finding.code, [finding]);
    }
    for (const [code, same] of byCode) printCode(code, same, severity, printer);
    if (shown < found.length) {
      const heldBack = plural(found.length - shown, 'warning');
      printer.say(
        `${heldBack} held back: MaxCountWarningsLoggedPerInstance is ${grouped(printer.maxWarnings)}`,
        severity,
      );
    }
  }
}

function printCode(code: string, same: readonly Finding[], level: Severity, printer: Printer): void {
  const lines = folded(same);
  for (const line of lines.slice(0, SHOWN_PER_CODE[level]))
    printer.say(`${printer.severity(level)} ${code}: ${line}`, level);
  const more = lines.length - SHOWN_PER_CODE[level];
  if (more > 0) printer.say(`  … and ${more} more ${code}; --json lists all`, level);
  const advice = [...new Set(same.map((finding) => finding.advice).filter((line) => line !== undefined))];
  for (const line of advice.slice(0, ADVICE_PER_CODE[level])) printer.say(`  advice: ${line}`, level);
}

/** One line a message; findings of several ranks that say the same become one. */
function folded(findings: readonly Finding[]): string[] {
  const byMessage = new Map<string, Finding[]>();
  for (const finding of findings) {
    const message = withoutRank(finding);
    const same = byMessage.get(message);
    if (same) same.push(finding);
    else byMessage.set(message, [finding]);
  }
  return [...byMessage].map(([message, same]) => {
    const ranks = [...new Set(same.map(({ rank }) => rank))].filter((rank) => rank !== undefined);
    const [first] = same;
    if (ofGroup(first)) return `group ${first.message}`;
    if (ranks.length > 1) return `ranks ${rankRuns(ranks)}: ${message}`;
    return ranks.length === 0 || saysWhere(first) ? first.message : `rank ${ranks[0]}: ${first.message}`;
  });
}

/** Whether the message begins with the name of a process group, which may be as short as `0`. */
function ofGroup({ message, group }: Finding): boolean {
  return group !== undefined && message.startsWith(`${group}: `);
}

function saysWhere({ message, file }: Finding): boolean {
  return /\branks? \d/.test(message) || (file !== undefined && message.startsWith(file));
}

/** The message without the rank it begins with, and without the file where that is only the rank's own. */
function withoutRank({ message, rank, file }: Finding): string {
  const bare = rank === undefined ? message : message.replace(new RegExp(`^rank ${rank}(:|,)? `), '');
  return file !== undefined && bare.startsWith(`${file}: `) ? bare.slice(file.length + 2) : bare;
}

/** The closing line of a list of findings. */
export function findingsSummary(findings: readonly Finding[]): string {
  const { errors, warnings, notes } = countFindings(findings);
  return `${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${plural(notes, 'note')}`;
}

/** `1 error`, `2,000 errors`. */
export function plural(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;
}
