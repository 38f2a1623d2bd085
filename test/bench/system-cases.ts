import { ANALYTICAL_BACKENDS, type AnalyticalBackend } from '../../src/config/system-options.js';
import { directAllToAll, independentNodes, ringAllReduce, type SystemWorkload } from './system-workloads.js';

/** A workload of the benchmark on one network model. */
export interface SystemCase {
  /** Such as `ring-1024x16-unaware`: kind, ranks × chunks (or nodes a rank), network model. */
  readonly key: string;
  /** What it is, in words. */
  readonly what: string;
  readonly workload: SystemWorkload;
  readonly backend: AnalyticalBackend;
  /** Whether no rank may stand for others, as where ranks are not alike. */
  readonly everyRank: boolean;
  /** What is run before, so that the code is compiled: the workload itself, or the same in small where it is long. */
  readonly warmUp: SystemWorkload;
}

const RING_RANKS = [16, 64, 256, 1024, 4096];
const DIRECT_RANKS = [64, 256, 1024];
const CHUNKS = [1, 16];

const words = (many: number): string => many.toLocaleString('en-US');
const chunksText = (chunks: number): string => (chunks === 1 ? 'one chunk' : `${chunks} chunks`);

/** Every workload on every network model. */
const PLAIN_CASES: readonly Omit<SystemCase, 'everyRank'>[] = ANALYTICAL_BACKENDS.flatMap((backend) => {
  const model = backend.replace('analytical-', '');
  const rings = CHUNKS.flatMap((chunks) =>
    RING_RANKS.map((ranks) => ({
      key: `ring-${ranks}x${chunks}-${model}`,
      what: `ring all-reduce, ${words(ranks)} ranks, ${chunksText(chunks)}, ${model}`,
      workload: ringAllReduce(ranks, chunks),
      backend,
      warmUp: ringAllReduce(Math.min(ranks, 64), chunks),
    })),
  );
  const directs = DIRECT_RANKS.map((ranks) => ({
    key: `direct-${ranks}x1-${model}`,
    what: `direct all-to-all, ${words(ranks)} ranks, one chunk, ${model}`,
    workload: directAllToAll(ranks, 1),
    backend,
    warmUp: directAllToAll(Math.min(ranks, 256), 1),
  }));
  const nodes = {
    key: `nodes-8x20000-${model}`,
    what: `20,000 compute nodes ready on each of 8 ranks, ${model}`,
    workload: independentNodes(8, 20_000),
    backend,
    warmUp: independentNodes(8, 2000),
  };
  return [...rings, ...directs, nodes];
});

/** Those of them that are run rank by rank as well. */
const EVERY_RANK = /^(ring-1024x1|ring-256x16|ring-1024x16|direct-1024x1)-/;

export const SYSTEM_CASES: readonly SystemCase[] = [
  ...PLAIN_CASES.map((item) => ({ ...item, everyRank: false })),
  ...PLAIN_CASES.filter(({ key }) => EVERY_RANK.test(key)).map((item) => ({
    ...item,
    key: `${item.key}-every-rank`,
    what: `${item.what}, every rank simulated`,
    everyRank: true,
  })),
];

export function systemCase(key: string): SystemCase {
  const found = SYSTEM_CASES.find((item) => item.key === key);
  if (found === undefined) {
    throw new Error(`no case ${key}; expected one of ${SYSTEM_CASES.map((item) => item.key).join(', ')}`);
  }
  return found;
}
