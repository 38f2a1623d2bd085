import { counted } from '../base/counts.js';
import { EXIT, requestError, type ExitStatus } from '../base/errors.js';
import { countFindings } from '../base/finding.js';
import { chooseAlgorithms, type AlgorithmChoices } from '../collectives/catalogue.js';
import { expansionOptions } from '../config/expansion-options.js';
import { WRITING_TARGETS, type Steps, type WritingTarget } from '../pipeline/preparation-request.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { choiceFlag, outputOf, textFlag, warningRule, type Call, type Flags } from './command.js';
import { printFindings } from './print-findings.js';
import { readingOf } from './reading.js';
import { withProgress } from './progress.js';
import { parseRanks } from './ranks.js';

/**
 * Algorithms that flags name, by collective option.
 * @throws PrepError `ALGORITHM_UNKNOWN`, before any trace is read
 */
export function algorithmFlags(flags: Flags): AlgorithmChoices {
  const choices: Record<string, string> = {};
  for (const { option } of COLLECTIVE_NAMES) {
    const name = textFlag(flags, option);
    if (name !== undefined) choices[option] = name;
  }
  chooseAlgorithms(choices);
  return choices;
}

/**
 * How flags say that collectives are expanded, and the call with what is to be said of them.
 * @throws PrepError what {@link algorithmFlags} and {@link expansionOptions} throw
 */
export function expansionOf(call: Call, command: string): { call: Call; steps: Pick<Steps, 'algorithms' | 'system'> } {
  const algorithms = algorithmFlags(call.flags);
  const { system, findings } = expansionOptions(call.flags, command);
  return {
    call: { ...call, findings: [...call.findings, ...findings] },
    steps: { algorithms, ...(system && { system }) },
  };
}

export function orderFlag(flags: Flags): 'recorded' | 'ids' {
  return choiceFlag(flags, 'order', 'recorded');
}

/**
 * The program that traces are to be written for.
 * @throws PrepError `TARGET_REQUEST` for one of `validate --for` that the configuration names
 */
function writingTarget(flags: Flags): WritingTarget | undefined {
  const name = textFlag(flags, 'for');
  if (name === undefined) return undefined;
  const target = WRITING_TARGETS.find((known) => known === name);
  if (target !== undefined) return target;
  throw requestError(
    'TARGET_REQUEST',
    `for: ${name} on a command that writes, expected ${WRITING_TARGETS.join(' or ')}`,
    `take for: ${name} out of the configuration; validate takes --for ${name}`,
  );
}

/**
 * Where a command that writes traces writes them: a folder, or `-` for stdout.
 * @throws PrepError `OPTION_MISSING`, `OUTPUT_AMBIGUOUS`
 */
export function demandOutput(flags: Flags): string {
  const out = outputOf(flags);
  if (out === undefined) {
    throw requestError('OPTION_MISSING', 'no output named', '-o <dir> writes a folder, -o - one rank to stdout');
  }
  if (out === '-' && flags.json === true) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      'stdout cannot hold both the trace (-o -) and the document of --json',
      'write to a folder, or leave --json out',
    );
  }
  return out;
}

/** Runs the passes of one command over a traceset and prints the balance. */
export async function runPreparation(call: Call, steps: Steps): Promise<ExitStatus> {
  const { flags, printer } = call;
  const out = demandOutput(flags);
  const only = textFlag(flags, 'only');
  const target = writingTarget(flags);
  const { balanceLines } = await import('../passes/balance.js');
  const { prepareTraceset } = await import('../pipeline/prepare-traceset.js');
  const report = await withProgress(printer, 'ranks', (onProgress) =>
    prepareTraceset({
      ...readingOf(call),
      steps,
      output: {
        ...(out === '-' ? {} : { folder: out }),
        format: choiceFlag(flags, 'format', 'et'),
        ...(only === undefined ? {} : { only: parseRanks(only, '--only') }),
      },
      ...warningRule(flags),
      ...(target === undefined ? {} : { target }),
      onProgress,
    }),
  );
  printFindings(report.findings, printer);
  for (const line of balanceLines(report.balance)) printer.say(line);
  if (report.output !== undefined) {
    await printer.data(report.output);
  } else {
    printer.say(`${counted(report.files.length, 'rank')} written to ${out}`);
    if (flags.json === true) {
      const { findings, files } = report;
      // The balance's own findings are among those of the report.
      const balance = Object.fromEntries(Object.entries(report.balance).filter(([name]) => name !== 'findings'));
      const document = {
        schema: 'chakra-prep/preparation/1',
        ...countFindings(findings),
        files,
        balance,
        findings,
      };
      await printer.data(`${JSON.stringify(document)}\n`);
    }
  }
  return EXIT.done;
}
