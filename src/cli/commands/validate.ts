import { EXIT } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { TARGETS, type Target } from '../../passes/validate/target.js';
import { warningsStop } from '../../pipeline/demand-no-errors.js';
import { warningRule, type Command } from '../command.js';
import { COLLECTIVE_OPTIONS, READING_OPTIONS } from '../options.js';
import { algorithmFlags } from '../preparation.js';
import { findingsSummary, plural, printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';

export const validate: Command = {
  name: 'validate',
  usage: '<in..>',
  summary: 'what is wrong with a traceset, before anything is simulated',
  help: `Reads a traceset, all ranks together, and prints what is wrong with it: files, nodes, dependencies, process groups,
collectives and messages across ranks. Writes nothing. Exit status 1 when any finding is an error.`,
  options: {
    for: {
      choices: TARGETS,
      requiresArg: true,
      describe: 'also what this program demands of traces it is to read',
    },
    ...COLLECTIVE_OPTIONS,
    ...READING_OPTIONS,
  },
  examples: [
    ['validate traces', 'a folder of one file a rank'],
    ['validate traces --deps data --json', 'without control dependencies, as JSON'],
  ],
  run: async (call) => {
    const { validateTraceset } = await import('../../pipeline/validate-traceset.js');
    const { flags, printer } = call;
    const report = await withProgress(printer, 'ranks', (onProgress) =>
      validateTraceset({
        ...readingOf(call),
        algorithms: algorithmFlags(flags),
        ...(flags.for === undefined ? {} : { target: flags.for as Target }),
        onProgress,
      }),
    );
    const { errors, warnings } = countFindings(report.findings);
    if (flags.json === true) {
      const document = { schema: 'chakra-prep/findings/1', errors, warnings, findings: report.findings };
      await printer.data(`${JSON.stringify(document, null, 1)}\n`);
    } else {
      printFindings(report.findings, printer);
      await printer.data(
        `${plural(report.ranks, 'rank')}, ${plural(report.nodes, 'node')}: ${findingsSummary(report.findings)}\n`,
      );
    }
    if (report.unreadable) return EXIT.inputUnreadable;
    return errors > 0 || warningsStop(warnings, warningRule(flags)) ? EXIT.traceProblems : EXIT.done;
  },
};
