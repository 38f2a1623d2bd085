import { readFileSync } from 'node:fs';
import { EXIT, inputError, requestError, type ExitStatus } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { textFlag, type Call } from '../command.js';
import { printFindings } from '../print-findings.js';
import { topologyDocument } from './document.js';
import { topologyLines } from './lines.js';
import { numberFlag, writtenForm } from './options.js';
import { outputFileOf, writeFiles } from './output.js';

/** `topology show`: facts and checks of a file, or the file in another form. */
export async function showTopology({ inputs: [, file], flags, findings: said, printer }: Call): Promise<ExitStatus> {
  const { readTopology } = await import('../../network/topology/read-topology.js');
  const { TOPOLOGY_FORMS } = await import('../../network/topology/topology-form.js');
  const { checkTopology } = await import('../../network/topology/check/check-topology.js');
  const { readLogicalTopology, checkLogicalSize } = await import('../../network/topology/logical-topology.js');
  const { writtenTopology } = await import('../../network/topology/write/forms.js');
  const [to, out, json] = [writtenForm(flags), outputFileOf(flags), flags.json === true];
  if (to === undefined && out !== undefined) {
    throw requestError('OPTION_MISSING', 'topology show -o: --to is missing, the form that is to be written');
  }
  const toStdout = to !== undefined && (out === undefined || out === '-');
  if (toStdout && json) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      'the topology and the document of --json both go to stdout',
      'name a file with -o',
    );
  }
  const rankCount = ranksFlag(numberFlag(flags, 'ranks'));
  const {
    topology,
    form,
    findings: read,
  } = readTopology(textOf(file), file, rankCount === undefined ? {} : { rankCount });
  const logicalFile = textFlag(flags, 'logical');
  const logical = logicalFile === undefined ? undefined : readLogicalTopology(textOf(logicalFile), logicalFile);
  const { facts, findings: checked } = checkTopology(topology, file);
  const written = to && writtenTopology(topology, to, file);
  const findings = [
    ...said,
    ...read,
    ...checked,
    ...(logical === undefined ? [] : checkLogicalSize(logical, facts.hosts, logicalFile!)),
    ...(written?.findings ?? []),
  ];
  if (written !== undefined && !toStdout) writeFiles([[out!, written.text]]);
  if (!json) printFindings(findings, printer);
  if (json) await printer.data(topologyDocument({ file, form }, facts, findings, logical));
  else if (toStdout) await printer.data(written!.text);
  else await printer.lines(topologyLines(`${file}: ${TOPOLOGY_FORMS[form]}`, facts, logical));
  return countFindings(findings).errors > 0 ? EXIT.traceProblems : EXIT.done;
}

function ranksFlag(ranks: number | undefined): number | undefined {
  if (ranks === undefined || (Number.isInteger(ranks) && ranks >= 1 && ranks <= 1_000_000)) return ranks;
  throw requestError('USAGE', `--ranks ${ranks}: expected a whole number from 1 to 1,000,000`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw inputError('FILE_UNREADABLE', `${file}: cannot be read (${(cause as Error).message})`);
  }
}
