import { requestError } from '../../base/errors.js';
import { readInfraGraph } from './infragraph/infragraph.js';
import { readLinkList } from './link-list.js';
import { readNs3Text, readSimaiText } from './ns3-text.js';
import { readOwnForm } from './own-form.js';
import { recognisedForm, type TopologyForm } from './topology-form.js';
import type { TopologyReading } from './topology-reading.js';

/** The forms that describe hosts, switches and links. */
export type PhysicalForm = Exclude<TopologyForm, 'logical' | 'analytical'>;

/** A topology with the form it was read from. */
export interface ReadTopology extends TopologyReading {
  readonly form: PhysicalForm;
}

/**
 * A packet topology in whatever form its text is (TOPO-1 … TOPO-4, InfraGraph); the content tells which.
 *
 * @param file name for messages
 * @throws PrepError `TOPOLOGY_MALFORMED` with the place; `TOPOLOGY_UNKNOWN` for any other text, among them an analytical network
 *   ({@link isAnalyticalNetwork} tells) and a logical topology ({@link readLogicalTopology} reads it); `TOPOLOGY_RANKS`,
 *   `TOPOLOGY_GENERATOR`
 */
export function readTopology(text: string, file: string, { rankCount }: { rankCount?: number } = {}): ReadTopology {
  const recognised = recognisedForm(text, file);
  switch (recognised.form) {
    case 'ns3':
      return { form: 'ns3', ...readNs3Text(text, file) };
    case 'simai':
      return { form: 'simai', ...readSimaiText(text, file) };
    case 'link-list':
      return { form: 'link-list', ...readLinkList(text, file, rankCount) };
    case 'own':
      return { form: 'own', ...readOwnForm(recognised.document) };
    case 'infragraph':
      return { form: 'infragraph', ...readInfraGraph(recognised.document) };
    case 'logical':
      throw requestError(
        'TOPOLOGY_UNKNOWN',
        `${file}: a logical topology, which says how ranks are arranged and has no hosts and links`,
        'name the physical topology that it goes with, and this file with --logical',
      );
    case 'analytical':
      throw requestError(
        'TOPOLOGY_UNKNOWN',
        `${file}: an analytical network of ASTRA-sim, which has dimensions and no hosts and links`,
        'simulate --network takes it as it is',
      );
  }
}
