import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import { delayWithUnit, lossOf, rateWithUnit } from './link-values.js';
import { MOST_LINKS, MOST_NODES } from './malformed.js';
import { topologyOf } from './nodes-and-links.js';
import type { TopologyReading } from './topology-reading.js';
import { Tokens, wordsLeft } from './tokens.js';
import type { NodeKind, TopologyLink } from './topology.js';

/**
 * A topology as ASTRA-sim's ns-3 backend reads it (TOPO-1): `nodes switches links`, the ids of the switches, then
 * `a b rate delay errorRate` a link. Ends of lines mean nothing; every other node is a host.
 *
 * @param file for messages
 * @throws PrepError `TOPOLOGY_MALFORMED`, with the line
 */
export function readNs3Text(text: string, file: string): TopologyReading {
  const tokens = new Tokens(text, file);
  const nodes = tokens.integer('number of nodes', 1, MOST_NODES);
  const switches = tokens.integer('number of switches', 0, nodes);
  const links = tokens.integer('number of links', 0, MOST_LINKS);
  return readBody(tokens, nodes, links, [['switch', switches]]);
}

/**
 * A topology of SimAI (TOPO-2): first `nodes gpusPerServer nvSwitches switches links gpuType`, then the ids of NV switches
 * and of switches, then the links as {@link readNs3Text}. GPUs a server and their type change nothing in the network.
 */
export function readSimaiText(text: string, file: string): TopologyReading {
  const tokens = new Tokens(text, file);
  const nodes = tokens.integer('number of nodes', 1, MOST_NODES);
  tokens.integer('GPUs a server', 1, nodes);
  const nvSwitches = tokens.integer('number of NV switches', 0, nodes);
  const switches = tokens.integer('number of switches', 0, nodes - nvSwitches);
  const links = tokens.integer('number of links', 0, MOST_LINKS);
  tokens.next(() => 'GPU type missing');
  return readBody(tokens, nodes, links, [
    ['nvswitch', nvSwitches],
    ['switch', switches],
  ]);
}

/** What stands behind the counts: ids of each kind of switch, and links. */
function readBody(
  tokens: Tokens,
  nodeCount: number,
  linkCount: number,
  switches: readonly (readonly [NodeKind, number])[],
): TopologyReading {
  const kinds = new Array<NodeKind>(nodeCount).fill('host');
  const last = nodeCount - 1;
  for (const [kind, count] of switches) {
    for (let i = 0; i < count; i++) {
      const missing = (): string => `${grouped(count - i)} of ${counted(count, `id`)} of a ${kind} missing`;
      const id = tokens.integer(`${kind} id`, 0, last, missing);
      if (kinds[id] !== 'host') throw tokens.error(`${kind} id ${id}: given twice, expected once`);
      kinds[id] = kind;
    }
  }
  const links: TopologyLink[] = [];
  for (let i = 0; i < linkCount; i++) {
    const missing = (): string =>
      `${grouped(linkCount - i)} of ${counted(linkCount, 'link')} missing; the first line announces as many`;
    const a = tokens.integer('end of a link', 0, last, missing);
    const b = tokens.integer('end of a link', 0, last, missing);
    if (a === b) throw tokens.error(`link from node ${a} to itself, expected two nodes`);
    const gbps = tokens.value(rateWithUnit, missing);
    const delayPs = tokens.value(delayWithUnit, missing);
    const loss = tokens.value(lossOf, missing);
    links.push({ a, b, gbps, delayPs, loss, plane: 0 });
  }
  const left = tokens.left();
  const message = left && `${left.place}: ${wordsLeft(left)}, behind ${counted(linkCount, 'link')}; they are not read`;
  return {
    topology: topologyOf(
      kinds.map((kind) => ({ kind })),
      links,
      tokens.file,
    ),
    findings: message === undefined ? [] : [finding('TOPOLOGY_WORDS_LEFT', message, { file: tokens.file })],
  };
}
