import type { Fabric } from '../fabric.js';
import type { PacketNetworkSpec } from '../../settings/packet-settings.js';
import { egressLimitBytes } from '../port-records.js';
import type { SharedBuffer } from '../shared-buffer.js';
import { DynamicPfc } from './dynamic-pfc.js';
import { LossyPools, poolBytes } from './pool.js';
import { StaticPfc } from './static-pfc.js';

/** What the switches of a run keep account of. */
export type BufferKind = 'static-pfc' | 'dynamic-pfc' | 'lossy-pools';

/**
 * The shared buffer that a run needs; undefined where none could make a difference, so that its ports need no event at the end of
 * a serialisation.
 *
 * With PFC every arrival and departure counts. Without it a pool counts only where it could turn a packet away that its egress
 * would take: where limits depend on what is free (`LossyAlpha`), and where the limits of a switch's egresses together, those of
 * retransmissions included, are more than its pool. Elsewhere the queues cannot outgrow the pool, so it is not kept.
 */
export function bufferKind({ topology, settings }: PacketNetworkSpec): BufferKind | undefined {
  const { switches } = settings;
  if (switches.pfc !== 'off' && switches.lossless.some(Boolean)) {
    return switches.pfc === 'static' ? 'static-pfc' : 'dynamic-pfc';
  }
  if (switches.lossyAlpha !== undefined) return 'lossy-pools';
  const factor = [switches.trimming ? Math.max(1, switches.retransmissionFactor) : 1, 1];
  const mightBind = factor.some((times, packetClass) => {
    const limits = new Float64Array(topology.nodes.length);
    for (const { a, b, queueBytes } of topology.links) {
      const limit = times * egressLimitBytes(switches, queueBytes, packetClass);
      if (topology.nodes[a].kind !== 'host') limits[a] += limit;
      if (topology.nodes[b].kind !== 'host') limits[b] += limit;
    }
    const pool = poolBytes(switches.bufferBytes, 0, packetClass);
    return limits.some((limit) => limit > pool);
  });
  return mightBind ? 'lossy-pools' : undefined;
}

/** The buffer of a kind, for the switches of a fabric whose ports are explicit. */
export function sharedBuffer(kind: BufferKind, fabric: Fabric): SharedBuffer {
  const { spec, numbers, counters } = fabric;
  const { switches } = spec.settings;
  if (kind === 'lossy-pools') return new LossyPools(numbers, switches.bufferBytes);
  const sendPfc = (port: number, packetClass: number, stop: boolean): void => fabric.sendPfc(port, packetClass, stop);
  return kind === 'static-pfc'
    ? new StaticPfc(numbers, switches, counters, sendPfc)
    : new DynamicPfc(spec, numbers, counters, sendPfc);
}
