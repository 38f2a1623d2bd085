import { counted, grouped } from '../../base/counts.js';
import { EXIT, type ExitStatus } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import type { TimingReport } from '../../records/timing/timing-report.js';
import type { ResultDocument } from '../../replay/result-document.js';
import type { Call } from '../command.js';
import { printFindings } from '../print-findings.js';

/** A run as `simulate` prints it. */
export interface PrintedRun {
  readonly document: ResultDocument;
  readonly findings: readonly Finding[];
  /** Who waits for whom. */
  readonly stallLines: readonly string[];
  /** What the stop comes from. */
  readonly stoppedBy: string;
  readonly timing?: TimingReport;
  /** Lines on stdout where neither a document nor a timing report is. */
  readonly lines?: () => readonly string[];
}

/** Prints a run: to a person on stderr what is to be said of it, on stdout its document, timing report or lines. */
export async function printRun(call: Call, run: PrintedRun): Promise<ExitStatus> {
  const { flags, printer, io } = call;
  const { document, timing } = run;
  printFindings(run.findings, printer);
  for (const line of run.stallLines) printer.say(line, 'error');
  if (document.status === 'limit') sayLimit(call, run);
  if (flags.json === true) {
    const { timingDocument } = await import('../../records/timing/timing-document.js');
    const whole = timing === undefined ? document : { ...document, timing: timingDocument(timing) };
    await printer.data(`${JSON.stringify(whole)}\n`);
  } else if (timing !== undefined) {
    const { timingLines } = await import('../../records/timing/timing-lines.js');
    const boxes = io.stdout.isTTY === true;
    const lines = timingLines(timing, { boxes, colour: boxes && flags.color !== false && !io.env.NO_COLOR });
    // As bytes, for the sake of the colours; the table has made names printable.
    await printer.data(Buffer.from(`${lines.join('\n')}\n`));
  } else if (run.lines !== undefined) {
    await printer.lines(run.lines());
  }
  return document.status === 'finished' ? EXIT.done : EXIT.replayStopped;
}

function sayLimit({ flags, printer }: Call, { document: { ranks }, stoppedBy }: PrintedRun): void {
  const left = ranks.filter(({ state }) => state !== 'finished').length;
  printer.say(
    `limit: ${stoppedBy} is reached, ${grouped(left)} of ${counted(ranks.length, 'rank')} not finished`,
    'error',
  );
  if (flags.until === undefined) printer.say('  advice: give --until or RunTime', 'error');
}
