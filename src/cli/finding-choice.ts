import type { Options } from 'yargs';
import { SEVERITIES, type ChosenFindings, type FindingChoice } from '../base/chosen-findings.js';
import { counted, grouped } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import { countFindings, type Severity } from '../base/finding.js';
import { ALL_CODES, similarCodes } from '../base/similar-codes.js';
import { textFlag, type Flags } from './command.js';
import { findingsSummary } from './print-findings.js';

/** Which findings are listed, and in what form. */
export const FINDING_OPTIONS: Readonly<Record<string, Options>> = {
  severity: {
    choices: SEVERITIES,
    requiresArg: true,
    describe: 'list this severity and worse (default note)',
  },
  'max-findings': { type: 'string', requiresArg: true, describe: 'list at most this many findings, errors first' },
  ignore: {
    type: 'array',
    string: true,
    requiresArg: true,
    describe: 'codes that do not count, such as COMM_ON_CPU,PEER_SELF; may be given again',
  },
  sarif: { type: 'boolean', describe: 'one SARIF 2.1.0 document on stdout, for code scanning' },
};

/**
 * The choice that flags make.
 * @throws PrepError `MAX_FINDINGS_MALFORMED`, `CODE_UNKNOWN`, before any trace is read
 */
export function findingChoice(flags: Flags): FindingChoice {
  const severity = textFlag(flags, 'severity') as Severity | undefined;
  const maxFindings = maxFindingsFlag(flags);
  return {
    ignore: ignoredCodes(flags),
    ...(severity === undefined ? {} : { severity }),
    ...(maxFindings === undefined ? {} : { maxFindings }),
  };
}

function maxFindingsFlag(flags: Flags): number | undefined {
  const text = textFlag(flags, 'max-findings');
  if (text === undefined) return undefined;
  const most = text.trim() === '' ? NaN : Number(text);
  if (Number.isInteger(most) && most >= 0) return most;
  throw requestError('MAX_FINDINGS_MALFORMED', `--max-findings ${text}: expected a whole number from 0`);
}

/** A text, or a list of texts, each with codes between commas. */
function ignoredCodes({ ignore = [] }: Flags): string[] {
  const codes = [ignore]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '');
  const unknown = codes.find((code) => !ALL_CODES.includes(code));
  if (unknown === undefined) return codes;
  const similar = similarCodes(unknown);
  throw requestError(
    'CODE_UNKNOWN',
    `--ignore ${unknown}: no such code${similar.length === 0 ? '' : `, similar are ${similar.join(', ')}`}`,
    'docs/errors.md lists all codes',
  );
}

/** Numbers of all that counts, of what of it is not listed, and of what is ignored: `2 errors, …; ignored: 3 × PEER_SELF`. */
export function choiceSummary(chosen: ChosenFindings): string {
  const { listed, ignored } = chosen;
  const all = countFindings(chosen.counted);
  const { errors, warnings, notes } = countFindings(listed);
  const unlisted = [
    counted(all.errors - errors, 'error'),
    counted(all.warnings - warnings, 'warning'),
    counted(all.notes - notes, 'note'),
  ];
  const left = unlisted.filter((part) => !part.startsWith('0 ')).join(', ');
  const codes = Object.entries(ignored).map(([code, count]) => `${grouped(count)} × ${code}`);
  return [
    findingsSummary(chosen.counted),
    ...(left === '' ? [] : [`not listed: ${left}`]),
    ...(codes.length === 0 ? [] : [`ignored: ${codes.join(', ')}`]),
  ].join('; ');
}

/** What the document of `--json` says of findings that it does not hold; nothing where it holds all. */
export function unlistedMembers({ counted, listed, ignored }: ChosenFindings): Record<string, unknown> {
  const left = counted.length - listed.length;
  return {
    ...(left === 0 ? {} : { leftOut: left }),
    ...(Object.keys(ignored).length === 0 ? {} : { ignored }),
  };
}
