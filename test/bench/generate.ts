import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EtWriter } from '../../src/formats/et/et-writer.js';
import { transformerJob } from '../../src/workloads/transformer/transformer-job.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';
import { benchFolder, usage } from './whole-command.js';

const MODEL =
  '--layers 8 --hidden 1024 --heads 16 --sequence 1024 --vocabulary 32768 --peak-tflops 989 --memory-gbps 3350';

/** Generates 32,768 ranks of 8 stages, 7.7 M nodes, in one thread. */
function manyRanks(): { cpu: number; rss: number } {
  const folder = join(benchFolder, 'generated');
  mkdirSync(folder);
  const words = `generate transformer ${MODEL} --batch 4096 --dp 512 --tp 8 --pp 8 --threads 1 --quiet`;
  const used = usage(...words.split(' '), '-o', folder);
  rmSync(folder, { recursive: true });
  return used;
}

export const cases: BenchCase[] = [
  {
    name: 'generate one rank of a transformer of 96 layers, 48 micro-batches, in memory',
    unit: 'nodes/s',
    run: () => {
      const job = transformerJob({
        ...{ layers: 96, hidden: 12288, heads: 96, sequence: 2048, vocabulary: 51200, batch: 192 },
        ...{ dp: 4, tp: 8, sp: true, zero: 1, peakTflops: 989, memoryGbps: 3350 },
      });
      return perCpuSecond(job.summary.nodes / job.rankCount, () => {
        const out = new EtWriter(() => {});
        job.writeRank(0, out);
        out.finish();
      });
    },
  },
  {
    name: 'command: generate a transformer on 32,768 ranks, 7.7 M nodes',
    unit: 's',
    runs: 1,
    run: () => manyRanks().cpu,
  },
  {
    name: 'memory: generate a transformer on 32,768 ranks, the whole process',
    unit: 'bytes',
    runs: 1,
    run: () => manyRanks().rss,
  },
];
