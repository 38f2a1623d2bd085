import { requestError } from '../base/errors.js';
import type { Network } from '../network/network.js';
import { NodeKind, type NodeTable } from './node-table.js';
import type { NodeLabels } from './node-label.js';

/**
 * That the network has a way for every send of the traces (RT-1); a network that has one between all ranks is not asked.
 * @throws PrepError `NETWORK_NO_ROUTE`
 */
export function demandRoutes(nodes: NodeTable, labels: NodeLabels, network: Network): void {
  const { hasRoute } = network;
  if (hasRoute === undefined) return;
  const known = new Set<number>();
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    known.clear();
    for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
      if (nodes.kind(node) !== NodeKind.send) continue;
      const peer = nodes.peer(node);
      if (peer === rank || known.has(peer)) continue;
      known.add(peer);
      if (hasRoute.call(network, rank, peer)) continue;
      throw requestError(
        'NETWORK_NO_ROUTE',
        `network ${network.name}: no way from rank ${rank} to rank ${peer}, to which ${labels.full(node)} sends`,
        'connect them by switches, or let hosts pass packets on with --set HostsForward=true',
      );
    }
  }
}
