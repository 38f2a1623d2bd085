import type { Finding } from '../base/finding.js';
import type { Change } from '../passes/repair/change.js';
import { repairRank } from '../passes/repair/repair.js';
import type { RankFile } from './open-traceset.js';
import { withRank } from './read-rank.js';
import { formatted, writeTrace, type OutputFormat } from './write-ranks.js';

export interface RepairJob {
  /** Ranks with the temporary names of their outputs; without one the bytes are handed back. */
  readonly ranks: readonly { readonly file: RankFile; readonly output?: string }[];
  readonly format: OutputFormat;
}

export interface RepairedFile {
  readonly rank: number;
  readonly nodesIn: number;
  readonly nodesOut: number;
  readonly changes: readonly Change[];
  readonly left: readonly Finding[];
  /** What reading the rank found. */
  readonly findings: readonly Finding[];
  readonly bytes?: Uint8Array;
}

/** Reads ranks one at a time, repairs them, and writes them under their temporary names. */
export function repairRanks({ ranks, format }: RepairJob): RepairedFile[] {
  return ranks.map(({ file, output }) =>
    withRank(file, ({ trace, findings }) => {
      const { trace: repaired, changes, left } = repairRank(trace);
      const told = { rank: file.rank, nodesIn: trace.length, nodesOut: repaired.length, changes, left, findings };
      if (output === undefined) return { ...told, bytes: formatted(repaired, format) };
      writeTrace(repaired, format, output);
      return told;
    }),
  );
}
