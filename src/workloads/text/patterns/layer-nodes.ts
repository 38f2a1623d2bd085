import type { LayerCollective, WorkloadLayer, WorkloadMode } from '../../../formats/text-workload/text-workload.js';
import { layerNames, type LayerNames } from '../layer-names.js';
import { scopeOf } from '../layer-scopes.js';
import type { RankProgram } from '../rank-program.js';

/** No node. */
export const NONE = -1;

/** Adds the nodes of one layer, in any pass. */
export class LayerNodes {
  readonly #names: LayerNames;
  readonly #forwardScope: number | undefined;
  readonly #inputScope: number | undefined;
  readonly #weightScope: number | undefined;

  constructor(
    readonly program: RankProgram,
    readonly layer: WorkloadLayer,
    mode: WorkloadMode,
  ) {
    this.#names = layerNames(layer, mode);
    this.#forwardScope = scopeOf(mode, layer, 'forward');
    this.#inputScope = scopeOf(mode, layer, 'inputGradient');
    this.#weightScope = scopeOf(mode, layer, 'weightGradient');
  }

  forward(parents: readonly number[]): number {
    return this.program.compute(this.#names.forward, this.layer.forward.time, parents);
  }

  forwardAgain(parents: readonly number[]): number {
    return this.program.compute(this.#names.forwardAgain, this.layer.forward.time, parents);
  }

  inputGradient(parents: readonly number[]): number {
    return this.program.compute(this.#names.inputGradient, this.layer.inputGradient.time, parents);
  }

  weightGradient(parents: readonly number[]): number {
    return this.program.compute(this.#names.weightGradient, this.layer.weightGradient.time, parents);
  }

  /** Each of the next three gives {@link NONE} where the layer or its mode has no such collective. */
  forwardCollective(...parents: readonly number[]): number {
    return this.#collective(this.layer.forward.collective, this.#forwardScope, this.#names.forwardCollective, parents);
  }

  inputGradientCollective(...parents: readonly number[]): number {
    const { collective } = this.layer.inputGradient;
    return this.#collective(collective, this.#inputScope, this.#names.inputGradientCollective, parents);
  }

  weightGradientCollective(...parents: readonly number[]): number {
    const { collective } = this.layer.weightGradient;
    return this.#collective(collective, this.#weightScope, this.#names.weightGradientCollective, parents);
  }

  #collective(
    collective: LayerCollective | undefined,
    scope: number | undefined,
    name: Uint8Array,
    parents: readonly number[],
  ): number {
    if (collective === undefined || scope === undefined) return NONE;
    return this.program.collective(name, collective.type, collective.bytes, scope, parents);
  }
}

/** The ids that are nodes. */
export function nodesOf(...ids: readonly number[]): number[] {
  return ids.filter((id) => id !== NONE);
}
