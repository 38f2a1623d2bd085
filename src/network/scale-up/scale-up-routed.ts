import { requestError } from '../../base/errors.js';
import type { HeldUp, Network, NetworkFactory } from '../network.js';
import { ScaleUpFabric } from './scale-up-fabric.js';
import type { ScaleUpSpec } from './scale-up-spec.js';
import type { ScaleUpStats } from './scale-up-stats.js';

/**
 * Networks with a scale-up fabric in front: transfers between ranks of one group go over it, all others to the network
 * beyond. Transfers share the fabric, so it has no contention-free times, whatever lies beyond.
 *
 * @param stats counts packets and bytes of each rank where given
 * @throws PrepError `NETWORK_SIZE` when the groups are not told for as many ranks as there are; what `beyond` throws
 */
export function scaleUpRouted(beyond: NetworkFactory, spec: ScaleUpSpec, stats?: ScaleUpStats): NetworkFactory {
  return (rankCount, kernel, listener) => {
    if (spec.groupOf.length !== rankCount) {
      throw requestError(
        'NETWORK_SIZE',
        `scale-up groups: told for ${spec.groupOf.length} ranks, the traceset has ${rankCount}; expected as many`,
        'give the mapping file a line for every rank',
      );
    }
    const outer = beyond(rankCount, kernel, listener);
    return new ScaleUpRouted(outer, new ScaleUpFabric(spec, kernel, listener, stats), spec.groupOf);
  };
}

class ScaleUpRouted implements Network {
  readonly name: string;
  readonly linkBytesPerNs?: number;
  readonly hasRoute?: NonNullable<Network['hasRoute']>;
  readonly #beyond: Network;
  readonly #fabric: ScaleUpFabric;
  readonly #groupOf: Int32Array;

  constructor(beyond: Network, fabric: ScaleUpFabric, groupOf: Int32Array) {
    this.name = `${beyond.name} + scale-up`;
    if (beyond.linkBytesPerNs !== undefined) this.linkBytesPerNs = beyond.linkBytesPerNs;
    this.#beyond = beyond;
    this.#fabric = fabric;
    this.#groupOf = groupOf;
    if (beyond.hasRoute) {
      this.hasRoute = (source, destination) =>
        this.isScaleUp(source, destination) || beyond.hasRoute!(source, destination);
    }
  }

  heldUpBy(nowPs: number): readonly HeldUp[] {
    return this.#beyond.heldUpBy?.(nowPs) ?? [];
  }

  verify(): void {
    this.#beyond.verify?.();
  }

  isScaleUp(source: number, destination: number): boolean {
    const group = this.#groupOf[source];
    return group >= 0 && group === this.#groupOf[destination];
  }

  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void {
    if (this.isScaleUp(source, destination)) this.#fabric.post(transfer, source, destination, bytes);
    else this.#beyond.post(transfer, source, destination, bytes, nowPs);
  }
}
