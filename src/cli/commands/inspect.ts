import { EXIT } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import type { Command } from '../command.js';
import { inspectLines } from '../inspect-lines.js';
import { inspectionDocument } from '../inspect/document.js';
import { sortGroups } from '../inspect/groups-option.js';
import { viewLines } from '../inspect/view-lines.js';
import { viewsOf, VIEW_OPTIONS } from '../inspect/views.js';
import { READING_OPTIONS } from '../options.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';

export const inspect: Command = {
  name: 'inspect',
  usage: '<in..>',
  summary: 'what is in a traceset: nodes, dependencies, bytes, groups, times',
  help: `Reads a traceset, or any one file people take for a trace, and prints what is in it: nodes by type, dependencies and
cycles, bytes per collective and group, sides, durations; or the views that are asked for, and these alone. --json has the
facts beside the views, except beside --nodes alone. A choice of nodes without another view asks for --nodes. Writes nothing.`,
  options: { ...READING_OPTIONS, ...VIEW_OPTIONS },
  examples: [
    ['inspect traces', 'a table'],
    ['inspect traces/job.0.et --json', 'every fact of one file'],
    ['inspect traces --groups --pairs', 'who is in which group, who sends to whom'],
    ['inspect traces --collectives --groups traces/comm_group.json', 'with the groups of a file'],
    ['inspect traces --rank 0 --type send,recv', 'the sends and receives of rank 0'],
  ],
  sortWords: sortGroups,
  run: async (call) => {
    const { inspectFiles } = await import('../../pipeline/inspect-files.js');
    const { flags, printer } = call;
    const views = viewsOf(flags);
    const json = flags.json === true;
    // A look-up of nodes reads each file once; the facts would read it again.
    const facts = views === undefined || (json && (views.groups || views.pairs || views.collectives) === true);
    const report = await withProgress(printer, 'files', (onProgress) =>
      inspectFiles({ ...readingOf(call), ...(views === undefined ? {} : { views }), facts, onProgress }),
    );
    printFindings(report.findings, printer);
    if (json) for (const piece of inspectionDocument(report, facts)) await printer.data(piece);
    else {
      const lines = views === undefined ? inspectLines(report) : viewLines(report);
      await printer.lines(lines);
    }
    return countFindings(report.findings).errors > 0 ? EXIT.traceProblems : EXIT.done;
  },
};
