import type { Finding } from '../base/finding.js';
import type { AstraChanges } from '../passes/for-astra-sim/changes.js';
import { mendForAstraSim } from '../passes/for-astra-sim/mend-rank.js';
import type { AstraPlan } from '../passes/for-astra-sim/plan.js';
import type { Change } from '../passes/repair/change.js';
import { repairRank } from '../passes/repair/repair.js';
import type { RankFile } from './open-traceset.js';
import { withRank } from './read-rank.js';
import { formatted, writeTrace, type OutputFormat } from './write-ranks.js';

export interface RepairJob {
  /** Ranks with the temporary names of their outputs; without one the bytes are handed back. */
  readonly ranks: readonly { readonly file: RankFile; readonly output?: string }[];
  readonly format: OutputFormat;
  /** How they are written for ASTRA-sim, where they are. */
  readonly astraSim?: AstraPlan;
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
  /** What writing for ASTRA-sim changed besides. */
  readonly astraSim?: AstraChanges;
}

/** Reads ranks one at a time, repairs them, mends them for ASTRA-sim where asked, and writes them under their temporary names. */
export function repairRanks({ ranks, format, astraSim }: RepairJob): RepairedFile[] {
  return ranks.map(({ file, output }) =>
    withRank(file, ({ trace, findings }) => {
      const { trace: repaired, changes, left } = repairRank(trace);
      const mended = astraSim === undefined ? { trace: repaired } : mendForAstraSim(repaired, astraSim);
      const { trace: copy } = mended;
      const told = {
        ...{ rank: file.rank, nodesIn: trace.length, nodesOut: copy.length, changes, left, findings },
        ...('changes' in mended ? { astraSim: mended.changes } : {}),
      };
      if (output === undefined) return { ...told, bytes: formatted(copy, format) };
      writeTrace(copy, format, output);
      return told;
    }),
  );
}
