import { counted } from '../../base/counts.js';
import { countFindings } from '../../base/finding.js';
import { EXIT, requestError, type ExitStatus } from '../../base/errors.js';
import type { DrawingForm } from '../../drawings/drawing-sink.js';
import type { DrawingChoice } from '../../pipeline/nodes-to-draw.js';
import type { DrawingReport } from '../../pipeline/draw-traceset.js';
import { textFlag, yesFlag, type Call, type Flags } from '../command.js';
import { nodeFilter, parseIdRanges } from '../inspect/node-filter.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';
import { RUN_OPTIONS } from './options.js';

const USUAL_HOPS = 2;

/** Draws the traces that a call names. */
export async function drawCall(call: Call, to: DrawingForm, out: string): Promise<ExitStatus> {
  const { flags, printer } = call;
  // Attributes of a configuration file are for every command; words of the command line are meant.
  const unused = Object.keys(RUN_OPTIONS).find((name) => flags[name] !== undefined && flags.config === undefined);
  if (unused !== undefined) {
    throw requestError(
      'DRAWING_OPTION',
      `--${unused}: a picture of traces shows no run`,
      'leave it out, or take --to timeline',
    );
  }
  const { drawTraceset } = await import('../../pipeline/draw-traceset.js');
  const { ranks } = nodeFilter(flags, undefined);
  const report = await withProgress(printer, 'pictures', (onProgress) =>
    drawTraceset({
      ...readingOf(call),
      to,
      out,
      choice: choiceOf(flags),
      contract: yesFlag(flags, 'contract', yesFlag(flags, 'only-communication', false)),
      ...(ranks === undefined ? {} : { ranks }),
      onProgress,
    }),
  );
  printFindings(report.findings, printer);
  for (const { ranks: drawn, tally } of report.pictures.slice(0, 8)) printer.say(tally.summary(drawn.length));
  if (report.output !== undefined) {
    await printer.data(report.output);
    return EXIT.done;
  }
  const [first] = report.files;
  printer.say(
    report.files.length === 1 ? `written to ${first}` : `${counted(report.files.length, 'file')} written to ${out}`,
  );
  if (flags.json === true) await printer.data(`${JSON.stringify(documentOf(report, to))}\n`);
  return EXIT.done;
}

/** @throws PrepError `NODE_FILTER_MALFORMED`, `DRAWING_OPTION`, `RANKS_MALFORMED` */
function choiceOf(flags: Flags): DrawingChoice {
  const { limit, ...filter } = nodeFilter(flags, undefined);
  const around = idsOf(flags, 'around');
  const after = idsOf(flags, 'from-id');
  const before = idsOf(flags, 'to-id');
  const hops = textFlag(flags, 'hops');
  if (hops !== undefined && around === undefined) {
    throw requestError('DRAWING_OPTION', '--hops without --around: from where is not said', 'add --around ID');
  }
  if (hops !== undefined && !/^\s*\d{1,9}\s*$/.test(hops)) {
    throw requestError('NODE_FILTER_MALFORMED', `--hops ${hops}: expected a whole number from 0`);
  }
  return {
    filter,
    onlyCommunication: yesFlag(flags, 'only-communication', false),
    ...(around === undefined ? {} : { around: { ids: around, hops: Number(hops ?? USUAL_HOPS) } }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function idsOf(flags: Flags, option: string): DrawingChoice['after'] {
  const text = textFlag(flags, option);
  return text === undefined ? undefined : parseIdRanges(text, `--${option}`);
}

function documentOf({ files, pictures, findings }: DrawingReport, to: DrawingForm): object {
  return {
    schema: 'chakra-prep/drawing/1',
    ...countFindings(findings),
    to,
    files,
    pictures: pictures.map(({ ranks, tally }) => ({
      ranks,
      nodes: tally.nodes,
      missingIds: tally.missing,
      dataDependencies: tally.data,
      controlDependencies: tally.control,
      messages: tally.messages.messages,
      paths: tally.paths,
    })),
    findings,
  };
}
