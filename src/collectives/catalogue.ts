import { requestError } from '../base/errors.js';
import { COLLECTIVE_NAMES, CollectiveType } from '../trace/collective-type.js';
import type { Algorithm } from './algorithm.js';
import { interleavedAllToAll, sequentialAllToAll } from './all-to-all.js';
import { barrierOf } from './barrier.js';
import { doubleTreeAllReduce } from './double-tree.js';
import { halvingDoublingAllReduce, halvingReduceScatter } from './halving-doubling.js';
import { ringAllGather, ringAllReduce, ringReduce, ringReduceScatter } from './ring.js';
import { directGather, directScatter, interleavedBroadcast, sequentialBroadcast } from './rooted.js';
import { treeAllReduce, treeReduce } from './tree.js';

const allReduceAlgorithms = [ringAllReduce, treeAllReduce, doubleTreeAllReduce, halvingDoublingAllReduce];

/** Algorithms of each collective, by type number; the first is the default. */
export const ALGORITHMS: readonly (readonly Algorithm[])[] = byType({
  allReduce: allReduceAlgorithms,
  reduce: [ringReduce, treeReduce],
  allGather: [ringAllGather],
  gather: [directGather],
  scatter: [directScatter],
  broadcast: [interleavedBroadcast, sequentialBroadcast],
  allToAll: [interleavedAllToAll, sequentialAllToAll],
  reduceScatter: [ringReduceScatter, halvingReduceScatter],
  reduceScatterBlock: [ringReduceScatter],
  barrier: allReduceAlgorithms.map(barrierOf),
});

/** The pattern of the barrier that synchronization puts before a collective, whatever the barrier option says. */
export const SYNC_BARRIER: Algorithm = barrierOf(treeAllReduce);

/**
 * Algorithms by the collective's option name, those of the catalogue by name: `{ allreduce: 'tree' }`; what is left out takes its
 * default.
 */
export type AlgorithmChoices = Readonly<Record<string, string | Algorithm>>;

/**
 * The algorithm of each collective, by type number.
 * @throws PrepError `COLLECTIVE_UNKNOWN` for an option name, `ALGORITHM_UNKNOWN` for an algorithm name
 */
export function chooseAlgorithms(choices: AlgorithmChoices): Algorithm[] {
  const chosen = ALGORITHMS.map((known) => known[0]);
  for (const [option, name] of Object.entries(choices)) {
    const type = collectiveOfOption(option);
    chosen[type] = typeof name === 'string' ? algorithmOf(type, name) : name;
  }
  return chosen;
}

/**
 * The algorithm of a collective type by its name.
 * @throws PrepError `ALGORITHM_UNKNOWN`, naming the known ones
 */
export function algorithmOf(type: number, name: string): Algorithm {
  const algorithm = ALGORITHMS[type].find((known) => known.name === name);
  if (algorithm) return algorithm;
  const known = algorithmNames(type).join(', ');
  throw requestError(
    'ALGORITHM_UNKNOWN',
    `unknown ${COLLECTIVE_NAMES[type].option} algorithm: ${name} (known: ${known}, or file:PATH for one of your own)`,
  );
}

/** Names of a collective type's algorithms, in alphabetical order. */
export function algorithmNames(type: number): string[] {
  return ALGORITHMS[type].map((algorithm) => algorithm.name).sort();
}

/**
 * The type number of a collective option: 0 for `allreduce`.
 * @throws PrepError `COLLECTIVE_UNKNOWN`, naming the known ones
 */
export function collectiveOfOption(option: string): number {
  const type = COLLECTIVE_NAMES.findIndex((names) => names.option === option);
  if (type >= 0) return type;
  const known = COLLECTIVE_NAMES.map((names) => names.option).sort();
  throw requestError('COLLECTIVE_UNKNOWN', `unknown collective: ${option} (known: ${known.join(', ')})`);
}

function byType(algorithms: Record<keyof typeof CollectiveType, readonly Algorithm[]>): (readonly Algorithm[])[] {
  const table: (readonly Algorithm[])[] = [];
  for (const name of Object.keys(CollectiveType) as (keyof typeof CollectiveType)[]) {
    table[CollectiveType[name]] = algorithms[name];
  }
  return table;
}
