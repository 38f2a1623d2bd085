import { JsonLinesWriter } from '../../src/formats/chakra-jsonl.js';
import { EtWriter } from '../../src/formats/et/et-writer.js';
import type { MadeJob } from '../../src/formats/made-job.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { readBytes } from './traces.js';

/** The `.et` file of a rank of a made job. */
export function rankBytes(job: MadeJob, rank: number): Uint8Array {
  const parts: Buffer[] = [];
  const out = new EtWriter((bytes) => parts.push(Buffer.from(bytes)));
  job.writeRank(rank, out);
  out.finish();
  return Buffer.concat(parts);
}

/** All ranks of a made job as they are read. */
export function tracesOf(job: MadeJob): RankTrace[] {
  return Array.from({ length: job.rankCount }, (_, rank) => readBytes(rankBytes(job, rank), rank).trace);
}

/** A node in the form of JSON lines. */
export interface NodeLine {
  id: number;
  name: string;
  type: string;
  dataDeps?: number[];
  ctrlDeps?: number[];
  durationMicros?: number;
  attr?: { name: string; [arm: string]: unknown }[];
}

/** Metadata and nodes of a `.et` file in the form of JSON lines. */
export function jsonLines(et: Uint8Array): { metadata: Record<string, unknown>; nodes: NodeLine[] } {
  const pieces: Buffer[] = [];
  const writer = new JsonLinesWriter((piece) => pieces.push(Buffer.from(piece)));
  writer.push(et);
  writer.finish();
  const [metadata, ...nodes] = Buffer.concat(pieces)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { metadata: metadata as Record<string, unknown>, nodes: nodes as NodeLine[] };
}
