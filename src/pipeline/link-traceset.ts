import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { ranksText } from '../base/rank-runs.js';
import type { SettledCommunications } from '../pytorch/communication.js';
import { inOrder } from '../pytorch/communication.js';
import type { RankPlace } from '../pytorch/rank-metadata.js';
import type { RankSettlement } from '../pytorch/rank-nodes.js';
import { settleCommunications } from '../pytorch/settle-communications.js';
import type { ChosenDeviceEvents } from '../pytorch/streams.js';
import { demandNoErrors, type WarningRule } from './demand-no-errors.js';
import { GROUP_FILE } from './group-file.js';
import { findPairs, type LinkInputs, type RankPair } from './link-files.js';
import type { LinkForm } from './link-forms.js';
import { groupsWith, type LinkedRank, type LinkJob } from './link-ranks.js';
import { NOTHING_WRITTEN } from './preparation-request.js';
import { Workers } from './workers.js';

export interface LinkRequest extends WarningRule {
  readonly inputs: LinkInputs;
  /** Output folder. */
  readonly folder: string;
  readonly form: LinkForm;
  readonly chosen: ChosenDeviceEvents;
  /** Links traces that do not belong together by their names and ids. */
  readonly force: boolean;
  /** Whether durations of host ops leave out the time in which they wait for the device or another thread. */
  readonly waitsLeftOut: boolean;
  /** Worker threads; as many as pay off when left out. */
  readonly threads?: number;
  /** What was found before the traces are read; reported first. */
  readonly findings?: readonly Finding[];
  readonly onProgress?: (done: number, total: number) => void;
}

export interface LinkReport {
  readonly ranks: readonly LinkedRank[];
  /** Ranks of the job. */
  readonly worldSize: number;
  /** Groups that are used and known, by name. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  readonly findings: readonly Finding[];
  /** Names of the files written, in rank order. */
  readonly files: readonly string[];
}

/** Begin of the names of the files: Chakra traces, and the linked form of the official tools. */
const PREFIXES: Readonly<Record<LinkForm, string>> = {
  ...{ et: 'chakra_trace', 'et.gz': 'chakra_trace', jsonl: 'chakra_trace' },
  ...{ 'linked-json': 'linked', 'linked-json.gz': 'linked' },
};

/** Runs of the command in this process. */
let runs = 0;

/** Bytes of input that keep a worker thread busy for longer than it takes to start. */
const BYTES_PER_THREAD = 1 << 20;

/**
 * Links the traces of all ranks of a job and writes a Chakra trace a rank, and beside them the process groups. Each rank is
 * linked and written by itself, one at a time a worker; then all ranks are looked at together, and those are
 * written again that this tells something new: groups that another rank declares, partners and tags of sends and receives.
 * Nothing is left behind when anything fails.
 * @throws PrepError when a file cannot be read, the request is wrong, or traces do not belong together
 */
export async function linkTraceset(request: LinkRequest): Promise<LinkReport> {
  const { form, chosen, force, folder, waitsLeftOut } = request;
  const run = ++runs;
  const findings: Finding[] = [...(request.findings ?? [])];
  const pairs = await findPairs(request.inputs, findings);
  const ranks = 1 + pairs[pairs.length - 1].rank;
  const workers = new Workers(threadsFor(pairs, request.threads));
  const files = new OutputFiles(folder);
  try {
    files.prepare();
    const jobs = pairs.map((pair): LinkJob => {
      const output = files.expect(fileName(pair.rank, form));
      return { ...{ pair, ranks, chosen, force, form, waitsLeftOut, output, run } };
    });
    let done = 0;
    const linked = await workers.run('link', jobs, () => request.onProgress?.(++done, jobs.length));
    demandOneEach(linked);
    if (pairs[0].assumed) settleAssumed(pairs[0], linked[0], files, form, findings);
    const settled = settleCommunications(linked.map(({ communications }) => communications));
    const worldSize = linked.reduce((size, { place }) => Math.max(size, place.worldSize), 0);
    const again = jobs.flatMap((job, place) => {
      const whole = settledRank(linked[place], settled, worldSize);
      return whole === undefined
        ? []
        : [{ ...job, output: files.partial(fileName(linked[place].rank, form)), settled: whole }];
    });
    // The rank that was linked last is still at hand.
    await workers.run('link', again.reverse());
    findings.push(...linked.flatMap((rank) => rank.findings), ...missingRanks(linked, worldSize), ...settled.findings);
    demandNoErrors(findings, request, NOTHING_WRITTEN);
    const isTrace = !form.startsWith('linked');
    if (isTrace) writeGroups(files, settled.groups, worldSize);
    files.commit();
    return {
      ...{ ranks: linked, worldSize, groups: settled.groups, findings },
      files: linked.map(({ rank }) => fileName(rank, form)),
    };
  } catch (error) {
    files.discard();
    throw error;
  } finally {
    await workers.close();
  }
}

