import { EXIT, requestError, type ExitStatus } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { textFlag, type Call, type Flags } from '../command.js';
import { printFindings } from '../print-findings.js';
import { topologyDocument } from './document.js';
import { countsText } from './lines.js';
import { demandedNumber, generatorParameters, writtenForm } from './options.js';
import { outputFileOf, writeFiles } from './output.js';

/** `topology generate`: a topology of a few numbers, and for rails a mapping. */
export async function generateTopology({
  inputs: [, type],
  flags,
  findings: said,
  printer,
}: Call): Promise<ExitStatus> {
  const { generatedTopology } = await import('../../network/topology/generators/generators.js');
  const { checkTopology } = await import('../../network/topology/check/check-topology.js');
  const { writtenTopology } = await import('../../network/topology/write/forms.js');
  const [out, json] = [outputFileOf(flags), flags.json === true];
  const toStdout = out === undefined || out === '-';
  if (toStdout && json) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      'the topology and the document of --json both go to stdout',
      'name a file with -o',
    );
  }
  const parameters = generatorParameters(flags);
  const topology = generatedTopology(type, parameters);
  const mapping = await mappingOf(type, parameters, flags);
  const { facts, findings: checked } = checkTopology(topology, type);
  const written = writtenTopology(topology, writtenForm(flags) ?? 'json', type);
  const findings = [...said, ...checked, ...written.findings];
  writeFiles([...(toStdout ? [] : [[out, written.text] as const]), ...mapping]);
  if (json) await printer.data(topologyDocument({ file: out!, type }, facts, findings));
  else {
    printFindings(findings, printer);
    printer.say(`${type}: ${countsText(facts)}`);
    if (toStdout) await printer.data(written.text);
  }
  return countFindings(findings).errors > 0 ? EXIT.traceProblems : EXIT.done;
}

/** The mapping file that is asked for, with its path; none where none is. */
async function mappingOf(
  type: string,
  { servers, gpusPerServer }: Readonly<Record<string, number>>,
  flags: Flags,
): Promise<(readonly [path: string, text: string])[]> {
  const path = textFlag(flags, 'mapping-out');
  if (path === undefined) return [];
  if (type !== 'rail-optimised') {
    throw requestError(
      'USAGE',
      `--mapping-out with ${type}: its hosts are in no servers`,
      'rail-optimised has servers',
    );
  }
  const { serverGroupsMapping } = await import('../../config/server-groups.js');
  const groups = {
    ...{ servers, ranksPerServer: gpusPerServer },
    bandwidthGbps: demandedNumber(flags, 'scale-up-gbps', '--mapping-out'),
    switchLatencyNs: demandedNumber(flags, 'scale-up-switch-ns', '--mapping-out'),
    cableLatencyNs: demandedNumber(flags, 'scale-up-cable-ns', '--mapping-out'),
  };
  return [[path, serverGroupsMapping(groups, path)]];
}
