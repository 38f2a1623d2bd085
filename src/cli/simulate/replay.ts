import { requestError, type ExitStatus } from '../../base/errors.js';
import { NO_STOPWATCH, Stopwatch } from '../../base/stopwatch.js';
import { packetOptions } from '../../config/packet-options.js';
import { runOptions } from '../../config/run-options.js';
import type { Backend } from '../../config/system-options.js';
import { choiceFlag, factorFlag, outputOf, textFlag, warningRule, type Call, type Flags } from '../command.js';
import { algorithmFlags, orderFlag } from '../preparation.js';
import { parseRanks } from '../ranks.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';
import type { SimulationRequest } from '../../pipeline/simulation-request.js';
import type { Report } from './options.js';
import { printRun } from './print-run.js';

/** Replays the traceset of a call (`simulate` without `--system`) and prints the run. */
export async function replayCall(call: Call, network: string): Promise<ExitStatus> {
  const { simulateTraceset } = await import('../../pipeline/simulate-traceset.js');
  const { summaryTable } = await import('../../records/summary-table.js');
  const { timingOfRun } = await import('../../records/timing/timing-of-run.js');
  const { timingOfSpans } = await import('../../records/timing/timing-of-spans.js');
  const { flags, printer } = call;
  const scale = factorFlag(flags, 'scale');
  const { options, stoppedBy, findings } = runOptions(flags);
  const out = recordsFolder(flags);
  const logical = textFlag(flags, 'logical');
  const report = choiceFlag<Report>(flags, 'report', 'table');
  const stopwatch = report === 'wall' ? new Stopwatch() : NO_STOPWATCH;
  const simulation = await withProgress(printer, 'ranks', (onProgress) =>
    simulateTraceset({
      ...readingOf(call),
      ...options,
      findings: [...call.findings, ...findings],
      network,
      ...(flags.backend === undefined ? {} : { backend: flags.backend as Backend }),
      ...(logical === undefined ? {} : { logical }),
      packet: packetOptions(flags),
      family: choiceFlag(flags, 'family', 'synthesized'),
      algorithms: algorithmFlags(flags),
      order: orderFlag(flags),
      ...(flags.serialize === undefined ? {} : { serialize: flags.serialize === true }),
      ...(flags.sync === undefined ? {} : { sync: flags.sync === true }),
      ...(scale === undefined ? {} : { scale }),
      useMaxStart: flags.useMaxStart !== false,
      abortOnWarning: warningRule(flags).abortOnWarning === true,
      ...(out === undefined ? {} : { recordsFolder: out }),
      ...timelineOf(flags),
      keepTransfers: report === 'timing',
      stopwatch,
      onProgress,
      onTransfers: (done, total) => onProgress(done, total, 'transfers'),
    }),
  );
  const { outcome, placement, packets } = simulation;
  return printRun(call, {
    ...simulation,
    stoppedBy,
    ...(report === 'timing' ? { timing: timingOfRun(outcome, placement) } : {}),
    ...(report === 'wall' ? { timing: timingOfSpans('simulate', stopwatch.read()) } : {}),
    ...(report === 'table' ? { lines: () => summaryTable(outcome, packets) } : {}),
  });
}

/** @throws PrepError `OPTION_MISSING`, `OUTPUT_AMBIGUOUS`, `RANKS_MALFORMED` */
function timelineOf(flags: Flags): Pick<SimulationRequest, 'timeline'> {
  const file = textFlag(flags, 'timeline');
  const ranks = textFlag(flags, 'timeline-ranks');
  if (file === undefined) {
    if (ranks === undefined) return {};
    throw requestError('OPTION_MISSING', '--timeline-ranks without --timeline: no timeline is drawn', 'name a file');
  }
  if (file === '-' || file === '') {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      `--timeline ${JSON.stringify(file)}: expected the name of a file`,
      'name a file',
    );
  }
  return { timeline: { file, ...(ranks === undefined ? {} : { ranks: parseRanks(ranks, '--timeline-ranks') }) } };
}

/** @throws PrepError `OUTPUT_AMBIGUOUS` */
function recordsFolder(flags: Flags): string | undefined {
  const out = outputOf(flags);
  if (out !== '-') return out;
  throw requestError('OUTPUT_AMBIGUOUS', 'simulate: -o - names stdout, the records are several files', 'name a folder');
}