function fileName(rank: number, form: LinkForm): string {
  const ending = form.replace('linked-', '');
  return `${PREFIXES[form]}.${rank}.${ending}`;
}

function threadsFor(pairs: readonly RankPair[], asked: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, pairs.length);
  const bytes = pairs.reduce(
    (sum, { host, device }) => sum + statSync(host).size + (device === undefined ? 0 : statSync(device).size),
    0,
  );
  return Math.max(1, Math.min(availableParallelism(), pairs.length, Math.floor(bytes / BYTES_PER_THREAD)));
}

/** A file without a rank in its name has the rank that it says itself, else 0. */
function settleAssumed(
  { host, rank: assumed }: RankPair,
  { rank, device }: LinkedRank,
  files: OutputFiles,
  form: LinkForm,
  findings: Finding[],
): void {
  if (rank !== assumed) files.rename(fileName(assumed, form), fileName(rank, form));
  const message =
    rank === assumed
      ? `${host} names no rank: it is taken as rank ${rank}`
      : `${host} names no rank: it is rank ${rank}, as ${device} says`;
  findings.push(finding('RANK_ASSUMED', message, { rank, file: host }));
}

function demandOneEach(linked: readonly LinkedRank[]): void {
  const seen = new Map<number, string>();
  for (const { rank, host } of linked) {
    const other = seen.get(rank);
    if (other !== undefined) {
      throw requestError('LINK_RANK_DOUBLED', `rank ${rank} has two host traces: ${other} and ${host}`);
    }
    seen.set(rank, host);
  }
}

/** What all ranks together tell of one; `undefined` where it was written with that already. */
function settledRank(
  { rank, place, communications }: LinkedRank,
  settled: SettledCommunications,
  worldSize: number,
): { place: RankPlace; settlement: RankSettlement } | undefined {
  const settlement = {
    peers: settled.peers.get(rank)!,
    roots: settled.roots.get(rank)!,
    tags: settled.tags.get(rank)!,
  };
  const groups = groupsWith(rank, new Map([...place.groups, ...settled.groups]));
  const same =
    place.worldSize === worldSize &&
    JSON.stringify([...groups]) === JSON.stringify([...place.groups]) &&
    inOrder(communications).every(
      ({ peer, root }, at) => settlement.peers[at] === peer && settlement.roots[at] === root && settlement.tags[at] < 0,
    );
  return same ? undefined : { place: { rank, worldSize, groups }, settlement };
}

function missingRanks(linked: readonly LinkedRank[], worldSize: number): Finding[] {
  if (linked.length >= worldSize) return [];
  const given = new Set(linked.map(({ rank }) => rank));
  const missing = Array.from({ length: worldSize }, (_, rank) => rank).filter((rank) => !given.has(rank));
  const message =
    `the job has ${counted(worldSize, 'rank')} by its traces, and traces are given of ${linked.length}: ` +
    `${ranksText(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return [finding('LINK_RANKS_MISSING', message, { count: missing.length })];
}

/** Groups for readers that take them from a file; that of all ranks under "0" needs no declaration there. */
function writeGroups(files: OutputFiles, groups: ReadonlyMap<string, readonly number[]>, worldSize: number): void {
  const isWorld = (name: string, ranks: readonly number[]): boolean =>
    name === '0' && ranks.length === worldSize && ranks.every((rank, place) => rank === place);
  const declared = [...groups].filter(([name, ranks]) => !isWorld(name, ranks));
  if (declared.length === 0) return;
  const lines = declared.map(([name, ranks]) => `  ${JSON.stringify(name)}: ${JSON.stringify(ranks)}`);
  files.write(GROUP_FILE, (write) => write(Buffer.from(`{\n${lines.join(',\n')}\n}\n`)));
}
