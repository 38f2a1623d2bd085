import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import type { ChunkProgram, ThreadBlock } from './program.js';

/** What runtimes take at most (exchange-formats 4.1). */
const STEPS_PER_BLOCK = 256;
const BLOCKS_PER_CHANNEL = 32;
const CHUNKS_PER_STEP = 71;
const FUSED_REDUCTIONS = 16;

/** What the real runtimes would refuse, and a simulation does not: the first of each kind, and how many. */
export function limitFindings({ ranks }: ChunkProgram, subject: string): Finding[] {
  const found = new Map<string, { message: string; count: number }>();
  const add = (kind: string, message: string): void => {
    const known = found.get(kind);
    if (known === undefined) found.set(kind, { message, count: 1 });
    else known.count++;
  };
  for (const [rank, { threadBlocks }] of ranks.entries()) {
    const blocksOf = new Map<number, number>();
    for (const block of threadBlocks) {
      const { id, channel, steps } = block;
      const name = `gpu ${rank} thread block ${id}`;
      blocksOf.set(channel, (blocksOf.get(channel) ?? 0) + 1);
      if (steps.length > STEPS_PER_BLOCK) {
        add('steps', `${name} has ${counted(steps.length, 'step')}; runtimes take ${STEPS_PER_BLOCK} at most`);
      }
      const wide = steps.findIndex(({ count }) => count > CHUNKS_PER_STEP);
      if (wide >= 0) {
        add(
          'chunks',
          `${name} step ${wide} moves ${steps[wide].count} chunks; runtimes take ${CHUNKS_PER_STEP} at most`,
        );
      }
      const fused = longestReduction(block);
      if (fused > FUSED_REDUCTIONS) {
        add(
          'reductions',
          `${name} has ${fused} reductions in a row into one place; runtimes take ${FUSED_REDUCTIONS} at most`,
        );
      }
    }
    for (const [channel, count] of blocksOf) {
      if (count <= BLOCKS_PER_CHANNEL) continue;
      add(
        'blocks',
        `gpu ${rank} has ${count} thread blocks on channel ${channel}; runtimes take ${BLOCKS_PER_CHANNEL} at most`,
      );
    }
  }
  return [...found.values()].map(({ message, count }) =>
    finding(
      'PROGRAM_LIMIT',
      `${subject}: ${message}${count === 1 ? '' : ` (and ${counted(count - 1, 'more place')})`}`,
      count === 1 ? {} : { count },
    ),
  );
}

/** Most `re` steps one after another that add to the same chunks: they run as one. */
function longestReduction({ steps }: ThreadBlock): number {
  let longest = 0;
  let length = 0;
  for (const [at, { kind, destination }] of steps.entries()) {
    const before = at === 0 ? undefined : steps[at - 1].destination;
    const goesOn = before?.buffer === destination?.buffer && before?.offset === destination?.offset;
    if (kind !== 're') length = 0;
    else length = length > 0 && goesOn ? length + 1 : 1;
    longest = Math.max(longest, length);
  }
  return longest;
}
