import { finding } from '../../../base/catalogue.js';
import { counted } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { topologyOf } from '../nodes-and-links.js';
import type { Topology } from '../topology.js';
import { decimalText, nanosecondsText } from './decimal-text.js';

/** A topology as ASTRA-sim's ns-3 backend reads it (TOPO-1). */
export function topologyNs3Text({ nodes, links }: Topology): string {
  const switches = nodes.flatMap(({ kind }, id) => (kind === 'host' ? [] : [id]));
  const rows = links.map(
    ({ a, b, gbps, delayPs, loss }) =>
      `${a} ${b} ${decimalText(gbps)}Gbps ${nanosecondsText(delayPs)}ns ${decimalText(loss)}`,
  );
  return [`${nodes.length} ${switches.length} ${links.length}`, switches.join(' '), ...rows, ''].join('\n');
}

/** What of a topology the ns-3 text has no place for. */
export function lostInNs3Text({ nodes, links }: Topology, file: string): Finding[] {
  const plain = topologyOf(
    nodes.map(({ kind }) => ({ kind: kind === 'host' ? kind : 'switch' })),
    links,
    file,
  );
  const lost = [
    counted(nodes.filter(({ name }, id) => name !== plain.nodes[id].name).length, 'name'),
    counted(nodes.filter(({ tier }, id) => tier !== plain.nodes[id].tier).length, 'tier'),
    counted(nodes.filter(({ kind }) => kind === 'nvswitch').length, 'NV switch', 'NV switches'),
    counted(links.filter(({ plane }) => plane !== 0).length, 'plane'),
    counted(links.filter(({ queueBytes }) => queueBytes !== undefined).length, 'queue limit'),
  ].filter((part) => !part.startsWith('0 '));
  if (lost.length === 0) return [];
  // Names are for people alone.
  const severity = /^[0-9,]+ names?$/.test(lost.join(', ')) ? 'note' : 'warning';
  return [finding('TOPOLOGY_FORM_LOSES', `${file}: ns-3 text has no place for ${lost.join(', ')}`, { severity, file })];
}
