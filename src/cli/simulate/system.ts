import { requestError, type ExitStatus } from '../../base/errors.js';
import { NO_STOPWATCH, Stopwatch } from '../../base/stopwatch.js';
import { packetOptions } from '../../config/packet-options.js';
import { runOptions } from '../../config/run-options.js';
import type { DerivedSystemOptions } from '../../config/system-options.js';
import { choiceFlag, warningRule, type Call } from '../command.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';
import type { Report } from './options.js';
import { printRun } from './print-run.js';

/** Runs the traceset of a call on ASTRA-sim's system layer (`simulate --system`) and prints the run. */
export async function systemCall(call: Call, network: string, system: DerivedSystemOptions): Promise<ExitStatus> {
  const { simulateSystemTraceset } = await import('../../pipeline/simulate-system-traceset.js');
  const { summaryTable } = await import('../../records/summary-table.js');
  const { systemSummary } = await import('../../records/system-summary.js');
  const { astraSimReport } = await import('../../records/astra-sim-report.js');
  const { timingOfSpans } = await import('../../records/timing/timing-of-spans.js');
  const { flags, printer } = call;
  const { options, stoppedBy, findings } = runOptions(flags);
  const report = choiceFlag<Report>(flags, 'report', 'table');
  if (report === 'astra-sim' && flags.json === true) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      'stdout cannot hold both the lines of --report astra-sim and the document of --json',
      'leave one of the two out',
    );
  }
  const stopwatch = report === 'wall' ? new Stopwatch() : NO_STOPWATCH;
  const simulation = await withProgress(printer, 'ranks', (onProgress) =>
    simulateSystemTraceset({
      ...readingOf(call),
      ...system.options,
      ...warningRule(flags),
      findings: [...call.findings, ...findings, ...system.findings, ...packetOptions(flags).findings],
      network,
      stopPs: options.stopPs,
      everyRank: report === 'astra-sim',
      stopwatch,
      onProgress,
    }),
  );
  const { outcome } = simulation;
  const wallClock = options.wallClock ? { startedMs: Date.now(), nowMs: () => Date.now() } : undefined;
  return printRun(call, {
    ...simulation,
    stallLines: outcome.stall?.lines ?? [],
    stoppedBy,
    ...(report === 'wall' ? { timing: timingOfSpans('simulate', stopwatch.read()) } : {}),
    ...(report === 'table' ? { lines: () => summaryTable(systemSummary(outcome)) } : {}),
    ...(report === 'astra-sim' ? { lines: () => astraSimReport(outcome, wallClock) } : {}),
  });
}
