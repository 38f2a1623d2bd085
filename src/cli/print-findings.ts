import { countFindings, type Finding, type Severity } from '../base/finding.js';
import type { LogLevel, Printer } from './io.js';

/** Findings of one code shown one by one; the rest is counted. */
const SHOWN_PER_CODE = 12;

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/** Prints findings for a person: errors first, each with its place, advice once per code. */
export function printFindings(findings: readonly Finding[], printer: Printer): void {
  for (const severity of ORDER) {
    if (!printer.shows(severity)) continue;
    const byCode = new Map<string, Finding[]>();
    for (const finding of findings) {
      if (finding.severity !== severity) continue;
      const same = byCode.get(finding.code);
      if (same) same.push(finding);
      else byCode.set(finding.code, [finding]);
    }
    for (const [code, same] of byCode) printCode(code, same, severity, printer);
  }
}

function printCode(code: string, same: readonly Finding[], level: LogLevel, printer: Printer): void {
  for (const finding of same.slice(0, SHOWN_PER_CODE)) {
    printer.say(`${printer.severity(finding.severity)} ${code}: ${place(finding)}${finding.message}`, level);
  }
  if (same.length > SHOWN_PER_CODE) {
    printer.say(`  … and ${same.length - SHOWN_PER_CODE} more ${code}; --json lists all`, level);
  }
  const advice = new Set(same.map((finding) => finding.advice).filter((line) => line !== undefined));
  for (const line of [...advice].slice(0, 3)) printer.say(`  advice: ${line}`, level);
}

/** The closing line of a list of findings. */
export function findingsSummary(findings: readonly Finding[]): string {
  const { errors, warnings, notes } = countFindings(findings);
  return `${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${plural(notes, 'note')}`;
}

function place(finding: Finding): string {
  const parts: string[] = [];
  if (finding.rank !== undefined && !/\brank \d/.test(finding.message)) parts.push(`rank ${finding.rank}`);
  if (finding.file !== undefined && !finding.message.includes(finding.file)) parts.push(finding.file);
  if (finding.byteOffset !== undefined && !finding.message.includes('byte ')) parts.push(`at byte ${finding.byteOffset}`);
  return parts.length > 0 ? `${parts.join(', ')}: ` : '';
}

/** `1 error`, `2 errors`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
