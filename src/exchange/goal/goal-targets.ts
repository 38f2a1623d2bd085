import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { formatId } from '../../base/ids.js';
import type { Losses } from '../../base/losses.js';
import type { JobTarget, ReadableJob } from '../../formats/conversion.js';
import { SizesMissing } from '../demands.js';
import { TagNumbers } from '../tag-numbers.js';
import { TextOut } from '../text-out.js';
import { goalRankOf, type ConvertedRank, type Converting } from './rank-of-trace.js';
import { ANY, MOST_INDICES } from './schedule.js';
import { binaryBlock, binaryHeader, blockBytes } from './write-binary.js';
import { writeGoalHeader, writeGoalRank } from './write-text.js';

/** GOAL text as it is written: one file, `<prefix>.goal`. */
export const GOAL_TEXT_TARGET: JobTarget = {
  name: 'goal',
  title: 'GOAL',
  options: [],
  write: (job, files, _options, losses) => {
    const { converting, findings } = surveyed(job, losses);
    files.file(`${job.prefix}.goal`, (write) => {
      const out = new TextOut(write);
      writeGoalHeader(out, job.rankCount);
      for (let rank = 0; rank < job.rankCount; rank++) {
        job.withRank(rank, (trace) => {
          const { rank: converted, node } = goalRankOf(trace, converting);
          const { idLow, idHigh } = trace;
          writeGoalRank(out, rank, converted, (operation) => {
            const high = idHigh[node[operation]];
            return high === 0 ? idLow[node[operation]] : formatId(idLow[node[operation]], high);
          });
        });
      }
      out.flush();
    });
    return findings;
  },
};

/** GOAL binary as it is written: one file, `<prefix>.bin`. */
export const GOAL_BINARY_TARGET: JobTarget = {
  name: 'goal-bin',
  title: 'GOAL',
  options: [],
  write: (job, files, _options, losses) => {
    const sizes: number[] = [];
    let highestCpu = 0;
    let highestNic = 0;
    const { converting, findings } = surveyed(job, losses, ({ rank }) => {
      sizes.push(blockBytes(rank));
      for (const cpu of rank.cpu) if (cpu > highestCpu) highestCpu = cpu;
      for (const nic of rank.nic) if (nic > highestNic) highestNic = nic;
    });
    files.file(`${job.prefix}.bin`, (write) => {
      write(binaryHeader({ blockBytes: sizes, highestCpu, highestNic }));
      for (let rank = 0; rank < job.rankCount; rank++) {
        job.withRank(rank, (trace) => write(binaryBlock(goalRankOf(trace, converting).rank)));
      }
    });
    return findings;
  },
};

/** Goes through all ranks once, so that every refusal, loss and tag is known before a byte is written. */
function surveyed(
  job: ReadableJob,
  losses: Losses,
  take: (converted: ConvertedRank) => void = () => {},
): { readonly converting: Converting; readonly findings: Finding[] } {
  const { rankCount } = job;
  const tags = new TagNumbers(ANY - 1);
  const sizes = new SizesMissing();
  const kept = { count: 0, first: '' };
  const folded = { count: 0, first: '' };
  const noted =
    (seen: { count: number; first: string }) =>
    (place: () => string): void => {
      if (seen.count++ === 0) seen.first = place();
    };
  const survey = { rankCount, tags, sizes, losses, onKept: noted(kept), onFolded: noted(folded) };
  for (let rank = 0; rank < rankCount; rank++) {
    job.withRank(rank, (trace) => take(goalRankOf(trace, survey)));
  }
  const findings = [...sizes.findings(), ...tags.findings('GOAL')];
  if (kept.count > 0) {
    const what = `${counted(kept.count, 'node')} that ${kept.count === 1 ? 'does' : 'do'} nothing, first ${kept.first}`;
    const message = `${what}: written as calc 0, because leaving ${kept.count === 1 ? 'it' : 'them'} out would multiply dependencies`;
    findings.push(finding('GOAL_NODE_KEPT', message, { count: kept.count }));
  }
  if (folded.count > 0) {
    const message = `${counted(folded.count, 'node')} on a thread or stream beyond the ${MOST_INDICES} cpus of a rank, first ${folded.first}: cpus are used again from 0`;
    findings.push(finding('GOAL_CPUS_FOLDED', message, { count: folded.count }));
  }
  return { converting: { rankCount, tags, sizes: new SizesMissing() }, findings };
}
