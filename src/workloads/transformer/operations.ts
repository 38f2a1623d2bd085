import type { TransformerParameters } from './parameters.js';
import type { StageWeights } from './weights.js';

/** Operations and bytes of a compute. */
export interface Cost {
  /** Floating-point operations, of which a multiplication and its addition are two. */
  readonly operations: number;
  /** Bytes read from and written to memory. */
  readonly bytes: number;
}

/** Computes of the forward pass. */
export type ForwardOperation =
  | 'embedding'
  | 'attention norm'
  | 'attention qkv'
  | 'attention scores'
  | 'attention context'
  | 'attention projection'
  | 'mlp norm'
  | 'mlp up'
  | 'mlp down'
  | 'router'
  | 'experts up'
  | 'experts down'
  | 'final norm'
  | 'logits'
  | 'loss';

/** Computes that have weights in matrices: a gradient of their input and one of their weights. */
type MatrixOperation =
  | 'attention qkv'
  | 'attention projection'
  | 'mlp up'
  | 'mlp down'
  | 'router'
  | 'experts up'
  | 'experts down'
  | 'logits';

export type Operation =
  | ForwardOperation
  | `${MatrixOperation} ${'input' | 'weight'} gradient`
  | `${Exclude<ForwardOperation, MatrixOperation>} gradient`
  | 'optimizer';

/** Operations an element of what is no product of matrices; docs/generate.md has the list. */
const PER_ELEMENT = { norm: 4, softmax: 5, activation: 1, gatedActivation: 2, embedding: 1, optimizer: 12 } as const;

/** Bytes that the optimizer reads and writes of a weight besides gradient and weight: three numbers of 4 bytes, both ways. */
const OPTIMIZER_STATE_BYTES = 24;

/** How often the gradient costs what the forward compute costs: products of two activations and norms have two parts. */
const TWICE: ReadonlySet<string> = new Set([
  'attention norm',
  'attention scores',
  'attention context',
  'mlp norm',
  'final norm',
]);

const MATRICES: ReadonlySet<string> = new Set<MatrixOperation>([
  'attention qkv',
  'attention projection',
  'mlp up',
  'mlp down',
  'router',
  'experts up',
  'experts down',
  'logits',
]);

/**
 * What every compute of one micro-batch costs on one rank; the optimizer is {@link optimizerCost}.
 * Source: docs/generate.md, table of formulas.
 */
export function operationCosts(parameters: TransformerParameters): ReadonlyMap<string, Cost> {
  const costs = new Map<string, Cost>();
  for (const [name, cost] of Object.entries(forwardCosts(parameters))) {
    costs.set(name, cost);
    if (MATRICES.has(name)) {
      costs.set(`${name} input gradient`, cost);
      costs.set(`${name} weight gradient`, cost);
    } else {
      const times = TWICE.has(name) ? 2 : 1;
      costs.set(`${name} gradient`, { operations: times * cost.operations, bytes: times * cost.bytes });
    }
  }
  return costs;
}

function forwardCosts(parameters: TransformerParameters): Record<ForwardOperation, Cost> {
  const { hidden, heads, kvHeads, sequence, vocabulary, ffn, gated, experts, topK, microBatch } = parameters;
  const { tp, ep, sp, elementBytes, forwardOnly } = parameters;
  const tokens = microBatch * sequence;
  /** Tokens of what tensor-parallel ranks do not split otherwise. */
  const ownTokens = sp ? tokens / tp : tokens;
  const kvWidth = (hidden / heads) * kvHeads;
  const qkvWidth = (hidden + 2 * kvWidth) / tp;
  const width = hidden / tp;
  const scores = microBatch * (heads / tp) * sequence * sequence;
  const inner = ffn / tp;
  const ways = gated ? 2 : 1;
  const perInner = gated ? PER_ELEMENT.gatedActivation : PER_ELEMENT.activation;
  const routed = tokens * topK;
  const ownExperts = experts / ep;
  const words = vocabulary / tp;
  const answered = forwardOnly ? microBatch : tokens;

  /** A product of [rows × from] with `matrices` matrices of [from × to], with more operations on its result. */
  const product = (rows: number, from: number, to: number, matrices = 1, further = 0): Cost => ({
    operations: 2 * rows * from * to + further,
    bytes: elementBytes * (rows * from + matrices * from * to + rows * to),
  });
  const norm: Cost = {
    operations: PER_ELEMENT.norm * ownTokens * hidden,
    bytes: elementBytes * (2 * ownTokens * hidden + hidden),
  };
  /** Product with the first matrices of an MLP: gate and not are two of the same shape, their activation is of one. */
  const up = (rows: number, copies: number): Cost => ({
    operations: 2 * rows * hidden * ways * inner + perInner * rows * inner,
    bytes: elementBytes * (rows * hidden + copies * ways * hidden * inner + rows * inner),
  });
  return {
    embedding: { operations: PER_ELEMENT.embedding * tokens * hidden, bytes: elementBytes * 2 * tokens * hidden },
    'attention norm': norm,
    'attention qkv': product(tokens, hidden, qkvWidth),
    'attention scores': {
      operations: 2 * tokens * sequence * width + PER_ELEMENT.softmax * scores,
      bytes: elementBytes * (tokens * width + (tokens * kvWidth) / tp + scores),
    },
    'attention context': {
      operations: 2 * tokens * sequence * width,
      bytes: elementBytes * (scores + (tokens * kvWidth) / tp + tokens * width),
    },
    'attention projection': product(tokens, width, hidden),
    'mlp norm': norm,
    'mlp up': up(tokens, 1),
    'mlp down': product(tokens, inner, hidden),
    router: product(ownTokens, hidden, experts, 1, PER_ELEMENT.softmax * ownTokens * experts),
    'experts up': up(routed, ownExperts),
    'experts down': product(routed, inner, hidden, ownExperts),
    'final norm': norm,
    logits: product(answered, hidden, words),
    loss: { operations: PER_ELEMENT.softmax * tokens * words, bytes: elementBytes * 2 * tokens * words },
  };
}

/** A step of Adam on the weights of a stage, of which ZeRO gives each data-parallel rank a part. */
export function optimizerCost(parameters: TransformerParameters, weights: StageWeights): Cost {
  const { dp, ep, zero, elementBytes } = parameters;
  const dense = zero === 0 ? weights.dense : Math.ceil(weights.dense / dp);
  const ofExperts = zero === 0 ? weights.experts : Math.ceil(weights.experts / (dp / ep));
  const own = dense + ofExperts;
  return {
    operations: PER_ELEMENT.optimizer * own,
    bytes: (OPTIMIZER_STATE_BYTES + 2 * elementBytes) * own,
  };
}
