import { readFileSync, writeFileSync } from 'node:fs';
import { simulateSystem } from '../../../src/astra-sim/simulate-system.js';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import { systemCase } from '../system-cases.js';
import { inMemory, type SystemWorkload } from '../system-workloads.js';

/**
 * `node dist/test/bench/process/system-run.js ring-256x16-unaware`: measures one case of the system layer in a process of its own
 * and prints a {@link SystemMeasurement} as JSON. With `--cpu-prof` before the file this is the process to look into.
 */
export interface SystemMeasurement {
  /** CPU seconds of one run. */
  readonly seconds: number;
  /** Runs that were needed for a time long enough to be measured. */
  readonly runs: number;
  /** Growth of the resident memory during the first run, at its peak. Right only if garbage was collected before. */
  readonly bytes: number;
}

/** CPU seconds of all threads. The compiler is at work for about one: it takes longer than 16 ranks take. */
const WARM_UP_SECONDS = 1.5;
const LEAST_SECONDS = 0.3;

const { workload, warmUp, backend, everyRank } = systemCase(process.argv[2]);
const runOf = (work: SystemWorkload): SystemRun => {
  const run = inMemory(work, backend);
  return { ...run, options: { ...run.options, everyRank } };
};
repeat(warmUp, runOf(warmUp), WARM_UP_SECONDS);
const input = runOf(workload);
// Only with --expose-gc, which is for memory: a full collection between two runs throws the compiled code away.
for (let times = 0; times < 4; times++) globalThis.gc?.();
console.log(JSON.stringify(repeat(workload, input, LEAST_SECONDS)));

/** Runs a workload until its runs have taken so many CPU seconds. */
function repeat(work: SystemWorkload, run: SystemRun, leastSeconds: number): SystemMeasurement {
  const before = process.memoryUsage().rss;
  forgetPeak();
  let total = secondsOf(work, run);
  const bytes = peakMemory() - before;
  let runs = 1;
  for (; total < leastSeconds; runs++) total += secondsOf(work, run);
  return { seconds: total / runs, runs, bytes };
}

function secondsOf(work: SystemWorkload, run: SystemRun): number {
  const before = process.cpuUsage();
  const { messages, ranks, status } = simulateSystem(run);
  const { user, system } = process.cpuUsage(before);
  const nodes = ranks.reduce((sum, { nodesFinished }) => sum + nodesFinished, 0);
  if (status !== 'finished' || messages !== work.messages || nodes !== work.nodes) {
    throw new Error(
      `${status} with ${messages} messages and ${nodes} nodes, expected ${work.messages} and ${work.nodes}`,
    );
  }
  return (user + system) / 1e6;
}

/** Begins the peak of the resident memory anew, where the system can: loading the modules took more for a moment. */
function forgetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

/** Peak of the resident memory, bytes. On Linux not `maxRSS`, which begins with the memory of the parent process. */
function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kib] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib) * 1024;
}
