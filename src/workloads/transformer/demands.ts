import { requestError } from '../../base/errors.js';
import { FLAG_OF_PARAMETER, microBatchesOf, ranksOf, type TransformerParameters } from './parameters.js';

/** Whole numbers and the least of each. */
const LEAST = {
  layers: 1,
  hidden: 1,
  heads: 1,
  kvHeads: 1,
  sequence: 1,
  vocabulary: 1,
  ffn: 1,
  experts: 0,
  topK: 0,
  batch: 1,
  dp: 1,
  tp: 1,
  pp: 1,
  ep: 1,
  elementBytes: 1,
  virtualStages: 1,
  zero: 0,
  steps: 1,
} as const satisfies Partial<Record<keyof TransformerParameters, number>>;

/** Ranks have 32-bit numbers in a trace. */
const MOST_RANKS = 2 ** 31 - 1;
/** Tags are int32, two for each micro-batch of a chunk. */
const MOST_TAGS = 2 ** 31 - 1;

/** @throws PrepError `CASE_PARAMETER` for a number that cannot be, or that does not go with another */
export function demandParameters(parameters: TransformerParameters, microBatches: number | undefined): void {
  for (const [name, least] of Object.entries(LEAST) as [keyof typeof LEAST, number][]) {
    const value = parameters[name];
    if (!Number.isSafeInteger(value) || value < least) throw wrong(name, value, `a whole number from ${least}`);
  }
  if (microBatches !== undefined && !(Number.isSafeInteger(microBatches) && microBatches >= 1)) {
    throw wrong('microBatches', microBatches, 'a whole number from 1');
  }
  if (parameters.zero > 3) throw wrong('zero', parameters.zero, '0, 1, 2 or 3');
  demandShapes(parameters);
  demandBatch(parameters, microBatches);
  demandPipeline(parameters);
  demandRates(parameters);
}

function demandShapes(parameters: TransformerParameters): void {
  const { heads, experts, tp, ep, sp, topK } = parameters;
  divides(parameters, 'hidden', 'heads', heads);
  divides(parameters, 'heads', 'kvHeads', parameters.kvHeads);
  divides(parameters, 'heads', 'tp', tp);
  divides(parameters, 'kvHeads', 'tp', tp, 'heads of keys and values are not copied');
  divides(parameters, 'ffn', 'tp', tp);
  divides(parameters, 'vocabulary', 'tp', tp, 'pad it, as training programs do');
  if (sp) {
    if (tp === 1) throw unfit('--sp yes: sequence parallelism is between the ranks of --tp, and --tp is 1');
    divides(parameters, 'sequence', 'tp', tp, 'each of its ranks holds a part of every sequence');
  }
  divides(parameters, 'dp', 'ep', ep, 'ranks that share experts are some of the data-parallel ranks');
  if (experts === 0) {
    if (ep > 1) throw unfit(`--ep ${ep}: there are no experts to share out`, 'state --experts');
    if (topK > 0) throw unfit(`--top-k ${topK}: there are no experts to choose from`, 'state --experts');
    return;
  }
  divides(parameters, 'experts', 'ep', ep);
  if (topK < 1 || topK > experts) throw wrong('topK', topK, `1 to ${experts}, the experts of a layer`);
}

function demandBatch(parameters: TransformerParameters, microBatches: number | undefined): void {
  const { batch, dp, microBatch } = parameters;
  if (!Number.isSafeInteger(microBatch) || microBatch < 1) {
    if (microBatches === undefined) throw wrong('microBatch', microBatch, 'a whole number from 1');
    throw unfit(
      `--batch ${batch}: is no multiple of --dp ${dp} × --micro-batches ${microBatches}`,
      'a micro-batch is a whole number of sequences',
    );
  }
  const count = microBatchesOf(parameters);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw unfit(`--batch ${batch}: is no multiple of --dp ${dp} × --micro-batch ${microBatch}`);
  }
  if (microBatches !== undefined && microBatches !== count) {
    throw unfit(
      `--micro-batches ${microBatches}: --batch ${batch} with --dp ${dp} and --micro-batch ${microBatch} is ${count}`,
      'state one of --micro-batch and --micro-batches',
    );
  }
}

function demandPipeline(parameters: TransformerParameters): void {
  const { layers, pp, virtualStages, schedule, forwardOnly, recompute, zero, steps } = parameters;
  if (ranksOf(parameters) > MOST_RANKS) throw unfit(`${ranksOf(parameters)} ranks: at most ${MOST_RANKS} can be named`);
  if (layers % (pp * virtualStages) !== 0) {
    const chunks = virtualStages === 1 ? '' : ` × --virtual-stages ${virtualStages}`;
    throw unfit(
      `--layers ${layers}: is no multiple of --pp ${pp}${chunks}`,
      'each stage has the same number of layers',
    );
  }
  const microBatches = microBatchesOf(parameters);
  if (virtualStages > 1) {
    if (pp === 1) throw unfit(`--virtual-stages ${virtualStages}: are chunks of a pipeline stage, and --pp is 1`);
    if (schedule === 'gpipe') throw unfit('--schedule gpipe: has no --virtual-stages', 'interleave with 1f1b');
    if (microBatches % pp !== 0) {
      throw unfit(`--virtual-stages ${virtualStages}: ${microBatches} micro-batches are no multiple of --pp ${pp}`);
    }
  }
  if (steps * microBatches * virtualStages * 2 > MOST_TAGS) {
    throw unfit(`--steps ${steps}: with ${microBatches} micro-batches transfers have more than ${MOST_TAGS} tags`);
  }
  if (!forwardOnly) return;
  if (recompute !== 'none') throw unfit(`--recompute ${recompute}: there is no backward pass with --forward-only`);
  if (zero === 1 || zero === 2) throw unfit(`--zero ${zero}: there are no gradients with --forward-only`, 'use 0 or 3');
}

function demandRates({ peakTflops, memoryGbps }: TransformerParameters): void {
  for (const [name, value] of [
    ['peakTflops', peakTflops],
    ['memoryGbps', memoryGbps],
  ] as const) {
    if (value !== undefined && !(value > 0 && Number.isFinite(value))) throw wrong(name, value, 'a number above 0');
  }
  if ((peakTflops === undefined) === (memoryGbps === undefined)) return;
  const missing = peakTflops === undefined ? 'peak-tflops' : 'memory-gbps';
  throw requestError('OPTION_MISSING', `transformer: --${missing} is missing, a roofline has a peak and a bandwidth`);
}

type Numbers = { [Name in keyof TransformerParameters]-?: TransformerParameters[Name] extends number ? Name : never };
type NumberName = Numbers[keyof TransformerParameters];

function divides(
  parameters: TransformerParameters,
  whole: NumberName,
  part: NumberName,
  divisor: number,
  advice?: string,
): void {
  const value = parameters[whole];
  if (value % divisor === 0) return;
  throw unfit(
    `--${FLAG_OF_PARAMETER[whole]} ${value}: is no multiple of --${FLAG_OF_PARAMETER[part]} ${divisor}`,
    advice,
  );
}

function wrong(name: keyof typeof FLAG_OF_PARAMETER, value: number, expected: string): Error {
  return unfit(`--${FLAG_OF_PARAMETER[name]} ${value}: expected ${expected}`);
}

function unfit(message: string, advice?: string): Error {
  return requestError('CASE_PARAMETER', `transformer: ${message}`, advice);
}
