import type { ChosenFindings, FindingChoice } from '../base/chosen-findings.js';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PrepError, requestError, type ExitStatus } from '../base/errors.js';
import type { Validation } from '../pipeline/validate-traceset.js';
import type { SarifRequest } from '../records/findings/sarif-document.js';
import type { Call, Flags } from './command.js';

/** Results that GitHub's code scanning takes of one run; it refuses a file with more. */
const MOST_RESULTS = 25_000;

/** @throws PrepError `OUTPUT_AMBIGUOUS` beside `--json` */
export function sarifFlag({ sarif, json }: Flags): boolean {
  if (sarif !== true) return false;
  if (json !== true) return true;
  throw requestError(
    'OUTPUT_AMBIGUOUS',
    'stdout cannot hold both the document of --json and that of --sarif',
    'leave one out',
  );
}

/** What is listed where nothing else is said: what a reader takes. */
export function sarifChoice(choice: FindingChoice): FindingChoice {
  return { maxFindings: MOST_RESULTS, ...choice };
}

/**
 * The document of a check that ran.
 * @param inputs what was checked
 */
export async function printSarif(
  call: Call,
  inputs: readonly string[],
  chosen: ChosenFindings,
  { files }: Validation,
  exitStatus: ExitStatus,
): Promise<void> {
  const { sarifDocument } = await import('../records/findings/sarif-document.js');
  const named = files.map(({ rank, path }) => ({ rank, path: path === '-' ? STDIN : path }));
  const request = requestOf(existing(inputs, files), exitStatus);
  await print(call, sarifDocument(chosen, { ...request, files: named }));
}

/** What findings call a rank that came through a pipe. */
const STDIN = 'stdin';

/** In place of a glob or a prefix, which no reader can open, the folder of the first file. */
function existing(inputs: readonly string[], [first]: Validation['files']): readonly string[] {
  return inputs.map((input) => {
    if (input === '-') return STDIN;
    return first === undefined || existsSync(input) ? input : dirname(first.path);
  });
}

/** Runs the check; where an error stops it, that is the document, and the error goes on. */
export async function orSarif<T>(call: Call, sarif: boolean, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (sarif && error instanceof PrepError) {
      const { stoppedSarifDocument } = await import('../records/findings/sarif-document.js');
      await print(call, stoppedSarifDocument(error, requestOf(existing(call.inputs, []), error.exitStatus)));
    }
    throw error;
  }
}

function requestOf(inputs: readonly string[], exitStatus: ExitStatus): SarifRequest {
  return { workingDirectory: process.cwd(), inputs, exitStatus };
}

async function print({ printer }: Call, document: object): Promise<void> {
  await printer.data(`${JSON.stringify(document, null, 1)}\n`);
}
