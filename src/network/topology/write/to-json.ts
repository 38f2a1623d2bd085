import type { Topology, TopologyLink } from '../topology.js';
import { nanosecondsText } from './decimal-text.js';

/** A topology in the form of schemas/topology.schema.json (TOPO-4), a node or link a line; what is the default is left out of links. */
export function topologyJson({ nodes, links }: Topology): string {
  const nodeLines = nodes.map(({ kind, name, tier }, id) => JSON.stringify({ id, kind, name, tier }));
  const linkLines: string[] = [];
  for (let first = 0; first < links.length;) {
    let end = first + 1;
    while (end < links.length && areAlike(links[first], links[end])) end++;
    linkLines.push(linkLine(links[first], end - first));
    first = end;
  }
  const list = (lines: readonly string[]): string => (lines.length === 0 ? '[]' : `[\n  ${lines.join(',\n  ')}\n ]`);
  return `{\n "version": 1,\n "nodes": ${list(nodeLines)},\n "links": ${list(linkLines)}\n}\n`;
}

function linkLine({ a, b, gbps, delayPs, loss, plane, queueBytes }: TopologyLink, count: number): string {
  const others = {
    ...(loss === 0 ? {} : { loss }),
    ...(count === 1 ? {} : { count }),
    ...(plane === 0 ? {} : { plane }),
    ...(queueBytes === undefined ? {} : { queueBytes }),
  };
  const rest = JSON.stringify(others).slice(1, -1);
  return `{"a":${a},"b":${b},"gbps":${gbps},"delayNs":${nanosecondsText(delayPs)}${rest === '' ? '' : `,${rest}`}}`;
}

function areAlike(one: TopologyLink, other: TopologyLink): boolean {
  return (
    one.a === other.a &&
    one.b === other.b &&
    one.gbps === other.gbps &&
    one.delayPs === other.delayPs &&
    one.loss === other.loss &&
    one.plane === other.plane &&
    one.queueBytes === other.queueBytes
  );
}
