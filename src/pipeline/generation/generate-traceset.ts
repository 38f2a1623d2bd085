import type { Finding } from '../../base/finding.js';
import type { OutputFiles } from '../../base/output-files.js';
import type { GeneratedJob, WorkloadSummary } from '../../workloads/generated-job.js';
import { generatedWorkload, type WorkloadRequest } from '../../workloads/generated-workload.js';
import { withOutput } from '../conversion/convert-files.js';
import { chosenRanks, writeMadeGroups, writeMadeJob } from '../conversion/write-made-job.js';
import { GROUP_FILE } from '../group-file.js';
import type { OutputFormat } from '../write-ranks.js';

/** Workloads to write. */
export interface GenerationRequest {
  /** One lies in the folder; of several each in a folder of its name below. */
  readonly workloads: readonly WorkloadRequest[];
  readonly to: OutputFormat;
  /** Folder to write; absent gives the bytes of the one file back. */
  readonly folder?: string;
  /** Ranks to write; all when left out. */
  readonly only?: readonly number[];
  /** Worker threads; as many as pay off when left out. */
  readonly threads?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A workload that was written. */
export interface GeneratedTraceset {
  readonly name: string;
  /** What is in the whole job, whichever ranks were written. */
  readonly summary: WorkloadSummary;
  readonly findings: readonly Finding[];
  /** Names of the files of ranks, from the folder. */
  readonly files: readonly string[];
  /** The bytes of the one file, where no folder was named. */
  readonly output?: Uint8Array;
}

/**
 * Writes workloads as tracesets, with a group file where they have groups. Nothing is left behind when anything fails.
 * @throws PrepError `CASE_UNKNOWN`, `CASE_PARAMETER`, `OPTION_MISSING`, `RANK_ABSENT`, `OUTPUT_AMBIGUOUS`, `OUTPUT_UNWRITABLE`
 */
export async function generateTracesets(request: GenerationRequest): Promise<GeneratedTraceset[]> {
  const { workloads } = request;
  // All are made before the first is written: a wrong number is told at once.
  const jobs = workloads.map((workload) => ({ workload, job: generatedWorkload(workload) }));
  const several = workloads.length > 1;
  return withOutput(request.folder, async (files) => {
    const made: GeneratedTraceset[] = [];
    for (const { workload, job } of jobs) {
      if (several) files?.prepareBelow(workload.name);
      made.push(await generate(request, workload, job, files, several ? `${workload.name}/` : ''));
    }
    return made;
  });
}

async function generate(
  request: GenerationRequest,
  workload: WorkloadRequest,
  job: GeneratedJob,
  files: OutputFiles | undefined,
  below: string,
): Promise<GeneratedTraceset> {
  const ranks = chosenRanks(job, request);
  const nameOf = (rank: number): string => `${below}${job.prefix}.${rank}.${request.to}`;
  const outputs = ranks.map((rank) => ({ rank, ...(files && { path: files.expect(nameOf(rank)) }) }));
  const written = await writeMadeJob({ ...request, source: { workload }, counted: false }, job, outputs);
  writeMadeGroups(files, `${below}${GROUP_FILE}`, job);
  const [{ bytes: output }] = written;
  return {
    name: workload.name,
    summary: job.summary,
    findings: job.findings,
    files: files === undefined ? [] : ranks.map(nameOf),
    ...(output === undefined ? {} : { output }),
  };
}
