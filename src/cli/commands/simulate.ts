import { counted, grouped } from '../../base/counts.js';
import { EXIT, requestError } from '../../base/errors.js';
import { NO_STOPWATCH, Stopwatch } from '../../base/stopwatch.js';
import { RECORDS_FORMATS, runOptions } from '../../config/run-options.js';
import { choiceFlag, factorFlag, outputOf, textFlag, warningRule, type Command, type Flags } from '../command.js';
import { COLLECTIVE_OPTIONS, ORDER_OPTION, PLACEMENT_OPTIONS, READING_OPTIONS, TIME_OPTIONS } from '../options.js';
import { algorithmFlags, orderFlag } from '../preparation.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';

const REPORTS = ['table', 'timing', 'wall', 'none'] as const;
type Report = (typeof REPORTS)[number];

export const simulate: Command = {
  name: 'simulate',
  usage: '<in..> --network <spec>',
  summary: 'replay a traceset against a model of time',
  help: `Reads a raw or prepared traceset and replays it. Raw collectives are expanded on the way. Prints a summary table, or
with --json the result document, to which --report timing and wall add theirs; -o writes the records. Exit status 4 when the replay stalls, with who waits for whom.`,
  options: {
    network: {
      type: 'string',
      describe: 'alpha-beta:latency=1us,bandwidth=50GB/s, or a file: an analytical .yml topology',
    },
    backend: { choices: ['analytical-unaware'], describe: 'network model (default analytical-unaware)' },
    family: {
      choices: ['synthesized', 'compiled', 'collected'],
      describe:
        'whether durations are for a compute unit of its own (default synthesized) or were measured (collected)',
    },
    serialize: { type: 'boolean', describe: 'order the collectives of each group (default yes, unless that pass ran)' },
    sync: { type: 'boolean', describe: 'a barrier before each collective (default yes, unless that pass ran)' },
    scale: { type: 'string', requiresArg: true, describe: 'factor for sizes and durations, 0 to 1' },
    'drop-missing-deps': {
      type: 'boolean',
      describe: 'ignore data dependencies on missing nodes, with a warning (default no)',
    },
    o: { alias: 'out', type: 'string', requiresArg: true, describe: 'folder for the records' },
    'records-format': { choices: RECORDS_FORMATS, requiresArg: true, describe: 'form of the records (default csv)' },
    'scale-up-stats': { type: 'boolean', describe: 'rows for the scale-up fabric in nd-stats (default no)' },
    report: {
      choices: REPORTS,
      requiresArg: true,
      describe: 'what is printed: a summary table (default), simulated or wall-clock time by executor, or nothing',
    },
    ...PLACEMENT_OPTIONS,
    ...TIME_OPTIONS,
    ...COLLECTIVE_OPTIONS,
    ...ORDER_OPTION,
    ...READING_OPTIONS,
  },
  examples: [
    ['simulate prepared --network alpha-beta:latency=1us,bandwidth=50GB/s', 'prepared traces, one link speed'],
    ['simulate traces --network network.yml --allreduce tree --json', 'raw traces on an analytical topology'],
  ],
  run: async (call) => {
    const { simulateTraceset } = await import('../../pipeline/simulate-traceset.js');
    const { summaryTable } = await import('../../records/summary-table.js');
    const { timingOfRun } = await import('../../records/timing/timing-of-run.js');
    const { timingOfSpans } = await import('../../records/timing/timing-of-spans.js');
    const { timingDocument } = await import('../../records/timing/timing-document.js');
    const { timingLines } = await import('../../records/timing/timing-lines.js');
    const { flags, printer } = call;
    const network = textFlag(flags, 'network');
    if (network === undefined) {
      throw requestError(
        'NETWORK_MISSING',
        'simulate: --network is missing; no network is assumed',
        'such as --network alpha-beta:latency=1us,bandwidth=50GB/s',
      );
    }
    const scale = factorFlag(flags, 'scale');
    const { options, stoppedBy, findings } = runOptions(flags);
    const out = recordsFolder(flags);
    const report = choiceFlag<Report>(flags, 'report', 'table');
    const stopwatch = report === 'wall' ? new Stopwatch() : NO_STOPWATCH;
    const simulation = await withProgress(printer, 'ranks', (onProgress) =>
      simulateTraceset({
        ...readingOf(call),
        ...options,
        findings: [...call.findings, ...findings],
        network,
        family: choiceFlag(flags, 'family', 'synthesized'),
        algorithms: algorithmFlags(flags),
        order: orderFlag(flags),
        ...(flags.serialize === undefined ? {} : { serialize: flags.serialize === true }),
        ...(flags.sync === undefined ? {} : { sync: flags.sync === true }),
        ...(scale === undefined ? {} : { scale }),
        useMaxStart: flags.useMaxStart !== false,
        abortOnWarning: warningRule(flags).abortOnWarning === true,
        ...(out === undefined ? {} : { recordsFolder: out }),
        keepTransfers: report === 'timing',
        stopwatch,
        onProgress,
      }),
    );
    const { document, outcome, placement } = simulation;
    printFindings(simulation.findings, printer);
    for (const line of simulation.stallLines) printer.say(line, 'error');
    if (document.status === 'limit') {
      const { ranks } = document;
      const left = ranks.filter(({ state }) => state !== 'finished').length;
      printer.say(
        `limit: ${stoppedBy} is reached, ${grouped(left)} of ${counted(ranks.length, 'rank')} not finished`,
        'error',
      );
      if (flags.until === undefined) printer.say('  advice: give --until or RunTime', 'error');
    }
    const timing =
      report === 'timing'
        ? timingOfRun(outcome, placement)
        : report === 'wall'
          ? timingOfSpans('simulate', stopwatch.read())
          : undefined;
    if (flags.json === true) {
      const whole = timing === undefined ? document : { ...document, timing: timingDocument(timing) };
      await printer.data(`${JSON.stringify(whole)}\n`);
    } else if (timing !== undefined) {
      const boxes = call.io.stdout.isTTY === true;
      const lines = timingLines(timing, { boxes, colour: boxes && flags.color !== false && !call.io.env.NO_COLOR });
      // As bytes, for the sake of the colours; the table has made names printable.
      await printer.data(Buffer.from(`${lines.join('\n')}\n`));
    } else if (report === 'table') {
      await printer.lines(summaryTable(outcome));
    }
    return document.status === 'finished' ? EXIT.done : EXIT.replayStopped;
  },
};

/** @throws PrepError `OUTPUT_AMBIGUOUS` */
function recordsFolder(flags: Flags): string | undefined {
  const out = outputOf(flags);
  if (out !== '-') return out;
  throw requestError('OUTPUT_AMBIGUOUS', 'simulate: -o - names stdout, the records are several files', 'name a folder');
}
