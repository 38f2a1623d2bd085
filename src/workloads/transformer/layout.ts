import { ranksOf, type TransformerParameters } from './parameters.js';

/** Over which of its groups a rank runs a collective. */
export const Scope = { tensor: 0, data: 1, expert: 2, expertData: 3 } as const;

/** What the groups of each scope are called. */
export const SCOPE_NAMES = ['tensor-parallel', 'data-parallel', 'expert-parallel', 'expert-data-parallel'] as const;

/**
 * Where ranks stand: tensor-parallel position innermost, then data-parallel and pipeline stage in the order asked for; ranks that share
 * experts stand next to each other in their data-parallel group. Groups are "1", "2", …: all of a scope, then those of the next; a scope
 * whose groups no node names, or have one rank, has none.
 */
export class TransformerLayout {
  readonly ranks: number;
  /** Groups by name: ranks in the order of their positions. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  readonly #parameters: TransformerParameters;
  readonly #first = [0, 0, 0, 0]; // [scope] number of its first group, 0 none

  /** @param used [scope] whether any node names its groups */
  constructor(parameters: TransformerParameters, used: readonly boolean[]) {
    this.#parameters = parameters;
    this.ranks = ranksOf(parameters);
    const groups = new Map<string, number[]>();
    let next = 1;
    used.forEach((named, scope) => {
      if (!named) return;
      this.#first[scope] = next;
      const members: number[][] = Array.from({ length: this.ranks / this.size(scope) }, () => []);
      // Ranks of a group ascend with their positions in it.
      for (let rank = 0; rank < this.ranks; rank++) members[this.#place(scope, rank)].push(rank);
      for (const ranks of members) groups.set(String(next++), ranks);
    });
    this.groups = groups;
  }

  /** Ranks of each group of a scope. */
  size(scope: number): number {
    const { tp, dp, ep } = this.#parameters;
    if (scope === Scope.tensor) return tp;
    if (scope === Scope.data) return dp;
    return scope === Scope.expert ? ep : dp / ep;
  }

  stageOf(rank: number): number {
    const { tp, dp, pp, rankOrder } = this.#parameters;
    const column = Math.floor(rank / tp);
    return rankOrder === 'tp-dp-pp' ? Math.floor(column / dp) : column % pp;
  }

  /** The rank in the same place of another stage. */
  inStage(rank: number, stage: number): number {
    const { tp, dp, rankOrder } = this.#parameters;
    return rank + (stage - this.stageOf(rank)) * (rankOrder === 'tp-dp-pp' ? tp * dp : tp);
  }

  /** Name of the rank's group of a scope; '' for a scope without groups. */
  groupName(scope: number, rank: number): string {
    const first = this.#first[scope];
    return first === 0 ? '' : String(first + this.#place(scope, rank));
  }

  /** Number of the rank's group among those of the scope, from 0. */
  #place(scope: number, rank: number): number {
    const { tp, dp, pp, ep, rankOrder } = this.#parameters;
    const column = Math.floor(rank / tp);
    if (scope === Scope.tensor) return column;
    const position = rank % tp;
    const stage = this.stageOf(rank);
    if (scope === Scope.data) return position + tp * stage;
    const data = rankOrder === 'tp-dp-pp' ? column % dp : Math.floor(column / pp);
    if (scope === Scope.expert) return position + tp * (Math.floor(data / ep) + (dp / ep) * stage);
    return position + tp * ((data % ep) + ep * stage);
  }
}
