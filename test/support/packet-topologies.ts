import { readTopology } from '../../src/network/topology/read-topology.js';
import { generatedTopology } from '../../src/network/topology/generators/generators.js';
import type { Topology } from '../../src/network/topology/topology.js';

/** A topology of its text, without findings. */
export function topologyOfText(text: string, rankCount?: number): Topology {
  const { topology, findings } = readTopology(text, 't', rankCount === undefined ? {} : { rankCount });
  expect(findings).toEqual([]);
  return topology;
}

/** A generated topology of 400 Gbit/s and 500 ns. */
export function generated(type: string, parameters: Readonly<Record<string, number>>): Topology {
  return generatedTopology(type, { gbps: 400, delayNs: 500, ...parameters });
}

/** ns-3 text of hosts and switches with links `a b`, all of 400 Gbit/s and 500 ns. */
export function ns3Of(
  nodes: number,
  switches: readonly number[],
  links: readonly (readonly [number, number])[],
): string {
  const rows = links.map(([a, b]) => `${a} ${b} 400Gbps 500ns 0`);
  return [`${nodes} ${switches.length} ${links.length}`, switches.join(' '), ...rows, ''].join('\n');
}
