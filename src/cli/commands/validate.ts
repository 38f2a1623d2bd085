import { EXIT } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { TARGETS, type Target } from '../../passes/validate/target.js';
import { warningsStop } from '../../pipeline/demand-no-errors.js';
import { warningRule, type Command } from '../command.js';
import { FIX_OPTIONS, fixed, sayFixed } from '../fix.js';
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
collectives and messages across ranks. Exit status 1 when any finding is an error. Writes nothing, but with --fix a
repaired copy; the findings are then those of the copy, and every change is listed (docs/fix.md).`,
  options: {
    for: {
      choices: TARGETS,
      requiresArg: true,
      describe: 'also what this program demands of traces it is to read',
    },
    ...FIX_OPTIONS,
    ...COLLECTIVE_OPTIONS,
    ...READING_OPTIONS,
  },
  examples: [
    ['validate traces', 'a folder of one file a rank'],
    ['validate traces --deps data --json', 'without control dependencies, as JSON'],
    ['validate traces --fix -o fixed', 'a copy without the faults that can be repaired'],
  ],
  run: async (call) => {
    const { validateTraceset } = await import('../../pipeline/validate-traceset.js');
    const { flags, printer } = call;
    const request = {
      ...readingOf(call),
      algorithms: algorithmFlags(flags),
      ...(flags.for === undefined ? {} : { target: flags.for as Target }),
    };
    const repair = await fixed(call, request);
    const report =
      repair?.validation ??
      (await withProgress(printer, 'ranks', (onProgress) => validateTraceset({ ...request, onProgress })));
    const { errors, warnings } = countFindings(report.findings);
    if (flags.json !== true) printFindings(report.findings, printer);
    if (repair) sayFixed(repair, flags, printer);
    const summary = `${plural(report.ranks, 'rank')}, ${plural(report.nodes, 'node')}: ${findingsSummary(report.findings)}`;
    if (flags.json === true) {
      const document = { schema: 'chakra-prep/findings/1', errors, warnings, findings: report.findings };
      const { changes, left, balance, files } = repair ?? {};
      await printer.data(`${JSON.stringify({ ...document, changes, left, balance, files }, null, 1)}\n`);
    } else if (repair?.output === undefined) {
      await printer.data(`${summary}\n`);
    } else {
      printer.say(summary);
      await printer.data(repair.output);
    }
    if (report.ranks === 0) return EXIT.inputUnreadable;
    return errors > 0 || warningsStop(warnings, warningRule(flags)) ? EXIT.traceProblems : EXIT.done;
  },
};
