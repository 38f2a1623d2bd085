import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { MOST_NODES, malformed, shownValue } from './malformed.js';
import { recognisedForm } from './topology-form.js';

/**
 * How ranks are arranged for collectives, which ASTRA-sim's ns-3 users give next to the physical topology
 * (exchange-formats 7.2): the system layer takes its dimensions from it, and as many NPUs as their product.
 */
export interface LogicalTopology {
  /** Ranks of each dimension, the innermost first. */
  readonly dimensions: readonly number[];
  /** Their product. */
  readonly ranks: number;
}

/**
 * Reads `{"logical-dims": ["8", "16"]}`.
 * @param file for messages
 * @throws PrepError `TOPOLOGY_MALFORMED`, with line and column; `TOPOLOGY_UNKNOWN` for another text
 */
export function readLogicalTopology(text: string, file: string): LogicalTopology {
  const recognised = recognisedForm(text, file);
  if (recognised.form !== 'logical')
    throw malformed(file, 'no logical topology, expected {"logical-dims": ["8", "16"]}');
  const { document } = recognised;
  const { 'logical-dims': list, ...others } = document.root as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw malformed(document.keyPlace([other]), `unknown key ${JSON.stringify(other)} (known: logical-dims)`);
  }
  if (!Array.isArray(list) || list.length === 0) {
    throw document.error(['logical-dims'], `logical-dims: ${shownValue(list)}, expected a list such as ["8", "16"]`);
  }
  const dimensions = list.map((size: unknown, index) => {
    const ranks = typeof size === 'string' && /^[0-9]+$/.test(size) ? Number(size) : NaN;
    if (ranks >= 1 && ranks <= MOST_NODES) return ranks;
    const expected = 'expected a number of ranks from 1 to 1,000,000 as a text, such as "8"';
    throw document.error(
      ['logical-dims', index],
      `logical-dims: ${shownValue(size)}, ${expected}${typeof size === 'number' ? '; ASTRA-sim takes texts only' : ''}`,
    );
  });
  return { dimensions, ranks: dimensions.reduce((product, ranks) => product * ranks, 1) };
}

/** An error where the ranks of the logical topology are not the hosts of the physical one. */
export function checkLogicalSize(logical: LogicalTopology, hosts: number, file: string): Finding[] {
  return sizeFindings(logical, hosts, `the topology has ${counted(hosts, 'host')}`, file);
}

/** An error where they are not the ranks of a traceset. */
export function checkLogicalRanks(logical: LogicalTopology, ranks: number, file: string): Finding[] {
  return sizeFindings(logical, ranks, `the traceset has ${counted(ranks, 'rank')}`, file);
}

function sizeFindings(
  { dimensions, ranks }: LogicalTopology,
  expected: number,
  whose: string,
  file: string,
): Finding[] {
  if (ranks === expected) return [];
  const product = dimensions.length === 1 ? `${ranks} ranks` : `${dimensions.join(' × ')} = ${ranks} ranks`;
  return [finding('TOPOLOGY_LOGICAL_SIZE', `${file}: ${product}, ${whose}`, { file })];
}
