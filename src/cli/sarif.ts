import type { ChosenFindings, FindingChoice } from '../base/chosen-findings.js';
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

/** The document of a check that ran. */
export async function printSarif(
  call: Call,
  chosen: ChosenFindings,
  files: Validation['files'],
  exitStatus: ExitStatus,
): Promise<void> {
  const { sarifDocument } = await import('../records/findings/sarif-document.js');
  await print(call, sarifDocument(chosen, { ...requestOf(call, exitStatus), files }));
}

/** Runs the check; where an error stops it, that is the document, and the error goes on. */
export async function orSarif<T>(call: Call, sarif: boolean, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (sarif && error instanceof PrepError) {
      const { stoppedSarifDocument } = await import('../records/findings/sarif-document.js');
      await print(call, stoppedSarifDocument(error, requestOf(call, error.exitStatus)));
    }
    throw error;
  }
}

function requestOf({ inputs }: Call, exitStatus: ExitStatus): SarifRequest {
  return { workingDirectory: process.cwd(), inputs, exitStatus };
}

async function print({ printer }: Call, document: object): Promise<void> {
  await printer.data(`${JSON.stringify(document, null, 1)}\n`);
}
