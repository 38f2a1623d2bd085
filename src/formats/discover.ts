import { basename, dirname, join, resolve } from 'node:path';
import { finding } from '../base/catalogue.js';
import { inputError, PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { candidatesOf, kindOf, LOOKED_FOR, type Candidate, type Mistakable } from './candidates.js';
import { FORMATS, type Format } from './detect.js';
import { rankFiles } from './rank-files.js';
import { wrongKind } from './read-trace.js';
import { detectFile } from './sniff.js';
import { parseTraceFileName, traceEnding } from './trace-file-name.js';

/** The files of one traceset. */
export interface TracesetFiles {
  /** What the file names have in common, without folder, rank and endings: outputs are `<prefix>.<rank>.et`. */
  readonly prefix: string;
  /** Ascending ranks, each once. */
  readonly files: readonly { readonly rank: number; readonly path: string }[];
  /** Process group file that was named or lies beside the traces. */
  readonly groupFile?: string;
  /** RANK_MISSING, RANK_DOUBLED, and notes on what was assumed, found and left out. */
  readonly findings: Finding[];
}

const GROUP_FILE = 'comm_group.json';
/** Traces in the JSON of other programs. */
const OTHER_JSON: ReadonlySet<Format> = new Set(['feeder-json', 'stage-json', 'jsonizer-json']);

/** Candidates by what they turned out to be. */
interface Sorted {
  readonly traces: string[];
  readonly groupFiles: Candidate[];
  readonly others: OtherFile[];
}

/** A file that is no trace, and what it is where that was looked at. */
interface OtherFile {
  readonly path: string;
  readonly named: boolean;
  readonly format: Format | undefined;
}

/**
 * Finds the files of a traceset. Each input is a folder, a file, a glob, or a prefix (`path/job` for `path/job.0.et`
 * …); a name that exists is never a glob. Files ending in .json and .jsonl are told apart by content;
 * JSON of other programs counts where it is named or no other trace is there. A file of another kind that has the name of a rank
 * without a trace is taken for that rank, so that its reader says what it is. A file alone
 * whose name has no rank is rank 0; one that has a rank is that rank, and the ranks below it are missing.
 *
 * @param groups process group file that was named: no other is looked for
 * @throws PrepError `INPUT_NOT_FOUND`, `NO_TRACES`, `WRONG_KIND` (exit 3); `PREFIXES_MIXED`, `RANK_UNNAMED` (exit 2)
 */
export async function discoverTraceset(inputs: readonly string[], groups?: string): Promise<TracesetFiles> {
  const candidates = new Map<string, Candidate>();
  const mistakable: Mistakable = { deadLinks: new Set(), folders: new Set() };
  for (const input of inputs) {
    for (const candidate of await candidatesOf(input, mistakable)) {
      const key = resolve(candidate.path);
      if (!candidates.get(key)?.named) candidates.set(key, candidate);
    }
  }
  // Some name the folder that holds the group file too.
  if (groups !== undefined && candidates.size > 1) candidates.delete(resolve(groups));
  const sorted = sortCandidates([...candidates.values()]);
  if (sorted.traces.length === 0) throw nothingToRead(inputs, sorted, mistakable);
  takeRanksOfOtherKinds(sorted);
  const findings: Finding[] = [];
  const { prefix, files } = rankFiles(sorted.traces, findings);
  const groupFile = await chooseGroupFile(prefix, sorted, groups, findings);
  noteSkipped(sorted, findings);
  noteMistakable(mistakable, findings);
  return { prefix, files, ...(groupFile === undefined ? {} : { groupFile }), findings };
}

function sortCandidates(candidates: readonly Candidate[]): Sorted {
  const sorted: Sorted = { traces: [], groupFiles: [], others: [] };
  const others: Sorted['others'] = [];
  for (const { path, named } of candidates) {
    const ending = traceEnding(path);
    if (ending === 'et' || ending === 'eg' || (named && candidates.length === 1)) {
      sorted.traces.push(path); // its reader says what is wrong with it
    } else if (ending === '' && !named) {
      sorted.others.push({ path, named, format: undefined });
    } else {
      const format = detectedKind(path);
      if (!named && isCompanion(path, format)) continue;
      if (format === 'chakra-et' || format === 'chakra-jsonl') sorted.traces.push(path);
      else if (OTHER_JSON.has(format)) others.push({ path, named, format });
      else if (format === 'comm-group' || basename(path) === GROUP_FILE) sorted.groupFiles.push({ path, named });
      else sorted.others.push({ path, named, format });
    }
  }
  // They say less than the .et of the same rank, beside which they lie, or nothing else.
  const alone = sorted.traces.length === 0;
  for (const other of others) {
    if (alone || other.named) sorted.traces.push(other.path);
    else sorted.others.push(other);
  }
  return sorted;
}

/** What a file is; one that cannot be read is left to whoever reads it. */
function detectedKind(path: string): Format {
  try {
    return detectFile(path);
  } catch (error) {
    if (error instanceof PrepError) return 'unknown';
    throw error;
  }
}

/** Moves to the traces what is called like the file of a rank that has no trace. */
function takeRanksOfOtherKinds({ traces, others }: Sorted): void {
  const named = traces.map((path) => parseTraceFileName(basename(path)));
  const [{ prefix }] = named;
  if (named.some((file) => file.rank === undefined || file.prefix !== prefix)) return;
  const ranks = new Set(named.map(({ rank }) => rank));
  for (let place = others.length - 1; place >= 0; place--) {
    const { path, format } = others[place];
    const name = parseTraceFileName(basename(path));
    const stands = name.prefix === prefix && name.rank !== undefined && !ranks.has(name.rank);
    if (!stands || format === undefined || OTHER_JSON.has(format)) continue;
    traces.push(path);
    others.splice(place, 1);
  }
}

/** What annotation writes beside a trace; it belongs to the trace of its name and is nothing to tell of. */
function isCompanion(path: string, format: Format): boolean {
  return format === 'annotated-json' || path.endsWith('.ready.json');
}

function nothingToRead(inputs: readonly string[], sorted: Sorted, { deadLinks, folders }: Mistakable): Error {
  const known = sorted.others.filter(({ format }) => format !== undefined && format !== 'unknown');
  if (known.length > 0 && known[0].format !== undefined) return wrongKind(known[0].path, known[0].format);
  const held = [
    ...[...sorted.groupFiles, ...sorted.others].map(({ path }) => path),
    ...[...folders].map((path) => `${path} (a folder)`),
    ...[...deadLinks].map((path) => `${path} (a link that leads nowhere)`),
  ];
  const found = held.length === 0 ? 'it holds no files' : `it holds only ${nameList(held)}`;
  return inputError('NO_TRACES', `${inputs.join(', ')}: no traces; ${found}`, `looked for ${LOOKED_FOR}`);
}

/** A group file that was named, then `comm_group.json`, then `<prefix>.json`, then the only one there is. */
async function chooseGroupFile(
  prefix: string,
  sorted: Sorted,
  asked: string | undefined,
  findings: Finding[],
): Promise<string | undefined> {
  const found = new Set(sorted.groupFiles.map(({ path }) => path));
  for (const folder of new Set(sorted.traces.map((path) => dirname(path)))) {
    const usual = join(folder, GROUP_FILE);
    if ((await kindOf(usual)) === 'file') found.add(usual);
    const ofPrefix = join(folder, `${prefix}.json`);
    if (!sorted.traces.includes(ofPrefix) && (await kindOf(ofPrefix)) === 'file' && !found.has(ofPrefix)) {
      if (detectFile(ofPrefix) === 'comm-group') found.add(ofPrefix);
    }
  }
  if (asked !== undefined) {
    const unused = [...found].filter((path) => resolve(path) !== resolve(asked));
    noteOtherGroups(unused, `--groups names ${asked}`, findings);
    return asked;
  }
  const files = [...found];
  const called = (name: string): string[] => files.filter((path) => basename(path) === name);
  const named = sorted.groupFiles.filter((file) => file.named).map(({ path }) => path);
  const preferences = [named, called(GROUP_FILE), called(`${prefix}.json`), files];
  const choices = preferences.find((list) => list.length > 0) ?? [];
  if (choices.length > 1) {
    const message = `${nameList(choices)} are process group files: none is used`;
    findings.push(finding('FILE_SKIPPED', message, { severity: 'warning', advice: 'choose one with --groups' }));
    return undefined;
  }
  const [chosen] = choices;
  if (chosen !== undefined) {
    const message = `${chosen} lies beside the traces: process groups are taken from it`;
    findings.push(finding('GROUP_FILE_FOUND', message, { file: chosen }));
  }
  const left = files.filter((path) => path !== chosen);
  if (chosen !== undefined) noteOtherGroups(left, `process groups are taken from ${chosen}`, findings);
  return chosen;
}

function noteOtherGroups(paths: readonly string[], why: string, findings: Finding[]): void {
  if (paths.length === 0) return;
  const verb = paths.length === 1 ? 'is' : 'are';
  findings.push(finding('FILE_SKIPPED', `${nameList(paths)} ${verb} not used: ${why}`));
}

/** A file that the user named deserves more than a note when it is left out. */
function noteSkipped({ others }: Sorted, findings: Finding[]): void {
  for (const severity of ['warning', 'note'] as const) {
    const skipped = others.filter(({ named }) => named === (severity === 'warning'));
    if (skipped.length === 0) continue;
    const files = skipped.map(({ path }) => path);
    const message = `no Chakra trace, left out: ${nameList(skipped.map(described), 3)}`;
    findings.push(finding('FILE_SKIPPED', message, { severity, count: files.length, files: files.slice(0, 100) }));
  }
}

/** `host_0.json (a PyTorch host execution trace)`. */
function described({ path, format }: OtherFile): string {
  return format === undefined || format === 'unknown' ? path : `${path} (${FORMATS[format].name})`;
}

/** A link to a trace that was moved, a folder that was unpacked where a file should be. */
function noteMistakable({ deadLinks, folders }: Mistakable, findings: Finding[]): void {
  const note = (paths: ReadonlySet<string>, one: string, several: string, advice: string): void => {
    if (paths.size === 0) return;
    const files = [...paths];
    const what = files.length === 1 ? one : `${files.length} ${several}`;
    const message = `${what}, left out: ${nameList(files, 3)}`;
    findings.push(finding('FILE_SKIPPED', message, { severity: 'warning', advice, count: files.length, files }));
  };
  const links = 'put the files where the links point, or take the links away';
  note(deadLinks, 'a link that leads nowhere', 'links that lead nowhere', links);
  const inside = 'put the file of the rank in its place, or give the folder another name';
  note(folders, 'a folder that is called like a trace', 'folders that are called like traces', inside);
}

function nameList(paths: readonly string[], most = 8): string {
  const shown = paths.length > most ? [...paths.slice(0, most), `… ${paths.length} in all`] : paths;
  return shown.join(', ');
}
