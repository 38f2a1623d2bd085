import { gzipSync } from 'node:zlib';
import { MemorySource } from '../../base/byte-source.js';
import { Losses, type Loss } from '../../base/losses.js';
import { JsonLinesWriter } from '../../formats/chakra-jsonl.js';
import { readChakraEt } from '../../formats/et/decode.js';
import { EtWriter } from '../../formats/et/et-writer.js';
import type { MadeJob } from '../../formats/made-job.js';
import type { OutputFormat } from '../write-ranks.js';
import { fillOutput } from './fill-output.js';
import { openMadeJobOnce, type MadeFile } from './made-file.js';
import { MadeTally } from './made-tally.js';
import { outputForm } from './output-form.js';
import type { RankTally } from './rank-tally.js';

/** Ranks of a made job that one thread writes. */
export interface MadeRanksJob {
  readonly token: string;
  readonly file: MadeFile;
  /** One of `OUTPUT_FORMS` that holds a rank a file. */
  readonly to: string;
  /** Each with the temporary name of its file; absent hands its bytes back. */
  readonly ranks: readonly { readonly rank: number; readonly path?: string }[];
}

/** What writing one rank gives. */
export interface ConvertedRank {
  readonly rank: number;
  readonly kinds: RankTally;
  readonly losses: readonly Loss[];
  readonly bytes?: Uint8Array;
}

/** Opens the job, once a thread, and writes some of its ranks. */
export function writeMadeRanks({ token, file, to, ranks }: MadeRanksJob): ConvertedRank[] {
  const job = openMadeJobOnce(token, file);
  return ranks.map(({ rank, path }) => writeMadeRank(job, rank, to, path));
}

/** Writes one rank in a form that holds a rank a file. */
export function writeMadeRank(job: MadeJob, rank: number, to: string, path?: string): ConvertedRank {
  const tally = new MadeTally(rank);
  const losses = new Losses();
  const bytes = fillOutput(path, (write) => {
    const form = outputForm(to);
    if (form.kind === 'trace') writeMadeTrace(job, rank, form.format, tally, write);
    else if (form.kind === 'rank') {
      const made = madeEt(job, rank, tally);
      const where = { rank, file: `${job.prefix}.${rank}` };
      form.target.write(readChakraEt(new MemorySource(made, where.file), where).trace, write, losses);
    }
  });
  return { rank, kinds: tally.kinds, losses: losses.kinds, ...(bytes === undefined ? {} : { bytes }) };
}

/** The `.et` bytes of a rank of a made job. */
export function madeEt(job: MadeJob, rank: number, tally?: MadeTally): Uint8Array {
  const parts: Uint8Array[] = [];
  writeEt(job, rank, tally, (bytes) => parts.push(bytes.slice()));
  return Buffer.concat(parts);
}

function writeMadeTrace(
  job: MadeJob,
  rank: number,
  format: OutputFormat,
  tally: MadeTally,
  write: (bytes: Uint8Array) => void,
): void {
  if (format === 'et') writeEt(job, rank, tally, write);
  else if (format === 'et.gz') write(gzipSync(madeEt(job, rank, tally)));
  else {
    const lines = new JsonLinesWriter(write);
    writeEt(job, rank, tally, (bytes) => lines.push(bytes));
    lines.finish();
  }
}

function writeEt(job: MadeJob, rank: number, tally: MadeTally | undefined, write: (bytes: Uint8Array) => void): void {
  const writer = new EtWriter((bytes) => {
    tally?.push(bytes);
    write(bytes);
  });
  job.writeRank(rank, writer);
  writer.finish();
}
