import { basename, resolve } from 'node:path';
import { finding } from '../base/catalogue.js';
import { inputError, requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { candidatesOf, type Candidate, type Mistakable } from '../formats/candidates.js';
import { FORMATS, type Format } from '../formats/detect.js';
import { detectFile } from '../formats/sniff.js';

/** Words that say where the traces are: files, globs, folders or prefixes. */
export interface LinkInputs {
  readonly hosts: readonly string[];
  readonly devices: readonly string[];
  /** Both kinds, told apart by content. */
  readonly mixed: readonly string[];
}

/** The files of a rank. */
export interface RankPair {
  /** As the names say. */
  readonly rank: number;
  readonly host: string;
  /** Absent where there is none: only what the host trace says is known then. */
  readonly device?: string;
  /** Whether no name says a rank. */
  readonly assumed: boolean;
}

type Kind = 'pytorch-host-json' | 'kineto-json';

const SIDES = {
  'pytorch-host-json': { option: '--host', noun: 'host trace' },
  'kineto-json': { option: '--device', noun: 'device trace' },
} as const;

/**
 * Finds host and device traces and pairs them by the rank in their names; one of each belong together whatever they are called.
 * @throws PrepError `NO_TRACES`, `INPUT_NOT_FOUND` (exit 3); `RANK_UNNAMED`, `LINK_RANK_DOUBLED`, `LINK_HOST_MISSING` (exit 2)
 */
export async function findPairs(inputs: LinkInputs, findings: Finding[]): Promise<RankPair[]> {
  const chosen = new Map<Kind, string[]>([
    ['pytorch-host-json', []],
    ['kineto-json', []],
  ]);
  const taken = new Set<string>();
  const skipped: { path: string; format: Format; named: boolean }[] = [];
  const mistakable: Mistakable = { deadLinks: new Set(), folders: new Set() };
  const take = (candidate: Candidate, wanted: Kind | undefined): void => {
    const { path, named } = candidate;
    if (taken.has(resolve(path))) return;
    // The reader of a file that was named says what is wrong with it.
    const format = named && wanted !== undefined ? wanted : detectFile(path);
    const kind = format === 'pytorch-host-json' || format === 'kineto-json' ? format : undefined;
    if (kind === undefined || (wanted !== undefined && kind !== wanted)) {
      skipped.push({ path, format, named });
      return;
    }
    taken.add(resolve(path));
    chosen.get(kind)!.push(path);
  };
  const words: [Kind | undefined, readonly string[]][] = [
    ['pytorch-host-json', inputs.hosts],
    ['kineto-json', inputs.devices],
    [undefined, inputs.mixed],
  ];
  for (const [wanted, list] of words) {
    for (const word of list) for (const candidate of await candidatesOf(word, mistakable)) take(candidate, wanted);
  }
  // A folder that was named for one kind may hold the other one as well, which another word takes.
  noteSkipped(
    skipped.filter(({ path }) => !taken.has(resolve(path))),
    findings,
  );
  const hosts = chosen.get('pytorch-host-json')!;
  const devices = chosen.get('kineto-json')!;
  if (hosts.length === 0) throw noHosts(inputs, devices);
  return paired(hosts, devices);
}

function noteSkipped(skipped: readonly { path: string; format: Format; named: boolean }[], findings: Finding[]): void {
  for (const severity of ['warning', 'note'] as const) {
    const some = skipped.filter(({ named }) => named === (severity === 'warning'));
    if (some.length === 0) continue;
    const shown = some.slice(0, 3).map(({ path, format }) => `${path} (${FORMATS[format].name})`);
    if (some.length > 3) shown.push(`… ${some.length} in all`);
    findings.push(
      finding('FILE_SKIPPED', `no trace that is looked for here, left out: ${shown.join(', ')}`, {
        severity,
        count: some.length,
        files: some.slice(0, 100).map(({ path }) => path),
      }),
    );
  }
}

function noHosts({ hosts, devices, mixed }: LinkInputs, found: readonly string[]): Error {
  const words = [...hosts, ...devices, ...mixed].join(', ');
  const also = found.length === 0 ? '' : `; there are device traces, such as ${found[0]}`;
  return inputError(
    'NO_TRACES',
    `${words}: no PyTorch host traces${also}`,
    'a host trace is what ExecutionTraceObserver of PyTorch writes: JSON with "schema" and "nodes"',
  );
}

function paired(hosts: readonly string[], devices: readonly string[]): RankPair[] {
  if (hosts.length === 1 && devices.length <= 1) {
    const [host] = hosts;
    const [device] = devices;
    const ofHost = rankOfName(host);
    const rank = ofHost ?? (device === undefined ? undefined : rankOfName(device));
    return [{ rank: rank ?? 0, host, assumed: rank === undefined, ...(device === undefined ? {} : { device }) }];
  }
  const byRank = {
    'pytorch-host-json': ranked(hosts, 'pytorch-host-json'),
    'kineto-json': ranked(devices, 'kineto-json'),
  };
  const lone = [...byRank['kineto-json']].filter(([rank]) => !byRank['pytorch-host-json'].has(rank));
  if (lone.length > 0) {
    const [[rank, path]] = lone;
    const more = lone.length === 1 ? '' : ` (${lone.length} ranks are without)`;
    const ranks = [...byRank['pytorch-host-json'].keys()].sort((one, other) => one - other).slice(0, 16);
    throw requestError(
      'LINK_HOST_MISSING',
      `rank ${rank} has a device trace, ${path}, and no host trace${more}; host traces are there of ranks ${ranks.join(', ')}`,
      'name its host trace as well, or leave the device trace out',
    );
  }
  return [...byRank['pytorch-host-json']]
    .sort(([one], [other]) => one - other)
    .map(([rank, host]) => {
      const device = byRank['kineto-json'].get(rank);
      return { rank, host, assumed: false, ...(device === undefined ? {} : { device }) };
    });
}

function ranked(paths: readonly string[], kind: Kind): Map<number, string> {
  const files = new Map<number, string>();
  for (const path of paths) {
    const rank = rankOfName(path);
    if (rank === undefined) {
      throw requestError(
        'RANK_UNNAMED',
        `${path} names no rank, and there are ${paths.length} ${SIDES[kind].noun}s`,
        'name the files as <name>_<rank>.json, host and device traces alike',
      );
    }
    const other = files.get(rank);
    if (other !== undefined) {
      throw requestError(
        'LINK_RANK_DOUBLED',
        `rank ${rank} has two ${SIDES[kind].noun}s: ${other} and ${path}`,
        `name one of them with ${SIDES[kind].option}`,
      );
    }
    files.set(rank, path);
  }
  return files;
}

const RANKED = [
  /(?:^|[._-])rank[._-]?([0-9]{1,7})(?:[._-]|$)/i, // rank-0.json.gz, host_rank_3.json, rank-3.Mar_02.pt.trace.json
  /(?:^|[._-])worker[._-]?([0-9]{1,7})(?:[._-]|$)/i, // worker0.pt.trace.json
  /(?:^|[._-])([0-9]{1,7})$/, // host.0.json, dlrm_eg_0.json
];

/** Rank in the name of a host or device trace (chakra-format section 17); `undefined` where it has none. */
export function rankOfName(path: string): number | undefined {
  const stem = basename(path)
    .replace(/(\.pt)?(\.trace)?\.json(\.gz)?$/i, '')
    .replace(/\.gz$/i, '');
  for (const pattern of RANKED) {
    const match = pattern.exec(stem);
    if (match) return Number(match[1]);
  }
  return undefined;
}
