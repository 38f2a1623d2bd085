import { byKey } from '../base/by-key.js';
import { counted, grouped } from '../base/counts.js';
import { countFindings, type Finding, type Severity } from '../base/finding.js';
import { alikeFindings } from './alike-findings.js';
import type { Printer } from './io.js';

/** Kinds of finding shown of one code; the rest is counted. */
const SHOWN_PER_CODE: Readonly<Record<Severity, number>> = { error: 12, warning: 8, note: 3 };
/** Pieces of advice shown of one code. A note asks for nothing to be done; `explain` tells what can be. */
const ADVICE_PER_CODE: Readonly<Record<Severity, number>> = { error: 2, warning: 2, note: 0 };

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Prints findings for a person: errors first, what differs only in its place in one line (and how many are like it), advice
 * once a code. Warnings
 * beyond the printer's limit are held back and counted in one line.
 */
export function printFindings(findings: readonly Finding[], printer: Printer): void {
  for (const severity of ORDER) {
    if (!printer.shows(severity)) continue;
    const found = findings.filter((finding) => finding.severity === severity);
    const shown = severity === 'warning' ? printer.admitWarnings(found.length) : found.length;
    for (const [code, same] of byKey(found.slice(0, shown), (finding) => finding.code)) {
      printCode(code, same, severity, printer);
    }
    if (shown < found.length) {
      const heldBack = counted(found.length - shown, 'warning');
      printer.say(
        `${heldBack} held back: MaxCountWarningsLoggedPerInstance is ${grouped(printer.maxWarnings)}`,
        severity,
      );
    }
  }
}

function printCode(code: string, same: readonly Finding[], level: Severity, printer: Printer): void {
  const alike = alikeFindings(same);
  for (const { line, more } of alike.slice(0, SHOWN_PER_CODE[level])) {
    printer.sayFound(level, `${code}: ${line}`);
    if (more !== undefined) printer.say(`  ${more}`, level);
  }
  const left = alike.slice(SHOWN_PER_CODE[level]).reduce((sum, { findings }) => sum + findings.length, 0);
  if (left > 0) printer.say(`  … and ${grouped(left)} more ${code}; --json lists all`, level);
  const advice = [...new Set(same.map((finding) => finding.advice).filter((line) => line !== undefined))];
  for (const line of advice.slice(0, ADVICE_PER_CODE[level])) printer.say(`  advice: ${line}`, level);
}

/** The closing line of a list of findings. */
export function findingsSummary(findings: readonly Finding[]): string {
  const { errors, warnings, notes } = countFindings(findings);
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(notes, 'note')}`;
}
