import { EXIT } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import type { Command } from '../command.js';
import { inspectLines } from '../inspect-lines.js';
import { READING_OPTIONS } from '../options.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';

export const inspect: Command = {
  name: 'inspect',
  usage: '<in..>',
  summary: 'what is in a traceset: nodes, dependencies, bytes, groups, times',
  help: `Reads a traceset, or any one file people take for a trace, and prints what is in it: nodes by type, dependencies and
cycles, bytes per collective and group, sides, durations. Writes nothing.`,
  options: READING_OPTIONS,
  examples: [
    ['inspect traces', 'a table'],
    ['inspect traces/job.0.et --json', 'every fact of one file'],
  ],
  run: async (call) => {
    const { inspectFiles } = await import('../../pipeline/inspect-files.js');
    const { flags, printer } = call;
    const report = await withProgress(printer, 'files', (onProgress) =>
      inspectFiles({ ...readingOf(call), onProgress }),
    );
    printFindings(report.findings, printer);
    if (flags.json === true) {
      const { files, traceset } = report;
      await printer.data(`${JSON.stringify({ schema: 'chakra-prep/inspect/1', files, traceset }, null, 1)}\n`);
    } else {
      await printer.data(`${inspectLines(report).join('\n')}\n`);
    }
    return countFindings(report.findings).errors > 0 ? EXIT.traceProblems : EXIT.done;
  },
};
