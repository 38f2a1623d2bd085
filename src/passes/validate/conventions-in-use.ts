import { counted } from '../../base/counts.js';
import type { Assumptions } from '../../trace/assumptions.js';
import { CollectiveType } from '../../trace/collective-type.js';
import { CONVENTIONS, conventionOf, defaultOf, meaningOf, type ConventionName } from '../../trace/conventions.js';
import type { DependencyMode } from '../rank-skeleton.js';
import { sumOf, type RankObservations } from './observations.js';

/** How something in the traceset is read. */
export interface ConventionInUse {
  /** A convention that `--assume` knows, or `deps`. */
  readonly name: string;
  readonly value: string;
  /** Whether it was asked for; the default otherwise. */
  readonly assumed: boolean;
  readonly meaning: string;
  /** Nodes it speaks of. */
  readonly count: number;
}

/** Something that is legal and silently given a meaning. */
export interface Observation {
  readonly name: string;
  readonly count: number;
  readonly message: string;
}

/** The conventions that matter to what is in a traceset, and those that were assumed, in the order of the table, then `deps`. */
export function conventionsInUse(
  ranks: readonly RankObservations[],
  assumptions: Assumptions | undefined,
  deps: DependencyMode,
): ConventionInUse[] {
  const seen = sumOf(ranks);
  const used: ConventionInUse[] = [];
  for (const { name } of CONVENTIONS) {
    const count = COUNT[name](seen);
    const assumed = assumptions?.chosen.has(name) === true;
    if (count === 0 && !assumed) continue;
    const value = assumptions?.chosen.get(name) ?? defaultOf(name);
    const meaning = `${conventionOf(name).subject}: ${meaningOf(name, value)}${name === 'root' ? withoutRoot(seen) : ''}`;
    used.push({ name, value, assumed, meaning, count });
  }
  if (seen.dependencies > 0) {
    const meaning = `dependencies: ${deps === 'data' ? 'data only' : 'data and control alike'}`;
    used.push({ name: 'deps', value: deps, assumed: deps !== 'both', meaning, count: seen.dependencies });
  }
  return used;
}

/** How many nodes a convention speaks of. */
const COUNT: Readonly<Record<ConventionName, (seen: RankObservations) => number>> = {
  'element-bytes': ({ collectives, transfers }) =>
    transfers + collectives.reduce((sum, count) => sum + count, 0) - collectives[CollectiveType.barrier],
  'allgather-size': ({ collectives }) => collectives[CollectiveType.allGather],
  'gather-size': ({ collectives }) => collectives[CollectiveType.gather],
  'reducescatter-size': ({ collectives }) =>
    collectives[CollectiveType.reduceScatter] + collectives[CollectiveType.reduceScatterBlock],
  'scatter-size': ({ collectives }) => collectives[CollectiveType.scatter],
  'alltoall-size': ({ collectives }) => collectives[CollectiveType.allToAll],
  root: ({ rooted }) => rooted,
  peer: ({ groupedTransfers }) => groupedTransfers,
  'duration-unit': ({ timed }) => timed,
};

function withoutRoot({ rootless }: RankObservations): string {
  if (rootless === 0) return '';
  return ` (${counted(rootless, 'node')} without one: the first rank of the group, unless another member names one)`;
}

/**
 * What is legal, and is told because people are surprised by it.
 * @param gzipFiles files that are stored packed
 */
export function observationsOf(ranks: readonly RankObservations[], gzipFiles: number): Observation[] {
  const seen = sumOf(ranks);
  const { nodes, withoutSide, startTimes, untagged, zeroIds, repeated, forward } = seen;
  const all = (count: number, total: number): string => (count === total && total > 1 ? 'all ' : '');
  const told: [name: string, count: number, message: string][] = [
    [
      'is_cpu_op absent',
      withoutSide,
      `${all(withoutSide, nodes)}${counted(withoutSide, 'node')} without is_cpu_op: operations of the device`,
    ],
    ['start times', startTimes, `${counted(startTimes, 'node')} with start_time_micros: not used`],
    [
      'comm_tag absent',
      untagged,
      `${untagged === 1 ? '1 send or receive' : counted(untagged, 'send or receive', 'sends and receives')} without comm_tag: tag 0`,
    ],
    ['id 0', zeroIds, `${counted(zeroIds, 'node')} with id 0: an id like any other`],
    [
      'repeated dependencies',
      repeated,
      `${counted(repeated, 'dependency', 'dependencies')} named again in the same list: counted once`,
    ],
    [
      'forward references',
      forward,
      `${counted(forward, 'dependency', 'dependencies')} on nodes further on in the file: the order of the file does not matter`,
    ],
    ['gzip', gzipFiles, `${counted(gzipFiles, 'file')} packed with gzip: unpacked while reading`],
  ];
  return told.filter(([, count]) => count > 0).map(([name, count, message]) => ({ name, count, message }));
}
