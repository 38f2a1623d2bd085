import type { Options } from 'yargs';
import { counted, grouped } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import { astraChangeLines } from '../passes/for-astra-sim/changes.js';
import { REPAIRS } from '../passes/repair/change.js';
import type { RepairReport } from '../pipeline/repair-traceset.js';
import type { ValidationRequest } from '../pipeline/validate-traceset.js';
import { choiceFlag, outputOf, textFlag, type Call, type Flags } from './command.js';
import type { Printer } from './io.js';
import { OUTPUT_OPTIONS } from './options.js';
import { printFindings } from './print-findings.js';
import { withProgress } from './progress.js';

const { o, format } = OUTPUT_OPTIONS;

/** `validate --fix` and what it needs. */
export const FIX_OPTIONS: Readonly<Record<string, Options>> = {
  fix: { type: 'boolean', describe: 'write a copy with what can be repaired without a guess, and validate that' },
  o: { ...o, describe: 'with --fix: output folder, or - for one rank on stdout' },
  format: { ...format, describe: 'with --fix: form of the output (default et)' },
};

/**
 * Repairs and validates where `--fix` says so; `undefined` without it.
 * @throws PrepError `OPTION_MISSING`, `OUTPUT_AMBIGUOUS`, `USAGE`, and what the repair throws
 */
export async function fixed({ flags, printer }: Call, request: ValidationRequest): Promise<RepairReport | undefined> {
  if (flags.fix !== true) {
    refuseOutput(flags);
    return undefined;
  }
  const out = outputOf(flags);
  if (out === undefined) {
    throw requestError(
      'OPTION_MISSING',
      'validate --fix: no output named, and the input is never overwritten',
      '-o <dir> writes a folder, -o - one rank to stdout',
    );
  }
  const document = flags.json === true ? '--json' : flags.sarif === true ? '--sarif' : undefined;
  if (out === '-' && document !== undefined) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      `stdout cannot hold both the trace (-o -) and the document of ${document}`,
      `write to a folder, or leave ${document} out`,
    );
  }
  const { repairTraceset } = await import('../pipeline/repair-traceset.js');
  const output = { ...(out === '-' ? {} : { folder: out }), format: choiceFlag(flags, 'format', 'et' as const) };
  return withProgress(printer, 'steps', (onProgress) => repairTraceset({ ...request, output, onProgress }));
}

/** The configuration may name an output for other commands; on the command line it is meant for this one. */
function refuseOutput(flags: Flags): void {
  if (flags.out === undefined) return;
  throw requestError(
    'USAGE',
    `validate: -o ${textFlag(flags, 'out')} without --fix; validate alone writes nothing`,
    'add --fix, or leave -o out',
  );
}

/** The document of `--json` with what the repair did behind it, in pieces: changes name every node. */
export function* fixedDocument(document: object, { changes, left, balance, files }: RepairReport): Generator<string> {
  yield `${JSON.stringify(document, null, 1).slice(0, -2)},\n "changes": [`;
  for (const [place, change] of changes.entries()) yield `${place === 0 ? '' : ','}\n  ${JSON.stringify(change)}`;
  yield `${changes.length === 0 ? '' : '\n '}],${JSON.stringify({ left, balance, files }, null, 1).slice(1)}\n`;
}

/**
 * Says what was changed, what was not, where the result is, and what its reader has to assume; a kind of repair at a time.
 * @param isListed whether a document lists the changes
 */
export function sayFixed(
  { validation, changes, left, balance, files }: RepairReport,
  isListed: boolean,
  flags: Flags,
  printer: Printer,
): void {
  if (!isListed) {
    for (const kind of REPAIRS)
      printFindings(
        changes.filter(({ repair }) => repair === kind),
        printer,
      );
    printFindings(left, printer);
  }
  const counts = REPAIRS.filter((kind) => balance.changes[kind] !== undefined);
  printer.say(
    `${counted(balance.ranks, 'rank')}, ${counted(balance.nodesIn, 'node')} in, ${grouped(balance.nodesOut)} out; ` +
      `changes: ${counts.map((kind) => `${kind} ${grouped(balance.changes[kind]!)}`).join(', ') || 'none'}`,
  );
  if (balance.astraSim !== undefined) {
    for (const line of astraChangeLines(balance.astraSim, balance.groupNumbers ?? {})) printer.say(line);
  }
  if (files.length > 0) printer.say(`${counted(files.length, 'rank')} written to ${textFlag(flags, 'o')}`);
  const assumed = validation.conventions.filter(({ name, assumed }) => assumed && name !== 'deps');
  if (assumed.length === 0) return;
  const values = assumed.map(({ name, value }) => `${name}=${value}`).join(',');
  printer.say(`written in the conventions of the input; the copy is to be read with --assume ${values} as well`);
}
