import type { RankStatistics, RooflineStatistics, SystemOutcome, SystemRankOutcome } from '../astra-sim/outcome.js';
import type { WallClock } from './run-facts.js';

/** Kinds of operators in the order of their lines; the program's own order is that of a hash table. */
const KINDS: readonly (readonly [member: keyof RankStatistics, name: string])[] = [
  ['cpuNs', 'CPU time'],
  ['gpuNs', 'GPU time'],
  ['communicationNs', 'Comm time'],
  ['remoteMemoryNs', 'Remote mem time'],
  ['invalidNs', 'Invalid time'],
];

/**
 * A run as ASTRA-sim prints it (astra-sim-semantics section 16), in the layout that its logger has without a configuration:
 * a block for each rank that finished, in the order in which they did, and `Exiting`. Not among them are what the program
 * says of its rings when it starts, and the peak of a tracked local memory.
 *
 * @param wallClock the time the lines begin with, UTC; by default 1970-01-01 00:00:00.000, so that equal runs give equal lines
 */
export function astraSimReport(outcome: SystemOutcome, wallClock?: WallClock): string[] {
  const byRank = new Map(outcome.ranks.map((rank) => [rank.rank, rank]));
  const blocks = outcome.finishOrder.flatMap((rank) => block(byRank.get(rank)!));
  const stamp = timestamp(wallClock);
  return [...blocks, '[system] [warning] Exiting'].map((line) => `[${stamp}] ${line}`);
}

function block({ rank, endNs, exposedCommunicationNs, statistics }: SystemRankOutcome): string[] {
  const { wallNs, overlapNs, roofline } = statistics;
  const kinds = KINDS.flatMap(([member, name]) => {
    const timeNs = statistics[member] as number | undefined;
    return timeNs === undefined ? [] : [`${name}: ${unsigned(timeNs)}`];
  });
  // Unsigned: below 0 is above 0 as well.
  const overlap = overlapNs === 0 ? [] : [`Total compute-communication overlap: ${unsigned(overlapNs)}`];
  const lines = [`Wall time: ${unsigned(wallNs)}`, ...kinds, ...overlap, ...rooflineLines(roofline)];
  return [
    `[workload] [info] sys[${rank}] finished, ${unsigned(endNs)} cycles, ` +
      `exposed communication ${unsigned(exposedCommunicationNs)} cycles.`,
    `[statistics] [info] sys[${rank}]. Post statistics processing start.`,
    `[statistics] [info] sys[${rank}]. Post statistics processing end.`,
    ...lines.map((line) => `[statistics] [info] sys[${rank}], ${line}`),
  ];
}

function rooflineLines(roofline: RooflineStatistics | undefined): string[] {
  if (roofline === undefined) return [];
  const percent = (fraction: number): string => `${threeDecimals(fraction * 100)}%`;
  return [
    `Compute bound percentage: ${percent(roofline.computeBound)}`,
    `Average compute utilization: ${percent(roofline.computeUtilization)}`,
    `Average memory utilization: ${percent(roofline.memoryUtilization)}`,
    `Average operation intensity: ${threeDecimals(roofline.operationIntensity)}`,
  ];
}

/** A number from 0 as C++ writes it: what lies between two thousandths goes to the even one, where `toFixed` goes up. */
function threeDecimals(value: number): string {
  // A double halfway between two thousandths is an odd number of sixteenths, since 1/2000 is 1/16 of 1/125.
  const between = Number.isInteger(value * 16) && (value * 16) % 2 === 1;
  if (!between) return value.toFixed(3);
  const below = Math.floor(value * 1000);
  return ((below + (below % 2)) / 1000).toFixed(3);
}

/** As the 64 unsigned bits in which the program keeps a time. */
function unsigned(timeNs: number): string {
  return BigInt.asUintN(64, BigInt(timeNs)).toString();
}

/** `2026-01-31 23:59:59.999`. */
function timestamp(wallClock: WallClock | undefined): string {
  const nowMs = wallClock === undefined ? 0 : wallClock.nowMs();
  return new Date(nowMs).toISOString().replace('T', ' ').replace('Z', '');
}
