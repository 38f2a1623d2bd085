import type { TransformerParameters } from './parameters.js';

/** Weights that one rank holds of something, were nothing shared out between data-parallel ranks. */
export interface StageWeights {
  /** Of what every data-parallel rank has the same of. */
  readonly dense: number;
  /** Of its experts, which the ranks of one expert-data-parallel group have the same of. */
  readonly experts: number;
}

/** Weights of a layer: two norms, attention, and MLP or router and experts. */
export function layerWeights(parameters: TransformerParameters): StageWeights {
  const { hidden, heads, kvHeads, ffn, gated, experts, tp, ep } = parameters;
  const kvWidth = (hidden / heads) * kvHeads;
  const attention = (hidden * (hidden + 2 * kvWidth) + hidden * hidden) / tp;
  const mlp = ((gated ? 3 : 2) * hidden * ffn) / tp;
  const dense = 2 * hidden + attention;
  if (experts === 0) return { dense: dense + mlp, experts: 0 };
  return { dense: dense + hidden * experts, experts: (experts / ep) * mlp };
}

/** Weights of the embedding. */
export function embeddingWeights({ vocabulary, hidden, tp }: TransformerParameters): StageWeights {
  return { dense: (vocabulary * hidden) / tp, experts: 0 };
}

/** Weights of the end: a norm, and the logits, which have weights of their own. */
export function headWeights({ vocabulary, hidden, tp }: TransformerParameters): StageWeights {
  return { dense: hidden + (vocabulary * hidden) / tp, experts: 0 };
}

export function sumOfWeights(all: readonly StageWeights[]): StageWeights {
  return {
    dense: all.reduce((sum, { dense }) => sum + dense, 0),
    experts: all.reduce((sum, { experts }) => sum + experts, 0),
  };
}
