import type { LayerPhase, WorkloadLayer, WorkloadMode } from '../../formats/text-workload/text-workload.js';

const encoder = new TextEncoder();

/** Names of the nodes of a layer, UTF-8, as chakra_converter Text gives them (chakra-tools section 3). */
export interface LayerNames {
  readonly forward: Uint8Array;
  readonly inputGradient: Uint8Array;
  readonly weightGradient: Uint8Array;
  readonly forwardCollective: Uint8Array;
  readonly inputGradientCollective: Uint8Array;
  readonly weightGradientCollective: Uint8Array;
  /** The forward compute done again in the backward pass. */
  readonly forwardAgain: Uint8Array;
}

/** @param mode HYBRID_DATA_MODEL has a name of its own for the input-gradient collective */
export function layerNames(layer: WorkloadLayer, mode: WorkloadMode): LayerNames {
  const compute = (part: string): Uint8Array => encoder.encode(`COMP_NODE_${layer.name}_${part}`);
  const collective = ({ collective: of }: LayerPhase, part = ''): Uint8Array =>
    encoder.encode(`COMM_COLL_NODE_${layer.name}${part}_${of?.name ?? ''}`);
  return {
    forward: compute('FWD'),
    inputGradient: compute('BWD_IG'),
    weightGradient: compute('BWD_WG'),
    forwardCollective: collective(layer.forward),
    inputGradientCollective: collective(layer.inputGradient, mode === 'HYBRID_DATA_MODEL' ? '_IG_COMM_' : ''),
    weightGradientCollective: collective(layer.weightGradient),
    forwardAgain: compute('FWD_IN_BCKWD'),
  };
}
