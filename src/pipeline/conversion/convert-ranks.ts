import type { Finding } from '../../base/finding.js';
import { Losses } from '../../base/losses.js';
import { groupsDeclaredIn } from '../../formats/process-group-init.js';
import type { GroupDeclaration } from '../../trace/group-declarations.js';
import type { RankFile } from '../open-traceset.js';
import { withRank } from '../read-rank.js';
import { fillOutput } from './fill-output.js';
import { outputForm } from './output-form.js';
import { addNodes, type RankTally } from './rank-tally.js';
import type { ConvertedRank } from './write-made-ranks.js';

/** Ranks of a traceset that one thread reads. */
export interface ConvertRanksJob {
  /** One of `OUTPUT_FORMS` that holds a rank a file; absent where ranks are only looked at. */
  readonly to?: string;
  /** Each with the temporary name of its file; absent hands its bytes back. */
  readonly ranks: readonly { readonly file: RankFile; readonly path?: string }[];
}

/** What reading one rank of a traceset gives besides. */
export interface ReadRank extends ConvertedRank {
  readonly findings: readonly Finding[];
  /** Groups that its trace declares. */
  readonly declarations: readonly GroupDeclaration[];
  /** What is wrong with them. */
  readonly groupFindings: readonly Finding[];
}

/** Reads ranks one at a time and writes them in the form asked for. */
export function convertRanks({ to, ranks }: ConvertRanksJob): ReadRank[] {
  const form = to === undefined ? undefined : outputForm(to);
  return ranks.map(({ file, path }) =>
    withRank(file, ({ trace, findings }) => {
      const declared = groupsDeclaredIn(trace);
      const losses = new Losses();
      const kinds: RankTally = {};
      addNodes(kinds, trace);
      const bytes =
        form?.kind === 'rank' ? fillOutput(path, (write) => form.target.write(trace, write, losses)) : undefined;
      return {
        rank: file.rank,
        kinds,
        losses: losses.kinds,
        findings,
        declarations: declared.declarations,
        groupFindings: declared.findings,
        ...(bytes === undefined ? {} : { bytes }),
      };
    }),
  );
}
