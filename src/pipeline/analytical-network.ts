import { existsSync } from 'node:fs';
import { requestError } from '../base/errors.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import { isShortNetworkForm } from '../network/parse-network.js';
import type { OpenTraceset } from './open-traceset.js';
import { readNetwork } from './simulated-network.js';

/** @throws PrepError `SYSTEM_CONTRADICTED` for a network that is no analytical one, and what {@link readNetwork} throws */
export function analyticalNetwork(text: string): AnalyticalSpec {
  const isForm = isShortNetworkForm(text) && !existsSync(text);
  const spec = isForm ? undefined : readNetwork(text);
  if (spec?.kind === 'analytical') return spec;
  throw requestError(
    'SYSTEM_CONTRADICTED',
    `--network ${text} does not go with --system: expected an analytical network file`,
    'name a .yml file with topology, npus_count, bandwidth and latency',
  );
}

/** @throws PrepError `NETWORK_SIZE` */
export function demandRankEachNpu({ dimensions }: AnalyticalSpec, network: string, { files }: OpenTraceset): void {
  const counts = dimensions.map(({ npus }) => npus);
  const npus = counts.reduce((product, count) => product * count, 1);
  if (npus === files.length) return;
  const product = counts.length === 1 ? '' : ` = ${counts.join(' × ')}`;
  const ranks = files.length === 1 ? 'one rank' : `${files.length} ranks`;
  throw requestError(
    'NETWORK_SIZE',
    `${network}: npus_count is ${npus}${product}, the traceset has ${ranks}; expected one NPU a rank`,
  );
}
