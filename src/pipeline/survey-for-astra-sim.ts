import type { Finding } from '../base/finding.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import { surveyForAstraSim, type AstraSurvey } from '../passes/for-astra-sim/plan.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { groupUse, type GroupUse } from '../trace/group-use.js';
import { makingOf, type Making } from './made-trace.js';
import type { RankFile } from './open-traceset.js';
import { withRank } from './read-rank.js';

export interface AstraSurveyJob {
  readonly files: readonly RankFile[];
  readonly making: Making;
}

/** What planning for ASTRA-sim needs of one rank as it would be written. */
export interface AstraReading {
  readonly survey: AstraSurvey;
  readonly groups: GroupUse;
  readonly declarations: readonly GroupDeclaration[];
  /** What reading the file and its declarations found. */
  readonly findings: readonly Finding[];
}

/** Reads ranks one at a time and surveys them as they would be written. */
export function surveyRanksForAstraSim({ files, making }: AstraSurveyJob): AstraReading[] {
  const made = makingOf(making);
  return files.map((file) =>
    withRank(file, ({ trace, findings }) => {
      const written = made(trace);
      const declared = groupsDeclaredIn(written);
      return {
        survey: surveyForAstraSim(written),
        groups: groupUse(written),
        declarations: declared.declarations,
        findings: [...findings, ...declared.findings],
      };
    }),
  );
}
