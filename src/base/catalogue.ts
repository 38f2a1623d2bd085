import { ASTRA_SIM_CODES } from './catalogue/astra-sim.js';
import { FEEDER_CODES } from './catalogue/feeder.js';
import { ATTRIBUTE_CODES } from './catalogue/attributes.js';
import { COLLECTIVE_CODES } from './catalogue/collectives.js';
import { CONFIGURATION_CODES } from './catalogue/configuration.js';
import { CONVENTION_CODES } from './catalogue/conventions.js';
import { DEPENDENCY_CODES } from './catalogue/dependencies.js';
import { EXPANSION_CODES } from './catalogue/expansion.js';
import { FILE_CODES } from './catalogue/files.js';
import { GROUP_CODES } from './catalogue/groups.js';
import { NODE_CODES } from './catalogue/nodes.js';
import { PREPARATION_CODES } from './catalogue/preparation.js';
import { REPAIR_CODES } from './catalogue/repair.js';
import { SYSTEM_FILE_CODES } from './catalogue/system-file.js';
import { SYSTEM_RUN_CODES } from './catalogue/system-run.js';
import { TOPOLOGY_CODES } from './catalogue/topologies.js';
import { TRANSFER_CODES } from './catalogue/transfers.js';
import { LINK_CODES } from './catalogue/link.js';
import { LINK_NODE_CODES } from './catalogue/link-nodes.js';
import { COMMUNICATION_CODES } from './catalogue/communication.js';
import { EXCHANGE_CODES } from './catalogue/exchange.js';
import { WORKLOADS_CODES } from './catalogue/workloads.js';
import { DRAWINGS_CODES } from './catalogue/drawings.js';
import { CONVERSION_CODES } from './catalogue/conversion.js';
import type { CatalogueEntry } from './catalogue/entry.js';
import type { Finding } from './finding.js';

export type { CatalogueEntry } from './catalogue/entry.js';

/** Every code a finding can have. docs/errors.md has a section for each and is made from it. */
export const CATALOGUE = {
  ...FILE_CODES,
  ...NODE_CODES,
  ...DEPENDENCY_CODES,
  ...ATTRIBUTE_CODES,
  ...GROUP_CODES,
  ...COLLECTIVE_CODES,
  ...TRANSFER_CODES,
  ...PREPARATION_CODES,
  ...CONFIGURATION_CODES,
  ...SYSTEM_FILE_CODES,
  ...SYSTEM_RUN_CODES,
  ...EXPANSION_CODES,
  ...CONVENTION_CODES,
  ...REPAIR_CODES,
  ...ASTRA_SIM_CODES,
  ...FEEDER_CODES,
  ...TOPOLOGY_CODES,
  ...LINK_CODES,
  ...LINK_NODE_CODES,
  ...COMMUNICATION_CODES,
  ...CONVERSION_CODES,
  ...WORKLOADS_CODES,
  ...EXCHANGE_CODES,
  ...DRAWINGS_CODES,
} satisfies Record<string, CatalogueEntry>;

export type FindingCode = keyof typeof CATALOGUE;

/** A finding with the severity and advice of its code; `facts` may replace both. */
export function finding(code: FindingCode, message: string, facts: Partial<Finding> = {}): Finding {
  const { severity, advice } = CATALOGUE[code];
  return { code, severity, message, advice, ...facts };
}
