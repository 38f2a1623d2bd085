import { existsSync, readFileSync } from 'node:fs';
import { requestError } from '../base/errors.js';
import type { NetworkSpec } from '../network/network-spec.js';
import { isShortNetworkForm, parseNetwork } from '../network/parse-network.js';
import { isTopologyText } from '../network/topology/topology-form.js';

/** What `--network` names: a network without packets, or the text of a topology, which may need the number of ranks to be read. */
export type NamedNetwork =
  | { readonly kind: 'without-packets'; readonly spec: NetworkSpec }
  | { readonly kind: 'topology'; readonly text: string };

/**
 * @param name a short form or a file
 * @throws PrepError `NETWORK_UNREADABLE`, or what the parser throws
 */
export function readNetwork(name: string): NamedNetwork {
  if (isShortNetworkForm(name) && !existsSync(name)) return { kind: 'without-packets', spec: parseNetwork(name) };
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (cause) {
    throw requestError(
      'NETWORK_UNREADABLE',
      `network ${name}: cannot be read (${(cause as Error).message})`,
      'expected a file or alpha-beta:latency=1us,bandwidth=50GB/s',
    );
  }
  if (isTopologyText(text, name)) return { kind: 'topology', text };
  return { kind: 'without-packets', spec: parseNetwork(text, name) };
}
