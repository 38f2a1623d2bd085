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
/** Ranks × chunks from which the growth of a process is more than its noise. */
const LEAST_MEASURED = 4096;

const PROCESS = fileURLToPath(new URL('process/system-run.js', import.meta.url));
const measured = new Map<string, SystemMeasurement>();

/** A run of {@link PROCESS}: each in a process of its own, as users run it. */
function measure({ key }: SystemCase): SystemMeasurement {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', PROCESS, key], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${key} ended with ${status}: ${stderr}`);
  const measurement = JSON.parse(stdout) as SystemMeasurement;
  measured.set(key, measurement);
  return measurement;
}

function rateCase(item: SystemCase): BenchCase {
  const { key, what, workload, backend } = item;
  const { messages, nodes } = workload;
  return {
    name: `${key}: ${what}`,
    ...(messages > 0
      ? { unit: 'messages/s', target: backend === 'analytical-unaware' ? 5e6 : 3e6 }
      : { unit: 'nodes/s' }),
    runsOnce: messages > MOST_REPEATED,
    run: () => (messages > 0 ? messages : nodes) / measure(item).seconds,
  };
}

/** The peak of the last measurement of the rate, so that the large workloads need not run once more. */
function memoryCase(item: SystemCase): BenchCase {
  const { key, workload } = item;
  return {
    name: `memory: ${key}`,
    unit: 'bytes/rank and chunk',
    target: 200,
    runsOnce: true,
    run: () => (measured.get(key) ?? measure(item)).bytes / (workload.rankCount * workload.chunks),
  };
}

/** `direct` has a message under way to every peer at once, which decides its memory. */
function memoryOfMessagesCase(item: SystemCase): BenchCase {
  return {
    name: `memory: ${item.key}, all messages under way`,
    unit: 'bytes/message',
    runsOnce: true,
    run: () => (measured.get(item.key) ?? measure(item)).bytes / item.workload.messages,
  };
}

function commandCase(item: SystemCase): BenchCase {
  const { key, what, workload, backend } = item;
  const folder = join(benchFolder, key);
  let command: string[] | undefined;
  return {
    name: `command: ${key}, from ${workload.rankCount.toLocaleString('en-US')} files: ${what}`,
    unit: 's',
    runsOnce: workload.messages > MOST_REPEATED,
    run() {
      command ??= asFiles(workload, backend, folder);
      return usage(...command, '--report', 'none', '--quiet').cpu;
    },
  };
}

const selected = (pattern: RegExp): SystemCase[] => SYSTEM_CASES.filter(({ key }) => pattern.test(key));

export const cases: BenchCase[] = [
  ...SYSTEM_CASES.map(rateCase),
  ...selected(/^ring/)
    .filter(({ workload }) => workload.rankCount * workload.chunks >= LEAST_MEASURED)
    .map(memoryCase),
  ...selected(/^direct-1024/).map(memoryOfMessagesCase),
  ...selected(/^(ring|direct)-1024|^nodes.*unaware/).map(commandCase),
];

export const notes = [
  'messages/s of the system layer: beside the targets, the real program does 0.2 to 0.9 M messages a CPU second on the same inputs',
];
