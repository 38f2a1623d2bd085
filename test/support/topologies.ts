import { parseAnalyticalNetwork } from '../../src/network/parse-network.js';
import type { AnalyticalSpec, Topology } from '../../src/network/network-spec.js';

/** Topology, NPUs, bandwidth in GiB/s, latency in ns of one dimension. */
export type DimensionFacts = readonly [topology: Topology, npus: number, gibPerSecond: number, latencyNs: number];

/** The text of a network file. */
export function networkFile(...dimensions: readonly DimensionFacts[]): string {
  const list = (at: number): string => `[ ${dimensions.map((dimension) => dimension[at]).join(', ')} ]`;
  return `topology: ${list(0)}\nnpus_count: ${list(1)}\nbandwidth: ${list(2)}\nlatency: ${list(3)}\n`;
}

export function topologyOf(...dimensions: readonly DimensionFacts[]): AnalyticalSpec {
  return parseAnalyticalNetwork(networkFile(...dimensions), 'n.yml');
}
