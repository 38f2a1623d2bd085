import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '../support/repository.js';

/** Folder for the inputs and outputs of whole commands; gone when the benchmark ends. */
export const benchFolder = mkdtempSync(join(tmpdir(), 'chakra-prep-bench-'));
process.on('exit', () => rmSync(benchFolder, { recursive: true, force: true }));

/** Writes CPU seconds and peak memory of the process to the file named by BENCH_USAGE when it ends. */
const REPORT_USAGE = `data:text/javascript,import fs from 'node:fs';process.on('exit',()=>{const u=process.resourceUsage();fs.writeFileSync(process.env.BENCH_USAGE,JSON.stringify({cpu:(u.userCPUTime+u.systemCPUTime)/1e6,rss:u.maxRSS*1024}))})`;

/** What `chakra-prep` with these words takes as a process of its own: CPU seconds, and bytes of memory at the peak. */
export function usage(...words: string[]): { cpu: number; rss: number } {
  const file = join(benchFolder, 'usage.json');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', REPORT_USAGE, join(REPOSITORY, 'bin', 'chakra-prep.js'), ...words],
    { encoding: 'utf8', env: { ...process.env, BENCH_USAGE: file }, maxBuffer: 1 << 28 },
  );
  if (status !== 0) throw new Error(`chakra-prep ${words.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(readFileSync(file, 'utf8')) as { cpu: number; rss: number };
}
