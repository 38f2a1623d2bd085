import { countFindings, type Finding } from '../../base/finding.js';
import type { TopologyFacts } from '../../network/topology/check/check-topology.js';
import type { LogicalTopology } from '../../network/topology/logical-topology.js';

/** The document of `topology --json`: facts and findings. Delays are ns. */
export function topologyDocument(
  source: Readonly<Record<string, string>>,
  { reach, linkCounts, ...facts }: TopologyFacts,
  findings: readonly Finding[],
  logical?: LogicalTopology,
): string {
  const { errors, warnings } = countFindings(findings);
  const { parts, ...ways } = reach;
  const document = {
    schema: 'chakra-prep/topology/1',
    ...source,
    ...facts,
    linkCounts: linkCounts.map(({ delayPs, ...rest }) => ({ ...rest, delayNs: delayPs / 1000 })),
    reach: { ...ways, parts: parts.map(({ length }) => length) },
    ...(logical === undefined ? {} : { logicalDims: logical.dimensions }),
    ...{ errors, warnings, findings },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
