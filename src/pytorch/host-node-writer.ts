import type { EtWriter } from '../formats/et/et-writer.js';

/** Writes what only the host trace says of a node. */
export interface HostNodeWriter {
  /** Adds inputs, outputs and attributes of a host node to the node at hand. */
  write(place: number, out: EtWriter): void;
}
