import type { Finding } from '../../../base/finding.js';
import type { Topology } from '../topology.js';
import { topologyDot } from './to-dot.js';
import { topologyJson } from './to-json.js';
import { lostInNs3Text, topologyNs3Text } from './to-ns3.js';

/** Forms that a topology can be written in. */
export const WRITTEN_FORMS = ['json', 'ns3', 'dot'] as const;
export type WrittenForm = (typeof WRITTEN_FORMS)[number];

/**
 * A topology in a form, and what that has no place for.
 * @param file for messages
 */
export function writtenTopology(
  topology: Topology,
  form: WrittenForm,
  file: string,
): { text: string; findings: readonly Finding[] } {
  switch (form) {
    case 'json':
      return { text: topologyJson(topology), findings: [] };
    case 'ns3':
      return { text: topologyNs3Text(topology), findings: lostInNs3Text(topology, file) };
    case 'dot':
      return { text: topologyDot(topology), findings: [] };
  }
}
