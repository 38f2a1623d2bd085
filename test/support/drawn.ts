import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from './in-process.js';
import { newFolder, writeRanks } from './folders.js';
import type { NodeObject } from './traces.js';

/** What `visualize` draws of a job of these ranks, and what it says. */
export async function drawn(
  ranks: readonly NodeObject[][],
  form: 'dot' | 'graphml' | 'svg',
  ...words: string[]
): Promise<{ text: string; said: string; status: number | null }> {
  const folder = newFolder();
  writeRanks(join(folder, 'traces'), ranks);
  const out = `picture.${form}`;
  const { status, stderr } = await runIn(folder, ['visualize', 'traces', '-o', out, ...words]);
  return { status, said: stderr, text: status === 0 ? readFileSync(join(folder, out), 'utf8') : '' };
}
