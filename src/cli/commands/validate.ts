import { counted } from '../../base/counts.js';
import { EXIT } from '../../base/errors.js';
import { chooseFindings } from '../../base/chosen-findings.js';
import { countFindings } from '../../base/finding.js';
import { TARGETS, type Target } from '../../passes/validate/target.js';
import { warningsStop } from '../../pipeline/demand-no-errors.js';
import { conventionLines } from '../convention-lines.js';
import { outputOf, warningRule, type Command } from '../command.js';
import { choiceSummary, FINDING_OPTIONS, findingChoice, unlistedMembers } from '../finding-choice.js';
import { FIX_OPTIONS, fixed, fixedDocument, sayFixed } from '../fix.js';
import { COLLECTIVE_OPTIONS, READING_OPTIONS } from '../options.js';
import { algorithmFlags } from '../preparation.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { readingOf } from '../reading.js';
import { orSarif, printSarif, sarifChoice, sarifFlag } from '../sarif.js';

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
    ...FINDING_OPTIONS,
    ...FIX_OPTIONS,
    ...COLLECTIVE_OPTIONS,
    ...READING_OPTIONS,
  },
  examples: [
    ['validate traces', 'a folder of one file a rank'],
    ['validate traces --deps data --json', 'without control dependencies, as JSON'],
    ['validate traces --sarif > findings.sarif', 'for code scanning'],
    ['validate traces --severity warning --ignore COMM_ON_CPU', 'without notes and without what is known'],
    ['validate traces --fix -o fixed', 'a copy without the faults that can be repaired'],
  ],
  run: async (call) => {
    const { validateTraceset } = await import('../../pipeline/validate-traceset.js');
    const { flags, printer } = call;
    const sarif = sarifFlag(flags);
    const { choice, repair, report } = await orSarif(call, sarif, async () => {
      const choice = findingChoice(flags);
      const { algorithms, findings } = await algorithmFlags(flags);
      const request = {
        ...readingOf({ ...call, findings: [...call.findings, ...findings] }),
        algorithms,
        ...(flags.for === undefined ? {} : { target: flags.for as Target }),
      };
      const repair = await fixed(call, request);
      if (repair !== undefined) return { choice, repair, report: repair.validation };
      const report = await withProgress(printer, 'ranks', (onProgress) => validateTraceset({ ...request, onProgress }));
      return { choice, repair, report };
    });
    const chosen = chooseFindings(report.findings, sarif ? sarifChoice(choice) : choice);
    const { errors, warnings } = countFindings(chosen.counted);
    const failed = errors > 0 || warningsStop(warnings, warningRule(flags));
    const status = report.unreadable ? EXIT.inputUnreadable : failed ? EXIT.traceProblems : EXIT.done;
    if (repair) sayFixed(repair, flags.json === true, flags, printer);
    if (!sarif && flags.json !== true) printFindings(chosen.listed, printer);
    const read =
      report.ranks === 0 ? 'no rank read' : `${counted(report.ranks, 'rank')}, ${counted(report.nodes, 'node')}`;
    const summary = `${read}: ${choiceSummary(chosen)}`;
    if (sarif) {
      const { inputs } = call;
      await printSarif(call, repair ? [outputOf(flags) ?? '-'] : inputs, chosen, report, status);
    } else if (flags.json === true) {
      const findings = chosen.listed.map((finding) => ({ ...finding, count: finding.count ?? 1 }));
      const found = { schema: 'chakra-prep/findings/1', errors, warnings, ...unlistedMembers(chosen), findings };
      const document = { ...found, conventions: report.conventions, observations: report.observations };
      if (repair) for (const piece of fixedDocument(document, repair)) await printer.data(piece);
      else await printer.data(`${JSON.stringify(document, null, 1)}\n`);
    } else if (repair?.output === undefined) {
      await printer.lines([summary, ...conventionLines(report)]);
    } else {
      printer.say(summary);
      await printer.data(repair.output);
    }
    return status;
  },
};
