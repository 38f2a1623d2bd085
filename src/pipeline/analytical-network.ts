import { existsSync } from 'node:fs';
import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import { ranksText } from '../base/rank-runs.js';
import { npusOf } from '../network/analytical-placement.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import { isShortNetworkForm } from '../network/parse-network.js';
import type { OpenTraceset } from './open-traceset.js';
import { readNetwork } from './named-network.js';

/** @throws PrepError `SYSTEM_CONTRADICTED` for a network that is no analytical one, and what {@link readNetwork} throws */
export function analyticalNetwork(text: string): AnalyticalSpec {
  const isForm = isShortNetworkForm(text) && !existsSync(text);
  const named = isForm ? undefined : readNetwork(text);
  if (named?.kind === 'without-packets' && named.spec.kind === 'analytical') return named.spec;
  throw requestError(
    'SYSTEM_CONTRADICTED',
    `--network ${text} does not go with --system: expected an analytical network file`,
    'name a .yml file with topology, npus_count, bandwidth and latency',
  );
}

/**
 * The traceset with a rank for every NPU: the program reads the files of ranks below the number of NPUs, and no others.
 * @throws PrepError `NETWORK_SIZE` where there are fewer
 */
export function rankEachNpu(spec: AnalyticalSpec, network: string, opened: OpenTraceset): OpenTraceset {
  const { files } = opened;
  const npus = npusOf(spec);
  const within = files.filter(({ rank }) => rank < npus);
  const beyond = files.filter(({ rank }) => rank >= npus).map(({ rank }) => rank);
  // What is missing or doubled beyond does not matter.
  const findings = opened.findings.filter(({ rank = 0, severity }) => rank < npus || severity !== 'error');
  const isWhole = !findings.some(({ severity }) => severity === 'error');
  if (within.length < npus && isWhole) {
    throw requestError(
      'NETWORK_SIZE',
      `${network}: npus_count is ${npusText(spec)}, the traceset has ${counted(files.length, 'rank')}; expected a rank for every NPU`,
    );
  }
  if (beyond.length === 0) return opened;
  const message = `${network}: ${npus} NPUs for ${files.length} trace files: ${ranksText(beyond)} ${beyond.length === 1 ? 'is' : 'are'} left out`;
  const leftOut = finding('SYSTEM_TRACES_LEFT_OUT', message, { count: beyond.length });
  return { ...opened, files: within, findings: [...findings, leftOut] };
}

/** @throws PrepError `NETWORK_SIZE` unless there are as many ranks as NPUs */
export function demandRankEachNpu(spec: AnalyticalSpec, network: string, { files }: OpenTraceset): void {
  const npus = npusOf(spec);
  if (npus === files.length) return;
  throw requestError(
    'NETWORK_SIZE',
    `${network}: npus_count is ${npusText(spec)}, the traceset has ${counted(files.length, 'rank')}; expected one NPU a rank`,
  );
}

/** How a message says the number of NPUs: `8`, `8 = 4 × 2`. */
function npusText(spec: AnalyticalSpec): string {
  const { dimensions } = spec;
  return dimensions.length === 1
    ? String(npusOf(spec))
    : `${npusOf(spec)} = ${dimensions.map(({ npus }) => npus).join(' × ')}`;
}
