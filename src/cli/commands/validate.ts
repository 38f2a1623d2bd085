import { EXIT } from '../../base/errors.js';
import { chooseFindings } from '../../base/chosen-findings.js';
import { countFindings } from '../../base/finding.js';
import { TARGETS, type Target } from '../../passes/validate/target.js';
import { warningsStop } from '../../pipeline/demand-no-errors.js';
import { warningRule, type Command } from '../command.js';
import { choiceSummary, FINDING_OPTIONS, findingChoice, unlistedMembers } from '../finding-choice.js';
import { COLLECTIVE_OPTIONS, READING_OPTIONS } from '../options.js';
import { algorithmFlags } from '../preparation.js';
import { plural, printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';
import { orSarif, printSarif, sarifChoice, sarifFlag } from '../sarif.js';

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
    ...FINDING_OPTIONS,
    ...COLLECTIVE_OPTIONS,
    ...READING_OPTIONS,
  },
  examples: [
    ['validate traces', 'a folder of one file a rank'],
    ['validate traces --deps data --json', 'without control dependencies, as JSON'],
    ['validate traces --sarif > findings.sarif', 'for code scanning'],
    ['validate traces --severity warning --ignore COMM_ON_CPU', 'without notes and without what is known'],
  ],
  run: async (call) => {
    const { validateTraceset } = await import('../../pipeline/validate-traceset.js');
    const { flags, printer } = call;
    const choice = findingChoice(flags);
    const sarif = sarifFlag(flags);
    const report = await orSarif(call, sarif, () =>
      withProgress(printer, 'ranks', (onProgress) =>
        validateTraceset({
          ...readingOf(call),
          algorithms: algorithmFlags(flags),
          ...(flags.for === undefined ? {} : { target: flags.for as Target }),
          onProgress,
        }),
      ),
    );
    const chosen = chooseFindings(report.findings, sarif ? sarifChoice(choice) : choice);
    const { errors, warnings } = countFindings(chosen.counted);
    const failed = errors > 0 || warningsStop(warnings, warningRule(flags));
    const status = report.ranks === 0 ? EXIT.inputUnreadable : failed ? EXIT.traceProblems : EXIT.done;
    if (sarif) {
      await printSarif(call, chosen, report.files, status);
    } else if (flags.json === true) {
      const findings = chosen.listed.map((finding) => ({ ...finding, count: finding.count ?? 1 }));
      const document = { schema: 'chakra-prep/findings/1', errors, warnings, ...unlistedMembers(chosen), findings };
      await printer.data(`${JSON.stringify(document, null, 1)}\n`);
    } else {
      printFindings(chosen.listed, printer);
      await printer.data(
        `${plural(report.ranks, 'rank')}, ${plural(report.nodes, 'node')}: ${choiceSummary(chosen)}\n`,
      );
    }
    return status;
  },
};
