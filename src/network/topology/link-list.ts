import { grouped } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import { ValueFault, delayOf, lossOf, rateOf } from './link-values.js';
import { MOST_NODES, malformed } from './malformed.js';
import { topologyOf } from './nodes-and-links.js';
import type { TopologyReading } from './topology-reading.js';
import type { TopologyLink } from './topology.js';

/**
 * Rows `a b gbps delayUs errorRate [queueBytes]` without a header, `#` before comments (TOPO-3). Hosts are the ids 0 … ranks − 1,
 * all others switches.
 *
 * @param rankCount number of hosts; the text does not say it
 * @throws PrepError `TOPOLOGY_RANKS` without it; `TOPOLOGY_MALFORMED`, with the line
 */
export function readLinkList(text: string, file: string, rankCount: number | undefined): TopologyReading {
  if (rankCount === undefined) {
    throw requestError(
      'TOPOLOGY_RANKS',
      `${file}: a list of links does not say which nodes are hosts; the number of ranks is missing`,
      'name it with --ranks; hosts are the ids below it',
    );
  }
  const links: TopologyLink[] = [];
  let nodes = rankCount;
  text.split('\n').forEach((row, index) => {
    const fields = row.replace(/#.*/, '').trim().split(/\s+/);
    if (fields[0] === '') return;
    const link = readRow(fields, `${file}:${index + 1}`);
    links.push(link);
    nodes = Math.max(nodes, link.a + 1, link.b + 1);
  });
  const kinds = Array.from({ length: nodes }, (_, id) => ({
    kind: id < rankCount ? ('host' as const) : ('switch' as const),
  }));
  return { topology: topologyOf(kinds, links, file), findings: [] };
}

function readRow(fields: readonly string[], place: string): TopologyLink {
  if (fields.length < 5 || fields.length > 6) {
    throw malformed(
      place,
      `${fields.length} fields, expected a, b, Gbit/s, delay in µs, error rate and perhaps a queue limit in bytes`,
    );
  }
  const [from, to, rate, delay, errorRate, queue] = fields;
  const integer = (text: string, what: string, least: number, most: number): number => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw malformed(place, `${what} ${text}: expected a whole number from ${least} to ${grouped(most)}`);
  };
  const a = integer(from, 'end of a link', 0, MOST_NODES - 1);
  const b = integer(to, 'end of a link', 0, MOST_NODES - 1);
  if (a === b) throw malformed(place, `link from node ${a} to itself, expected two nodes`);
  try {
    return {
      ...{ a, b, gbps: rateOf(rate), delayPs: delayOf(delay, 'us'), loss: lossOf(errorRate), plane: 0 },
      ...(queue === undefined ? {} : { queueBytes: integer(queue, 'queue limit', 1, Number.MAX_SAFE_INTEGER) }),
    };
  } catch (error) {
    if (error instanceof ValueFault) throw malformed(place, error.message);
    throw error;
  }
}
