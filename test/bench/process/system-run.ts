import { readFileSync, writeFileSync } from 'node:fs';
import { simulateSystem } from '../../../src/astra-sim/simulate-system.js';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import type { Backend } from '../../../src/config/system-options.js';
import { systemCase } from '../system-cases.js';
import { inMemory, type SystemWorkload } from '../system-workloads.js';

/**
 * `node --expose-gc dist/test/bench/process/system-run.js ring-256x16-unaware`: measures one case of the system layer in a process
 * of its own and prints a {@link SystemMeasurement} as JSON. With `--cpu-prof` this is the process to look into.
 */
export interface SystemMeasurement {
  /** CPU seconds of one run. */
  readonly seconds: number;
  /** Runs that were needed for a time long enough to be measured. */
  readonly runs: number;
  /** Growth of the resident memory during the first run, at its peak. */
  readonly bytes: number;
}

/** CPU seconds, those of all threads together. The warm-up is for the compiler; a run of milliseconds alone would tell nothing. */
const LEAST_SECONDS = 0.3;
const WARM_UP_SECONDS = 0.3;

const { small, workload, backend } = systemCase(process.argv[2]);
repeat(small, backend, WARM_UP_SECONDS);
for (let times = 0; times < 4; times++) globalThis.gc?.();
console.log(JSON.stringify(repeat(workload, backend, LEAST_SECONDS)));

/** Runs a workload until its runs have taken so many CPU seconds. */
function repeat(work: SystemWorkload, network: Backend, leastSeconds: number): SystemMeasurement {
  const input = inMemory(work, network);
  const before = process.memoryUsage().rss;
  forgetPeak();
  let total = run(work, input);
  const bytes = peakMemory() - before;
  let runs = 1;
  for (; total < leastSeconds; runs++) total += run(work, input);
  return { seconds: total / runs, runs, bytes };
}

function run(work: SystemWorkload, input: SystemRun): number {
  const before = process.cpuUsage();
  const { messages, ranks, status } = simulateSystem(input);
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
