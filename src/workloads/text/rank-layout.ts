import { Scope, SCOPES } from './rank-program.js';

/** How many ranks stand along each dimension of a job: model-parallel ranks are neighbours, then data-parallel, then stages. */
export interface Dimensions {
  readonly model: number;
  readonly data: number;
  readonly stages: number;
  /** Data-parallel ranks that share the experts of a layer; divides `data`. */
  readonly experts: number;
}

/**
 * Which ranks form which groups: rank = t + model × (d + data × stage), with t the position among the model-parallel ranks and d among
 * the data-parallel ones. A group of experts has the same t and stage and neighbouring d; the ranks with the same place in these
 * groups are data-parallel over the experts. Source: exchange-formats section 9.
 */
export class RankLayout {
  readonly ranks: number;
  /** [scope] number of the first group of a scope, from 1; 0 for a scope without groups. */
  readonly #first = new Int32Array(SCOPES);
  readonly groups: ReadonlyMap<string, readonly number[]>;

  /** @param scopes those that collectives run over; names of groups go on over them, from "1" */
  constructor(
    readonly dimensions: Dimensions,
    scopes: ReadonlySet<number>,
  ) {
    const { model, data, stages } = dimensions;
    this.ranks = model * data * stages;
    let next = 1;
    const groups = new Map<string, number[]>();
    for (let scope: number = Scope.model; scope < SCOPES; scope++) {
      if (!scopes.has(scope)) continue;
      this.#first[scope] = next;
      next += this.groupCount(scope);
      for (let rank = 0; rank < this.ranks; rank++) {
        const name = this.groupName(scope, rank);
        const members = groups.get(name);
        if (members === undefined) groups.set(name, [rank]);
        else members.push(rank);
      }
    }
    this.groups = groups;
  }

  stageOf(rank: number): number {
    return Math.floor(rank / (this.dimensions.model * this.dimensions.data));
  }

  groupCount(scope: number): number {
    const { model, data, stages, experts } = this.dimensions;
    if (scope === Scope.model) return data * stages;
    if (scope === Scope.data) return model * stages;
    return scope === Scope.expert ? model * (data / experts) * stages : model * experts * stages;
  }

  groupSize(scope: number): number {
    const { model, data, experts } = this.dimensions;
    if (scope === Scope.model) return model;
    if (scope === Scope.data) return data;
    if (scope === Scope.expert) return experts;
    return scope === Scope.expertData ? data / experts : this.ranks;
  }

  /** '' for the world and for a scope without groups. */
  groupName(scope: number, rank: number): string {
    const first = this.#first[scope];
    return first === 0 ? '' : String(first + this.#place(scope, rank));
  }

  /** Number of the rank's group among those of the scope, from 0. */
  #place(scope: number, rank: number): number {
    const { model, data, experts } = this.dimensions;
    const t = rank % model;
    const column = Math.floor(rank / model); // d + data × stage
    if (scope === Scope.model) return column;
    const d = column % data;
    const stage = Math.floor(column / data);
    if (scope === Scope.data) return t + model * stage;
    if (scope === Scope.expert) return t + model * (Math.floor(d / experts) + (data / experts) * stage);
    return t + model * ((d % experts) + experts * stage);
  }
}
