import { MemorySource } from '../../src/base/byte-source.js';
import type { Finding } from '../../src/base/finding.js';
import { Losses } from '../../src/base/losses.js';
import { JsonLinesWriter } from '../../src/formats/chakra-jsonl.js';
import type { ConversionOptions, JobTarget, ReadableJob } from '../../src/formats/conversion.js';
import { EtWriter } from '../../src/formats/et/et-writer.js';
import type { MadeJob } from '../../src/formats/made-job.js';
import { GOAL_BINARY, GOAL_TEXT } from '../../src/exchange/goal/goal-forms.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { readBytes } from './traces.js';

/** The example of exchange-formats 1.5. */
export const EXAMPLE = `num_ranks 2

rank 0 {
l1: calc 100 cpu 1
l2: send 10b to 1 tag 5 cpu 0 nic 0
l2 requires l1
l3: recv 8b from 1 tag 6
l3 irequires l2
}

rank 1 {
a: recv 10b from 0 tag 5
b: send 8b to 0 tag 6
b requires a
}
`;

export function textJob(text: string): MadeJob {
  return GOAL_TEXT.open(new MemorySource(Buffer.from(text), 'job.goal'), {});
}

export function binaryJob(bytes: Uint8Array): MadeJob {
  return GOAL_BINARY.open(new MemorySource(bytes, 'job.bin'), {});
}

/** The `.et` file of a rank of a made job. */
export function etOf(job: MadeJob, rank: number): Buffer {
  const parts: Buffer[] = [];
  const out = new EtWriter((bytes) => parts.push(Buffer.from(bytes)));
  job.writeRank(rank, out);
  out.finish();
  return Buffer.concat(parts);
}

/** The lines of a rank of a made job, the metadata first. */
export function linesOf(job: MadeJob, rank: number): Record<string, unknown>[] {
  let text = '';
  const writer = new JsonLinesWriter((piece) => (text += Buffer.from(piece).toString()));
  writer.push(etOf(job, rank));
  writer.finish();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function tracesOf(job: MadeJob): RankTrace[] {
  return Array.from({ length: job.rankCount }, (_, rank) => readBytes(etOf(job, rank), rank).trace);
}

export interface Written {
  /** Content by name, one letter a byte. */
  readonly files: Readonly<Record<string, string>>;
  readonly findings: readonly Finding[];
  readonly losses: readonly Finding[];
}

/** What a target makes of traces. */
export function writtenAs(
  target: JobTarget,
  traces: readonly RankTrace[],
  options: ConversionOptions = {},
  groups: ReadableJob['groups'] = new Map(),
): Written {
  const files: Record<string, string> = {};
  const losses = new Losses();
  const job: ReadableJob = {
    rankCount: traces.length,
    prefix: 'job',
    groups,
    withRank: (rank, use) => use(traces[rank]),
  };
  const sink = {
    file: (name: string, fill: (write: (bytes: Uint8Array) => void) => void): void => {
      const parts: Buffer[] = [];
      fill((bytes) => parts.push(Buffer.from(bytes)));
      files[name] = Buffer.concat(parts).toString('latin1');
    },
  };
  const findings = target.write(job, sink, options, losses);
  return { files, findings, losses: losses.findings(target.title) };
}

/** Messages of findings by code, `CODE: message`. */
export function told(findings: readonly Finding[]): string[] {
  return findings.map(({ code, message }) => `${code}: ${message}`);
}
