import { finding } from '../../base/catalogue.js';
import { requestError, type PrepError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { demandParameters } from './demands.js';
import { FLAG_OF_PARAMETER, type StatedTransformer, type TransformerParameters } from './parameters.js';

/** Parameters that have no default: a model and a batch. */
const NEEDED = ['layers', 'hidden', 'heads', 'sequence', 'vocabulary', 'batch'] as const;

/**
 * All numbers of a transformer from those that were stated.
 * @returns them, and what was defaulted as one finding, `WORKLOAD_DEFAULTS`
 * @throws PrepError `OPTION_MISSING` where a model or batch is not there; `CASE_PARAMETER` for a number that cannot be, or does not
 *   go with another
 */
export function completeTransformer(stated: StatedTransformer): {
  parameters: TransformerParameters;
  findings: Finding[];
} {
  const missing = NEEDED.filter((name) => stated[name] === undefined);
  if (missing.length > 0) throw parametersMissing(missing);
  const defaulted: string[] = [];
  const or = <Name extends keyof TransformerParameters>(
    name: Name,
    value: NonNullable<TransformerParameters[Name]>,
    why?: string,
  ): NonNullable<TransformerParameters[Name]> => {
    const given = stated[name];
    if (given !== undefined) return given as NonNullable<TransformerParameters[Name]>;
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
    defaulted.push(`${FLAG_OF_PARAMETER[name]} ${text}${why === undefined ? '' : ` (${why})`}`);
    return value;
  };
  const [layers, hidden, heads, sequence, vocabulary, batch] = NEEDED.map((name) => stated[name]!);
  const kvHeads = or('kvHeads', heads, 'as heads');
  const ffn = or('ffn', 4 * hidden, '4 × hidden');
  const gated = or('gated', false);
  const experts = or('experts', 0);
  const topK = experts === 0 ? (stated.topK ?? 0) : or('topK', Math.min(2, experts));
  const dp = or('dp', 1);
  const tp = or('tp', 1);
  const pp = or('pp', 1);
  const ep = experts === 0 ? (stated.ep ?? 1) : or('ep', 1);
  const sp = tp === 1 ? (stated.sp ?? false) : or('sp', false);
  const microBatches = stated.microBatches;
  const microBatch =
    stated.microBatch === undefined && microBatches !== undefined
      ? batch / (dp * microBatches)
      : or('microBatch', 1, 'sequences');
  const forwardOnly = or('forwardOnly', false);
  const parameters: TransformerParameters = {
    ...{ layers, hidden, heads, kvHeads, sequence, vocabulary, ffn, gated, experts, topK, batch, microBatch },
    ...{ dp, tp, pp, ep, sp },
    elementBytes: or('elementBytes', 2),
    schedule: pp === 1 || forwardOnly ? (stated.schedule ?? '1f1b') : or('schedule', '1f1b'),
    virtualStages: pp === 1 ? (stated.virtualStages ?? 1) : or('virtualStages', 1),
    recompute: forwardOnly ? (stated.recompute ?? 'none') : or('recompute', 'none'),
    zero: dp === 1 ? (stated.zero ?? 0) : or('zero', 0),
    steps: or('steps', 1),
    forwardOnly,
    rankOrder: dp === 1 || pp === 1 ? (stated.rankOrder ?? 'tp-dp-pp') : or('rankOrder', 'tp-dp-pp'),
    ...(stated.peakTflops === undefined ? {} : { peakTflops: stated.peakTflops }),
    ...(stated.memoryGbps === undefined ? {} : { memoryGbps: stated.memoryGbps }),
    ...(stated.durationsMicros === undefined ? {} : { durationsMicros: stated.durationsMicros }),
  };
  demandParameters(parameters, microBatches);
  if (defaulted.length === 0) return { parameters, findings: [] };
  const message = `transformer: not given, so by default: ${defaulted.join(', ')}`;
  return { parameters, findings: [finding('WORKLOAD_DEFAULTS', message, { count: defaulted.length })] };
}

function parametersMissing(missing: readonly (keyof StatedTransformer)[]): PrepError {
  const flags = missing.map((name) => `--${FLAG_OF_PARAMETER[name]}`);
  const all = NEEDED.map((name) => `--${FLAG_OF_PARAMETER[name]}`).join(', ');
  const are = flags.length === 1 ? 'is' : 'are';
  return requestError(
    'OPTION_MISSING',
    `transformer: ${flags.join(', ')} ${are} missing, and nothing is guessed in their place`,
    `a model and a batch are needed: ${all}`,
  );
}
