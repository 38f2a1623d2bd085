import { MemorySource } from '../../src/base/byte-source.js';
import { Losses } from '../../src/base/losses.js';
import { goalJob } from '../../src/exchange/goal/goal-job.js';
import { GOAL_BINARY_TARGET, GOAL_TEXT_TARGET } from '../../src/exchange/goal/goal-targets.js';
import { readGoalBinary } from '../../src/exchange/goal/read-binary.js';
import { readGoalText } from '../../src/exchange/goal/read-text.js';
import { HTSIM_MATRIX } from '../../src/exchange/htsim/connection-matrix.js';
import { SIMGRID_TI } from '../../src/exchange/simgrid/time-independent.js';
import type { JobTarget, ReadableJob } from '../../src/formats/conversion.js';
import { readChakraEt } from '../../src/formats/et/decode.js';
import { EtWriter } from '../../src/formats/et/et-writer.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const RANKS = 8;
const ROUNDS = 12_500;
const OPERATIONS = 3 * ROUNDS * RANKS;

/** Rounds of a ring: each rank computes, sends to the next one, and receives from the one before. */
function ringText(): Buffer {
  const parts = [`num_ranks ${RANKS}\n`];
  for (let rank = 0; rank < RANKS; rank++) {
    parts.push(`rank ${rank} {\n`);
    for (let id = 1; id < 3 * ROUNDS; id += 3) {
      parts.push(`l${id}: calc ${id} cpu 1\nl${id + 1}: send ${id}b to ${(rank + 1) % RANKS} tag 1\n`);
      parts.push(`l${id + 2}: recv ${id}b from ${(rank + RANKS - 1) % RANKS} tag 1\nl${id + 1} requires l${id}\n`);
      if (id > 1) parts.push(`l${id} requires l${id - 1}\nl${id + 2} requires l${id - 1}\n`);
    }
    parts.push('}\n');
  }
  return Buffer.from(parts.join(''));
}

interface Ring {
  readonly text: Buffer;
  readonly binary: Buffer;
  readonly job: ReadableJob;
}

let made: Ring | undefined;

function ring(): Ring {
  if (made !== undefined) return made;
  const text = ringText();
  const goal = goalJob(readGoalText(new MemorySource(text, 'ring'), []), 'ring', []);
  const traces = Array.from({ length: RANKS }, (_, rank) => {
    const parts: Buffer[] = [];
    const out = new EtWriter((bytes) => parts.push(Buffer.from(bytes)));
    goal.writeRank(rank, out);
    out.finish();
    const file = `ring.${rank}.et`;
    return readChakraEt(new MemorySource(Buffer.concat(parts), file), { rank, file }).trace;
  });
  const job: ReadableJob = {
    rankCount: RANKS,
    prefix: 'ring',
    groups: new Map(),
    withRank: (rank, use) => use(traces[rank]),
  };
  const parts: Buffer[] = [];
  GOAL_BINARY_TARGET.write(
    job,
    { file: (_, fill) => fill((bytes) => parts.push(Buffer.from(bytes))) },
    {},
    new Losses(),
  );
  return (made = { text, binary: Buffer.concat(parts), job });
}

function writing(target: JobTarget): () => number {
  return () => {
    const { job } = ring();
    return perCpuSecond(OPERATIONS, () => target.write(job, { file: (_, fill) => fill(() => {}) }, {}, new Losses()));
  };
}

export const cases: BenchCase[] = [
  {
    name: 'check GOAL text',
    unit: 'operations/s',
    run: () => {
      const { text } = ring();
      return perCpuSecond(OPERATIONS, () => readGoalText(new MemorySource(text, 'ring'), []));
    },
  },
  {
    name: 'check GOAL binary',
    unit: 'operations/s',
    run: () => {
      const { binary } = ring();
      return perCpuSecond(OPERATIONS, () => readGoalBinary(new MemorySource(binary, 'ring'), []));
    },
  },
  { name: 'traces to GOAL text', unit: 'operations/s', run: writing(GOAL_TEXT_TARGET) },
  { name: 'traces to GOAL binary', unit: 'operations/s', run: writing(GOAL_BINARY_TARGET) },
  { name: 'traces to a connection matrix', unit: 'operations/s', run: writing(HTSIM_MATRIX) },
  { name: 'traces to time-independent traces', unit: 'operations/s', run: writing(SIMGRID_TI) },
];
