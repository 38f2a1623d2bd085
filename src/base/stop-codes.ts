import { COMMAND_LINE_STOPS } from './stop-codes/command-line.js';
import { CONFIGURATION_STOPS } from './stop-codes/configuration.js';
import { FEEDER_STOPS } from './stop-codes/feeder.js';
import { INPUT_STOPS } from './stop-codes/input.js';
import { NETWORK_STOPS } from './stop-codes/network.js';
import { SYSTEM_FILE_STOPS } from './stop-codes/system-file.js';
import { SYSTEM_RUN_STOPS } from './stop-codes/system-run.js';
import { TOPOLOGY_STOPS } from './stop-codes/topologies.js';
import { TRACE_STOPS } from './stop-codes/traces.js';
import { LINK_STOPS } from './stop-codes/link.js';
import { EXCHANGE_STOPS } from './stop-codes/exchange.js';
import { WORKLOADS_STOPS } from './stop-codes/workloads.js';
import { DRAWINGS_STOPS } from './stop-codes/drawings.js';
import { CONVERSION_STOPS } from './stop-codes/conversion.js';
import type { StopEntry } from './stop-codes/entry.js';

export type { StopEntry } from './stop-codes/entry.js';

/** Every code that stops a command at once and is not the code of a finding. docs/errors.md has a section for each. */
export const STOP_CODES = {
  ...TRACE_STOPS,
  ...COMMAND_LINE_STOPS,
  ...CONFIGURATION_STOPS,
  ...NETWORK_STOPS,
  ...TOPOLOGY_STOPS,
  ...SYSTEM_FILE_STOPS,
  ...SYSTEM_RUN_STOPS,
  ...FEEDER_STOPS,
  ...LINK_STOPS,
  ...CONVERSION_STOPS,
  ...WORKLOADS_STOPS,
  ...EXCHANGE_STOPS,
  ...DRAWINGS_STOPS,
  ...INPUT_STOPS,
} satisfies Record<string, StopEntry>;

export type StopCode = keyof typeof STOP_CODES;
