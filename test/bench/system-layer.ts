import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchCase } from './bench-case.js';
import type { SystemMeasurement } from './process/system-run.js';
import { SYSTEM_CASES, type SystemCase } from './system-cases.js';
import { asFiles } from './system-workloads.js';
import { benchFolder, usage } from './whole-command.js';

/** Messages of a workload beyond which it runs once: it takes long enough for one time to tell. */
const MOST_REPEATED = 10e6;

const PROCESS = fileURLToPath(new URL('process/system-run.js', import.meta.url));
const withMemory = new Map<string, SystemMeasurement>();

/** A run of {@link PROCESS}: each in a process of its own, as users run it. @param flags of Node */
function measure(key: string, ...flags: string[]): SystemMeasurement {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, PROCESS, key], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${key} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as SystemMeasurement;
}

/** Time and memory of one and the same run, which is made once. */
function measureMemory(key: string): SystemMeasurement {
  let measurement = withMemory.get(key);
  if (measurement === undefined) withMemory.set(key, (measurement = measure(key, '--expose-gc')));
  return measurement;
}

const isLong = ({ workload, everyRank }: SystemCase): boolean => everyRank && workload.messages > MOST_REPEATED;
const runsOf = (item: SystemCase): number => (isLong(item) ? 1 : 3);

function rateCase(item: SystemCase): BenchCase {
  const { key, what, workload, backend } = item;
  const { messages, nodes } = workload;
  return {
    name: `${key}: ${what}`,
    ...(messages > 0
      ? { unit: 'messages/s', target: backend === 'analytical-unaware' ? 5e6 : 3e6 }
      : { unit: 'nodes/s' }),
    runs: runsOf(item),
    run: () => (messages > 0 ? messages : nodes) / (isLong(item) ? measureMemory(key) : measure(key)).seconds,
  };
}

function memoryCase(item: SystemCase): BenchCase {
  const { key, workload } = item;
  return {
    name: `memory: ${key}`,
    unit: 'bytes/rank and chunk',
    target: 200,
    runs: 1,
    run: () => measureMemory(key).bytes / (workload.rankCount * workload.chunks),
  };
}

/** `direct` has a message under way to every peer at once, which decides its memory. */
function memoryOfMessagesCase(item: SystemCase): BenchCase {
  return {
    name: `memory: ${item.key}, all messages under way`,
    unit: 'bytes/message',
    runs: 1,
    run: () => measureMemory(item.key).bytes / item.workload.messages,
  };
}

function commandCase(item: SystemCase): BenchCase {
  const { key, what, workload, backend } = item;
  const folder = join(benchFolder, key);
  let command: string[] | undefined;
  return {
    name: `command: ${key}, from ${workload.rankCount.toLocaleString('en-US')} files: ${what}`,
    unit: 's',
    runs: runsOf(item),
    run() {
      command ??= asFiles(workload, backend, folder);
      return usage(...command, '--report', 'none', '--quiet').cpu;
    },
  };
}

const selected = (pattern: RegExp): SystemCase[] => SYSTEM_CASES.filter(({ key }) => pattern.test(key));

export const cases: BenchCase[] = [
  ...SYSTEM_CASES.map(rateCase),
  // A process with fewer ranks grows by little more than its noise, about a MiB.
  ...selected(/^ring-1024x16.*rank$|^ring-4096/).map(memoryCase),
  ...selected(/^direct-1024.*rank$/).map(memoryOfMessagesCase),
  ...selected(/^(ring|direct)-1024.*aware$|^nodes.*unaware/).map(commandCase),
];

export const notes = ['messages/s of the system layer: ASTRA-sim itself does 0.2 to 0.9 M a CPU second'];
