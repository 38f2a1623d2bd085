import { counted } from '../../base/counts.js';
import { EXIT, requestError, type ExitStatus } from '../../base/errors.js';
import { generateTracesets } from '../../pipeline/generation/generate-traceset.js';
import type { OutputFormat } from '../../pipeline/write-ranks.js';
import { choiceFlag, textFlag, type Call } from '../command.js';
import { demandOutput } from '../preparation.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { parseRanks } from '../ranks.js';
import { readingOf } from '../reading.js';
import { caseLines } from './cases.js';
import { generationDocument, summaryLines } from './lines.js';
import { workloadsOf } from './parameters.js';

/** Writes the workload that a call names, or lists those there are. */
export async function runGeneration(call: Call): Promise<ExitStatus> {
  const { inputs, flags, io, printer, findings } = call;
  const [name] = inputs;
  if (name === 'list') {
    io.stdout.write(`${caseLines().join('\n')}\n`);
    return EXIT.done;
  }
  const workloads = workloadsOf(name, flags);
  const out = demandOutput(flags);
  if (out === '-' && workloads.length > 1) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      `-o - takes one rank, ${name} is ${workloads.length} cases`,
      'name a folder',
    );
  }
  const to = choiceFlag<OutputFormat>(flags, 'to', 'et');
  const only = textFlag(flags, 'only');
  const { threads } = readingOf(call);
  const made = await withProgress(printer, 'ranks', (onProgress) =>
    generateTracesets({
      workloads,
      to,
      ...(out === '-' ? {} : { folder: out }),
      ...(only === undefined ? {} : { only: parseRanks(only, '--only') }),
      ...(threads === undefined ? {} : { threads }),
      onProgress,
    }),
  );
  const all = [...findings, ...made.flatMap((traceset) => traceset.findings)];
  printFindings(all, printer);
  for (const line of summaryLines(made)) printer.say(line);
  const [{ output }] = made;
  if (output !== undefined) await printer.data(output);
  else {
    const files = made.reduce((sum, traceset) => sum + traceset.files.length, 0);
    printer.say(`${counted(files, 'file')} written to ${out}`);
    if (flags.json === true) await printer.data(`${JSON.stringify(generationDocument(made, all, to))}\n`);
  }
  return EXIT.done;
}
