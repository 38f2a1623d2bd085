import { CollectiveType } from '../../trace/collective-type.js';
import { Scope } from './layout.js';
import type { Part } from './part.js';
import type { RankNodes } from './rank-nodes.js';

/** Weights of a part, and the ranks that have the same. */
interface Share {
  readonly scope: number;
  readonly ranks: number;
  readonly weights: number;
  readonly of: string;
}

/**
 * Collectives of gradients and weights between data-parallel ranks, a part of the model each, as ZeRO's stages have them (Rajbhandari et al., 2020):
 * 0 all-reduces gradients; 1 reduce-scatters them and all-gathers the weights behind the optimizer; 2 reduce-scatters those of every
 * micro-batch, as no rank keeps them whole; 3 does, and all-gathers weights before each use and not behind the optimizer. All of them run beside the computes.
 */
export class DataParallel {
  readonly #nodes: RankNodes;
  readonly #reduced = new Map<string, number[]>(); // by part: the last collectives of its gradients
  readonly #gathered = new Map<Part, number[]>(); // all-gathers that its next use waits for

  constructor(nodes: RankNodes) {
    this.#nodes = nodes;
  }

  /** ZeRO 3: gathers the weights of a part once `parents` are done, for its next use. */
  gatherForUse(part: Part, parents: readonly number[]): void {
    if (this.#nodes.parameters.zero < 3) return;
    this.#gatherWeights(part, parents);
  }

  /** The part is used next: waits for its weights. */
  use(part: Part): void {
    const ids = this.#gathered.get(part);
    if (ids === undefined) return;
    this.#nodes.join(ids);
    this.#gathered.delete(part);
  }

  /** The gradients of a micro-batch are there. @param last whether it is the last of the step */
  reduceGradients(part: Part, last: boolean): void {
    const { zero, elementBytes } = this.#nodes.parameters;
    if (!last && zero < 2) return;
    const type = zero === 0 ? CollectiveType.allReduce : CollectiveType.reduceScatter;
    for (const { scope, ranks, weights, of } of this.#shares(part)) {
      const key = `${part.name}${of}`;
      // Gradients are added to those of the micro-batch before, so behind them.
      const parents = [...this.#nodes.front, ...(this.#reduced.get(key) ?? [])];
      const elements = zero === 0 ? weights : Math.ceil(weights / ranks) * ranks;
      this.#reduced.set(key, this.#nodes.beside(scope, type, elements * elementBytes, `${of}gradients`, parents));
    }
  }

  /** The optimizer is next: waits for all gradients. */
  useGradients(): void {
    for (const ids of this.#reduced.values()) this.#nodes.join(ids);
    this.#reduced.clear();
  }

  /** The optimizer is done with the part of the weights of this rank. */
  gatherUpdated(part: Part): void {
    const { zero } = this.#nodes.parameters;
    if (zero === 1 || zero === 2) this.#gatherWeights(part, this.#nodes.front);
  }

  #gatherWeights(part: Part, parents: readonly number[]): void {
    const { elementBytes } = this.#nodes.parameters;
    const ids = this.#shares(part).flatMap(({ scope, ranks, weights, of }) => {
      const bytes = Math.ceil(weights / ranks) * elementBytes;
      return this.#nodes.beside(scope, CollectiveType.allGather, bytes, `${of}weights`, parents);
    });
    if (ids.length > 0) this.#gathered.set(part, ids);
  }

  #shares({ weights }: Part): Share[] {
    const { dp, ep } = this.#nodes.parameters;
    const all: Share[] =
      ep === 1
        ? [{ scope: Scope.data, ranks: dp, weights: weights.dense + weights.experts, of: '' }]
        : [
            { scope: Scope.data, ranks: dp, weights: weights.dense, of: '' },
            { scope: Scope.expertData, ranks: dp / ep, weights: weights.experts, of: 'experts ' },
          ];
    return all.filter(({ ranks, weights: count }) => ranks > 1 && count > 0);
  }
}
