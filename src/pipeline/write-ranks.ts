import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Finding } from '../base/finding.js';
import { writeParts } from '../base/output-files.js';
import { setOwn } from '../base/named-values.js';
import { initiallyReady, writeAnnotatedJson } from '../formats/annotated-json.js';
import { JsonLinesWriter } from '../formats/chakra-jsonl.js';
import { encodeChakraEt, writeChakraEt } from '../formats/et/encode.js';
import type { Balance } from '../passes/balance.js';
import { preparationFromWorker, type PreparationMessage, type PreparationPlan } from '../passes/preparation-plan.js';
import { prepareRank } from '../passes/prepare.js';
import type { DependencyMode } from '../passes/rank-skeleton.js';
import { mendForAstraSim } from '../passes/for-astra-sim/mend-rank.js';
import type { AstraPlan } from '../passes/for-astra-sim/plan.js';
import type { ValidationSurvey } from '../passes/validate/survey.js';
import { surveyWaits, type WaitSurvey } from '../passes/waits/wait-survey.js';
import type { ProcessGroup } from '../trace/process-group.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { RankFile } from './open-traceset.js';
import { surveyWritten } from './survey-written.js';
import { withRank } from './read-rank.js';
import { readScript } from './read-script.js';

export type OutputFormat = 'et' | 'et.gz' | 'jsonl';

/** Temporary names of one rank's output files, as OutputFiles gives them. */
export interface RankOutput {
  /** The trace; `undefined` hands its bytes back instead. */
  readonly trace?: string;
  /** The annotated JSON and the ready list, where the trace is annotated. */
  readonly annotated?: string;
  readonly ready?: string;
}

export interface WriteJob {
  /** Ranks to read; those without an output are only looked at for the wait cycle search. */
  readonly ranks: readonly { file: RankFile; output?: RankOutput }[];
  readonly plan: PreparationMessage;
  readonly deps: DependencyMode;
  /** Groups to declare in the outputs' metadata. */
  readonly groups?: ReadonlyMap<string, ProcessGroup>;
  readonly format: OutputFormat;
  /** Whether chained dependencies have to be searched for a wait cycle. */
  readonly chained: boolean;
  /** How the ranks are written for ASTRA-sim, and what their files will be called. */
  readonly astraSim?: AstraWriting;
}

export interface AstraWriting {
  readonly plan: AstraPlan;
  /** '' where the rank goes to stdout. */
  readonly folder: string;
  readonly prefix: string;
  /** Whether nodes may get other ids. */
  readonly renumber: boolean;
}

export interface WrittenRank {
  readonly rank: number;
  readonly balance?: Balance;
  /** The rank with its chained dependencies and nothing else applied. */
  readonly waits?: WaitSurvey;
  readonly bytes?: Uint8Array;
  readonly findings: readonly Finding[];
  /** What `validate --for astra-sim` takes from what was written for it. */
  readonly validation?: ValidationSurvey;
}

/** Reads ranks one at a time, applies the plan, and writes them under their temporary names. */
export function writeRanks({ ranks, plan: message, deps, groups, format, chained, astraSim }: WriteJob): WrittenRank[] {
  const plan = preparationFromWorker(message, readScript);
  return ranks.map(({ file, output }) =>
    withRank(file, ({ trace, findings }) => {
      const waits = chained ? surveyWaits(chainedOnly(trace, plan), deps) : undefined;
      const looked = { rank: file.rank, findings, ...(waits === undefined ? {} : { waits }) };
      if (output === undefined && astraSim === undefined) return looked;
      const prepared = preparedRank(trace, plan, astraSim);
      const declared =
        groups === undefined ? prepared.trace : placed(prepared.trace, groups, plan.collectives.rankCount);
      const checked = (written: string | Uint8Array): Pick<WrittenRank, 'validation'> =>
        astraSim === undefined ? {} : { validation: surveyWritten(written, file.rank, astraFile(file, astraSim)) };
      if (output === undefined) return { ...looked, ...checked(formatted(declared, format)) };
      if (output.annotated !== undefined) writeAnnotation(declared, output.annotated, output.ready!);
      const { balance } = prepared;
      if (output.trace === undefined) {
        const bytes = formatted(declared, format);
        return { ...looked, balance, bytes, ...checked(bytes) };
      }
      writeTrace(declared, format, output.trace);
      return { ...looked, balance, ...checked(output.trace) };
    }),
  );
}

/** A rank with the passes of a plan applied, and mended for ASTRA-sim where it is written for it. */
function preparedRank(
  trace: RankTrace,
  plan: PreparationPlan,
  astraSim: AstraWriting | undefined,
): ReturnType<typeof prepareRank> {
  const prepared = prepareRank(trace, plan);
  if (astraSim === undefined) return prepared;
  const mended = mendForAstraSim(prepared.trace, astraSim.plan, astraSim.renumber);
  const balance = { ...prepared.balance, nodesOut: mended.trace.length, astraSim: mended.changes };
  return { trace: mended.trace, balance };
}

/** Name under which a rank is told of: that of its file, or of stdout. */
function astraFile({ rank }: RankFile, { folder, prefix }: AstraWriting): string {
  return folder === '' ? 'stdin' : join(folder, `${prefix}.${rank}.et`);
}

function chainedOnly(trace: RankTrace, { collectives, order }: PreparationPlan): RankTrace {
  const only = { expand: false, serialize: true, sync: false, annotate: false, findings: [] };
  return prepareRank(trace, { collectives, order, ...only }).trace;
}

/** The trace with its place in the job, and the groups that it uses and its rank is in, declared in its metadata. */
function placed(trace: RankTrace, groups: ReadonlyMap<string, ProcessGroup>, worldSize: number): RankTrace {
  const used = new Set([...trace.groupNames, ...trace.collectives.map(({ group }) => group)]);
  const declared: Record<string, number[]> = { ...trace.metadata.groups };
  for (const { name, ranks } of groups.values()) {
    if (used.has(name) && ranks.includes(trace.rank)) setOwn(declared, name, [...ranks]);
  }
  const metadata = { ...trace.metadata, rank: trace.rank, worldSize };
  return { ...trace, metadata: Object.keys(declared).length === 0 ? metadata : { ...metadata, groups: declared } };
}

/** Writes a trace in one of the output formats. */
export function writeTrace(trace: RankTrace, format: OutputFormat, path: string): void {
  writeParts(path, (write) => {
    if (format === 'et') {
      writeChakraEt(trace, write);
    } else if (format === 'et.gz') {
      write(formatted(trace, format));
    } else {
      writeLines(trace, write);
    }
  });
}

/** The same as bytes. */
export function formatted(trace: RankTrace, format: OutputFormat): Uint8Array {
  if (format === 'et') return encodeChakraEt(trace);
  if (format === 'et.gz') return gzipSync(encodeChakraEt(trace));
  const parts: Buffer[] = [];
  writeLines(trace, (bytes) => parts.push(Buffer.from(bytes)));
  return Buffer.concat(parts);
}

function writeLines(trace: RankTrace, write: (bytes: Uint8Array) => void): void {
  const lines = new JsonLinesWriter(write);
  writeChakraEt(trace, (bytes) => lines.push(bytes));
  lines.finish();
}

function writeAnnotation(trace: RankTrace, annotated: string, ready: string): void {
  writeParts(annotated, (write) => writeAnnotatedJson(trace, (text) => write(Buffer.from(text))));
  writeParts(ready, (write) => write(Buffer.from(`${JSON.stringify(initiallyReady(trace))}\n`)));
}
