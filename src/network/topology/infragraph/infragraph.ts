import { finding } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { topologyOf, type DescribedNode } from '../nodes-and-links.js';
import type { PlacedDocument } from '../placed-document.js';
import type { TopologyReading } from '../topology-reading.js';
import type { TopologyLink } from '../topology.js';
import { contracted, type Contraction } from './contract.js';
import { describedInfrastructure, type Infrastructure } from './description.js';
import { expandedWires } from './expand.js';
import type { Wires } from './wires.js';

/** What a link has that states nothing, on any part of its way: that of the experiments of network-models section 12. */
export const DEFAULT_GBPS = 400;
export const DEFAULT_DELAY_PS = 500_000;

/**
 * An InfraGraph document (exchange-formats section 10), of today's schema or with the dotted connections before it. An xpu is a
 * host, in the order of instances, their indices and components; a device of ports, or a component `switch`, is a switch. Of all
 * else what has two edges becomes part of a link, what has fewer is left out, and what has more forwards as a switch.
 *
 * @throws PrepError `TOPOLOGY_MALFORMED`, with line and column
 */
export function readInfraGraph(document: PlacedDocument): TopologyReading {
  const infrastructure = describedInfrastructure(document);
  const wires = expandedWires(infrastructure, document);
  const contraction = contracted(wires);
  const hosts = contraction.nodes.filter((index) => wires.nodes[index].role === 'rank');
  const others = contraction.nodes.filter((index) => wires.nodes[index].role !== 'rank');
  const order = [...hosts, ...others];
  const idOf = new Map(order.map((index, id) => [index, id]));
  const nodes = order.map((index, id): DescribedNode => ({
    kind: id < hosts.length ? 'host' : 'switch',
    name: wires.nodes[index].name,
  }));
  const links = contraction.edges.map((edge): TopologyLink => {
    const [a, b] = [idOf.get(edge.a)!, idOf.get(edge.b)!].sort((one, other) => one - other);
    const { gbps = DEFAULT_GBPS, delayPs = DEFAULT_DELAY_PS } = edge;
    return { a, b, gbps, delayPs, loss: 0, plane: 0 };
  });
  return {
    topology: topologyOf(nodes, links, document.file),
    findings: [
      ...unreadKeys(infrastructure, document),
      ...defaults(infrastructure, contraction, document),
      ...takenOut(wires, contraction, infrastructure, document),
    ],
  };
}

function unreadKeys({ unread }: Infrastructure, { file }: PlacedDocument): Finding[] {
  return [...unread].map(([key, { place, count }]) => {
    const times = count === 1 ? '' : `, and ${grouped(count - 1)} more`;
    return finding('TOPOLOGY_KEY_UNREAD', `${place}: ${key}: not read${times}`, { file });
  });
}

function defaults(infrastructure: Infrastructure, { edges }: Contraction, { file }: PlacedDocument): Finding[] {
  const message = (count: number, what: string, value: string, links: readonly string[]): Finding =>
    finding(
      'TOPOLOGY_DEFAULT',
      `${file}: ${counted(count, 'link')} ${count === 1 ? 'states' : 'state'} no ${what} (${named(links)}): ${value} is taken`,
      { file, count },
    );
  const withoutRate = edges.filter(({ gbps }) => gbps === undefined);
  const withoutDelay = edges.filter(({ delayPs }) => delayPs === undefined);
  const found: Finding[] = [];
  if (withoutRate.length > 0) {
    const links = withoutRate.flatMap((edge) => edge.links).map((link) => withUnit(link, infrastructure));
    found.push(message(withoutRate.length, 'bandwidth', `${DEFAULT_GBPS} Gbit/s`, links));
  }
  if (withoutDelay.length > 0) {
    found.push(
      message(
        withoutDelay.length,
        'latency',
        '500 ns',
        withoutDelay.flatMap((edge) => edge.links),
      ),
    );
  }
  if (infrastructure.counted.length > 0) {
    const counts = `${file}: no count of ${named(infrastructure.counted)}: as many as their connections name are taken`;
    found.push(finding('TOPOLOGY_DEFAULT', counts, { file, count: infrastructure.counted.length }));
  }
  return found;
}

/** Says of a link that counts transfers why it states no bandwidth. */
function withUnit(link: string, { devices, links }: Infrastructure): string {
  const kinds = [links, ...[...devices.values()].map((device) => device.links)];
  return kinds.some((some) => some.get(link)?.inTransfers) ? `${link}, in transfers whose width is not given` : link;
}

function takenOut(
  { nodes, repeated }: Wires,
  contraction: Contraction,
  infrastructure: Infrastructure,
  { file }: PlacedDocument,
): Finding[] {
  const { joined, leftOut, forwarding, edges } = contraction;
  const found: Finding[] = [];
  if (joined.size > 0) {
    const longer = edges.filter(({ links }) => links.length > 1);
    const unrated = longer.flatMap((edge) => (edge.gbps === undefined ? [] : edge.unrated));
    const limits =
      unrated.length === 0
        ? ''
        : `; without a bandwidth, and no limit there: ${named(unrated.map((link) => withUnit(link, infrastructure)))}`;
    const message = `${file}: ${kindCounts(joined)} became part of ${counted(longer.length, 'link')}${limits}`;
    found.push(finding('TOPOLOGY_JOINED', message, { file, count: sum(joined) }));
  }
  if (leftOut.size > 0) {
    const message = `${file}: ${kindCounts(leftOut)} without a way on: left out`;
    found.push(finding('TOPOLOGY_LEFT_OUT', message, { file, count: sum(leftOut) }));
  }
  if (repeated > 0) {
    const message = `${file}: ${counted(repeated, 'edge')} between two components that have one already: left out`;
    found.push(finding('TOPOLOGY_LEFT_OUT', message, { file, count: repeated }));
  }
  if (forwarding.size > 0) {
    const first = nodes[contraction.nodes.find((index) => nodes[index].role === 'transit')!].name;
    const message = `${file}: ${kindCounts(forwarding)} with three or more edges: taken as switches, the first ${first}`;
    found.push(finding('TOPOLOGY_TRANSIT', message, { file, count: sum(forwarding) }));
  }
  return found;
}

/** `4 nic, 2 port`. */
function kindCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** Each name once, at most six. */
function named(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.length > 6 ? `${all.slice(0, 6).join(', ')} and ${all.length - 6} more` : all.join(', ');
}
