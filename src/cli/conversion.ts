import { counted, grouped } from '../base/counts.js';
import { EXIT, requestError, type ExitStatus } from '../base/errors.js';
import { countFindings } from '../base/finding.js';
import { parseBytes } from '../base/units.js';
import { packetOptions } from '../config/packet-options.js';
import { runOptions } from '../config/run-options.js';
import type { ConversionOptions } from '../formats/conversion.js';
import { FORMATS, type Format } from '../formats/detect.js';
import { conversionInput } from '../pipeline/conversion/conversion-input.js';
import { demandOptionsTaken, givenOptions } from '../pipeline/conversion/conversion-options.js';
import type { ConversionReport, ConversionRequest } from '../pipeline/conversion/conversion-request.js';
import { convertTraceset } from '../pipeline/conversion/convert-traceset.js';
import { outputForm } from '../pipeline/conversion/output-form.js';
import { nodesOf } from '../pipeline/conversion/rank-tally.js';
import { textFlag, warningRule, type Call, type Flags } from './command.js';
import { demandOutput, runPreparation } from './preparation.js';
import { printFindings } from './print-findings.js';
import { withProgress } from './progress.js';
import { parseRanks } from './ranks.js';
import { readingOf } from './reading.js';

/**
 * What flags say of these options.
 * @throws PrepError `OPTION_MALFORMED`, `SIZE_MALFORMED`, and what the options of a run throw
 */
export function conversionOptions(flags: Flags): Pick<ConversionRequest, 'options' | 'timedBy'> {
  const size = textFlag(flags, 'size');
  const options: Omit<ConversionOptions, 'startNs'> = {
    ...counting(flags, 'ranks', 'ranks'),
    ...counting(flags, 'passes', 'passes'),
    ...counting(flags, 'model-parallel', 'modelParallel'),
    ...speed(flags),
    ...(size === undefined ? {} : { size: parseBytes(/^[0-9]+$/.test(size) ? `${size}B` : size) }),
  };
  const network = textFlag(flags, 'network');
  if (network === undefined) return { options };
  return {
    options,
    timedBy: {
      ...runOptions(flags).options,
      network,
      packet: packetOptions(flags),
      family: 'synthesized',
      algorithms: {},
      order: 'recorded',
      serialize: false,
      sync: false,
      useMaxStart: true,
      abortOnWarning: false,
    },
  };
}

/** A flag that is a whole number from 1, or absent, as an option. */
function counting(
  flags: Flags,
  flag: string,
  option: 'ranks' | 'passes' | 'modelParallel',
): Partial<ConversionOptions> {
  const text = textFlag(flags, flag);
  if (text === undefined) return {};
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (value >= 1 && Number.isSafeInteger(value)) return { [option]: value };
  throw requestError('OPTION_MALFORMED', `--${flag} ${text}: expected a whole number from 1`);
}

function speed(flags: Flags): Partial<ConversionOptions> {
  const text = textFlag(flags, 'flops-per-second');
  if (text === undefined) return {};
  const value = /^[0-9]+(\.[0-9]+)?(e\+?[0-9]+)?$/i.test(text) ? Number(text) : NaN;
  if (value > 0 && value < Infinity) return { flopsPerSecond: value };
  throw requestError('OPTION_MALFORMED', `--flops-per-second ${text}: expected a number above 0, such as 1e12`);
}

/** Converts what a call names, and prints what became of it. */
export async function runConversion(call: Call, to: string): Promise<ExitStatus> {
  const { inputs, flags, io, printer } = call;
  const out = demandOutput(flags);
  const asked = conversionOptions(flags);
  const input = await conversionInput({ inputs, stdin: io.stdin });
  const form = outputForm(to);
  if (input.job === undefined && form.kind === 'trace') {
    demandOptionsTaken(givenOptions(asked), { title: 'a traceset', options: [] }, { title: form.format, options: [] });
    const again = { ...call, io: { ...io, stdin: input.stdin ?? io.stdin } };
    return runPreparation({ ...again, flags: { ...flags, format: to } }, {});
  }
  const program = textFlag(flags, 'for');
  if (program !== undefined) {
    throw requestError(
      'TARGET_REQUEST',
      `--for ${program}: expected a traceset that is written as et`,
      'convert to et first, then convert those traces with --for',
    );
  }
  const only = textFlag(flags, 'only');
  const report = await withProgress(printer, 'ranks', (onProgress) =>
    convertTraceset(
      {
        ...readingOf(call),
        ...asked,
        to,
        ...(out === '-' ? {} : { folder: out }),
        ...(only === undefined ? {} : { only: parseRanks(only, '--only') }),
        ...warningRule(flags),
        onProgress,
      },
      input,
    ),
  );
  printFindings(report.findings, printer);
  for (const line of reportLines(report)) printer.say(line);
  if (report.output !== undefined) await printer.data(report.output);
  else {
    printer.say(`${counted(report.files.length, 'file')} written to ${out}`);
    if (flags.json === true) await printer.data(`${JSON.stringify(reportDocument(report, to))}\n`);
  }
  return EXIT.done;
}

/** What was converted: ranks and nodes, then each kind of node with its bytes. */
function reportLines({ from, ranks, kinds }: ConversionReport): string[] {
  const of = from === 'traceset' ? '' : ` of ${FORMATS[from as Format].name}`;
  const lines = [`${counted(ranks, 'rank')}, ${counted(nodesOf(kinds), 'node')}${of}`];
  for (const [kind, { nodes, bytes }] of Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`  ${kind}: ${counted(nodes, 'node')}${bytes > 0 ? `, ${grouped(bytes)} B` : ''}`);
  }
  return lines;
}

function reportDocument({ from, ranks, kinds, files, findings }: ConversionReport, to: string): object {
  return {
    schema: 'chakra-prep/conversion/1',
    ...countFindings(findings),
    from,
    to,
    ranks,
    nodes: nodesOf(kinds),
    kinds,
    files,
    findings,
  };
}
