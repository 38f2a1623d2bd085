import type {
  LayerCollective,
  LayerMode,
  LayerPhase,
  WorkloadLayer,
} from '../../formats/text-workload/text-workload.js';
import type { WorkloadMode } from '../../formats/text-workload/text-workload.js';
import { Scope } from './rank-program.js';

/** Columns of a layer that have a collective. */
export type PhaseName = 'forward' | 'inputGradient' | 'weightGradient';

export const PHASES: readonly PhaseName[] = ['forward', 'inputGradient', 'weightGradient'];

/** How a message calls them. */
export const PHASE_TITLES: Readonly<Record<PhaseName, string>> = {
  forward: 'forward',
  inputGradient: 'input-gradient',
  weightGradient: 'weight-gradient',
};

/** Over which ranks the collectives of a layer's columns run; absent where the mode runs none. */
type Scopes = Partial<Record<PhaseName, number>>;

const DATA: Scopes = { weightGradient: Scope.world };
const MODEL: Scopes = { forward: Scope.world, inputGradient: Scope.world };
const HYBRID: Scopes = { forward: Scope.model, inputGradient: Scope.model, weightGradient: Scope.data };

const SCOPES_OF: Readonly<Record<Exclude<WorkloadMode, 'HYBRID_CUSTOMIZED'> | LayerMode, Scopes>> = {
  MICRO: DATA,
  DATA,
  MODEL,
  HYBRID_DATA_MODEL: HYBRID,
  HYBRID_MODEL_DATA: HYBRID,
  // Its forward and input-gradient collectives are those of the embedding: over all ranks.
  HYBRID_DLRM: { ...MODEL, ...DATA },
  HYBRID_DLRM_ENHANCED: { ...MODEL, ...DATA },
  HYBRID_TRANSFORMER: HYBRID,
  HYBRID_TRANSFORMER_FWD_IN_BCKWD: HYBRID,
};

/** The scope of a layer's collective; `undefined` where the column has none or the mode does not run it. */
export function scopeOf(mode: WorkloadMode, layer: WorkloadLayer, phase: PhaseName): number | undefined {
  const { collective }: LayerPhase = layer[phase];
  const usual = SCOPES_OF[modeOf(mode, layer)][phase];
  if (collective === undefined || usual === undefined) return undefined;
  return ofSuffix(collective, usual);
}

/** The mode that a layer is run in. */
export function modeOf(mode: WorkloadMode, layer: WorkloadLayer): Exclude<WorkloadMode, 'HYBRID_CUSTOMIZED'> {
  return mode === 'HYBRID_CUSTOMIZED' ? layer.mode! : mode;
}

function ofSuffix({ scope }: LayerCollective, usual: number): number {
  if (scope === 'expert') return Scope.expert;
  return scope === 'expert-data' ? Scope.expertData : usual;
}
