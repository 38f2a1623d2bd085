import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { finding } from '../base/catalogue.js';
import { FileSource } from '../base/byte-source.js';
import { counted } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { rankRuns } from '../base/rank-runs.js';
import { ChosenDrawing } from '../drawings/draw-chosen.js';
import { drawWindows } from '../drawings/draw-windows.js';
import { extensionOf, openDrawing, usualLimit } from '../drawings/drawing-forms.js';
import type { DrawingForm, DrawingSink } from '../drawings/drawing-sink.js';
import { DrawingTally } from '../drawings/drawing-tally.js';
import { detectFormat } from '../formats/detect.js';
import { readWindows } from '../formats/read-windows.js';
import { assumed } from './assume.js';
import { isEverything, nodesToDraw, type DrawingChoice, type IdOption } from './nodes-to-draw.js';
import { openTraceset, type OpenTraceset, type RankFile, type Reading } from './open-traceset.js';
import { rankSource, withRank } from './read-rank.js';

export interface DrawingRequest extends Reading {
  readonly to: DrawingForm;
  /** Ranks that are drawn; all when left out. */
  readonly ranks?: readonly number[];
  readonly choice: DrawingChoice;
  /** Whether dependencies through nodes that are not drawn become edges. */
  readonly contract: boolean;
  /** A file, a folder that takes a picture a rank, or `-`. */
  readonly out: string;
}

/** What was drawn. */
export interface DrawingReport {
  /** Paths, in the order of ranks; none where the picture is `output`. */
  readonly files: readonly string[];
  readonly output?: Uint8Array;
  readonly pictures: readonly Picture[];
  readonly findings: readonly Finding[];
}

/** One picture. */
export interface Picture {
  readonly ranks: readonly number[];
  readonly tally: DrawingTally;
  readonly notes: readonly string[];
}

/**
 * Draws a traceset: all ranks in one picture, or one each where the output is a folder.
 * @throws PrepError when the input cannot be read, `RANK_ABSENT`, `DRAWING_NODE_ABSENT`, `OUTPUT_UNWRITABLE`
 */
export async function drawTraceset(request: DrawingRequest): Promise<DrawingReport> {
  const opened = await assumed(await openTraceset(request), request);
  const files = ranksToDraw(opened, request.ranks);
  const { out, to } = request;
  const findings: Finding[] = [...opened.findings];
  if (out === '-') {
    const chunks: Uint8Array[] = [];
    const picture = draw(request, opened, files, findings, (chunk) => chunks.push(chunk.slice()));
    return { files: [], output: Buffer.concat(chunks), pictures: [picture], findings };
  }
  const inFolder = out.endsWith('/') || (existsSync(out) && statSync(out).isDirectory());
  const output = new OutputFiles(inFolder ? out : dirname(out));
  const parts = inFolder
    ? files.map((file) => ({ name: `${opened.prefix}.${file.rank}.${extensionOf(to)}`, files: [file] }))
    : [{ name: basename(out), files }];
  const pictures: Picture[] = [];
  try {
    output.prepare();
    for (const [place, part] of parts.entries()) {
      output.write(part.name, (write) => pictures.push(draw(request, opened, part.files, findings, write)));
      request.onProgress?.(place + 1, parts.length);
    }
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
  return { files: parts.map(({ name }) => join(output.folder, name)), pictures, findings };
}

/** @throws PrepError `RANK_ABSENT` */
function ranksToDraw({ files }: OpenTraceset, ranks: readonly number[] | undefined): readonly RankFile[] {
  const absent = ranks?.find((rank) => !files.some((file) => file.rank === rank));
  if (absent !== undefined) throw requestError('RANK_ABSENT', `rank ${absent}: the traceset has no such rank`);
  return ranks === undefined ? files : files.filter(({ rank }) => ranks.includes(rank));
}

function draw(
  request: DrawingRequest,
  { prefix }: OpenTraceset,
  files: readonly RankFile[],
  findings: Finding[],
  write: (chunk: Uint8Array) => void,
): Picture {
  const { to, deps } = request;
  const limit = request.choice.limit ?? usualLimit(to);
  const choice: DrawingChoice = { ...request.choice, ...(limit === undefined ? {} : { limit }) };
  const ranks = files.map(({ rank }) => rank);
  const sink = openDrawing(to, write);
  const tally = new DrawingTally();
  sink.begin({ title: titleOf(prefix, ranks), ranks });
  const found =
    isEverything(choice) && files.every(inWindows)
      ? drawWindows(files.map(windowed), deps, sink, tally)
      : drawChosen(request, choice, files, sink, tally);
  const notes = tally.notes(deps, limit);
  sink.end(notes);
  tally.upwards = sink.upwards ?? 0;
  findings.push(...found, ...tally.findings(notes, ranks.length > 1));
  if (sink.replaced > 0) {
    const count = counted(sink.replaced, 'character');
    findings.push(
      finding('DRAWING_TEXT_REPLACED', `${count} of names that ${to} cannot hold: others stand for them`, {
        count: sink.replaced,
      }),
    );
  }
  return { ranks, tally, notes };
}

function titleOf(prefix: string, ranks: readonly number[]): string {
  return `${prefix}, ${ranks.length === 1 ? 'rank' : 'ranks'} ${rankRuns(ranks)}`;
}

/** Whether the file can be walked through as it is. */
function inWindows(file: RankFile): boolean {
  if (file.assumptions !== undefined) return false;
  const source = rankSource(file);
  try {
    return detectFormat(source).format !== 'feeder-json';
  } finally {
    source.close();
  }
}

function windowed(file: RankFile): Parameters<typeof drawWindows>[0][number] {
  const name = file.path === '-' ? 'stdin' : file.path;
  return {
    rank: file.rank,
    file: name,
    walk: (use) => {
      const source = rankSource(file);
      // What is in memory has no piece that would move.
      const lookBack = source instanceof FileSource ? rankSource(file) : source;
      try {
        return use(readWindows(source, { rank: file.rank, file: name }, lookBack));
      } finally {
        source.close();
        lookBack.close();
      }
    },
  };
}

/** Each rank gets its share of the limit, and what the ranks before it leave of theirs. */
function drawChosen(
  request: DrawingRequest,
  choice: DrawingChoice,
  files: readonly RankFile[],
  sink: DrawingSink,
  tally: DrawingTally,
): Finding[] {
  const { deps, contract } = request;
  const drawing = new ChosenDrawing(sink, tally, deps, contract);
  const findings: Finding[] = [];
  const found: Record<IdOption, boolean> = { around: false, 'from-id': false, 'to-id': false };
  let left = choice.limit ?? Infinity;
  for (const [place, file] of files.entries()) {
    withRank(file, ({ trace, findings: read }) => {
      findings.push(...read);
      const share = Math.floor(left / (files.length - place));
      const nodes = nodesToDraw(trace, choice, deps, share, tally);
      left -= nodes.count;
      for (const option of Object.keys(found) as IdOption[]) found[option] ||= nodes.found[option];
      drawing.addRank(trace, nodes.drawn);
    });
  }
  for (const [option, isFound] of Object.entries(found)) {
    if (isFound) continue;
    throw requestError(
      'DRAWING_NODE_ABSENT',
      `--${option}: no node of a drawn rank has such an id`,
      'inspect --nodes lists ids',
    );
  }
  drawing.finish();
  return findings;
}
