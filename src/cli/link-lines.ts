import { counted, grouped } from '../base/counts.js';
import { ranksText } from '../base/rank-runs.js';
import { textTable } from '../base/text-table.js';
import type { LinkedRank } from '../pipeline/link-ranks.js';
import type { LinkReport } from '../pipeline/link-traceset.js';
import type { CommunicationTally } from '../pytorch/communication.js';
import type { LinkAccount, Tally } from '../pytorch/link-account.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';

/** Ranks and groups shown one by one. */
const SHOWN = 16;

/** Account of a link: what of each rank was linked, what was not and why, what the ranks say to each other. */
export function linkLines({ ranks, worldSize }: LinkReport): string[] {
  return [
    ...rankTable(ranks),
    ...unlinkedLines(ranks),
    '',
    ...nodeLines(ranks),
    '',
    ...communicationLines(ranks, worldSize),
  ];
}

function rankTable(ranks: readonly LinkedRank[]): string[] {
  const rows = ranks
    .slice(0, SHOWN)
    .map(({ rank, method, confidence, account, nodes }) => [
      String(rank),
      method === undefined ? 'host only' : METHODS[method],
      method === undefined ? '-' : `${(100 * confidence).toFixed(1)} %`,
      part(account?.hostNodes, nodes.hostNodes),
      part(account?.kernels),
      part(account?.copies),
      part(account?.copyBytes),
      grouped(nodes.nodes),
    ]);
  const head = ['rank', 'linked by', 'confidence', 'host ops', 'kernels', 'copies', 'bytes copied and set', 'nodes'];
  const more = ranks.length > SHOWN ? [`… and ${ranks.length - SHOWN} more ranks; --json has them all`] : [];
  return [...textTable([head, ...rows], 'rlrrrrrr'), ...more];
}

const METHODS = {
  'record-id': 'record ids',
  'external-id': 'external ids',
  'name-and-order': 'names and order',
} as const;

/** `14,388 of 14,391`. */
function part(tally: Tally | undefined, total = 0): string {
  if (tally === undefined) return `0 of ${grouped(total)}`;
  return tally.linked === tally.total ? grouped(tally.total) : `${grouped(tally.linked)} of ${grouped(tally.total)}`;
}

const KINDS: readonly [keyof LinkAccount, string][] = [
  ['hostNodes', 'host ops without time'],
  ['hostEvents', 'host events without node'],
  ['calls', 'calls without op'],
  ['kernels', 'kernels without op'],
  ['copies', 'copies without op'],
  ['sets', 'memsets without op'],
  ['annotations', 'device annotations without op'],
  ['copyBytes', 'bytes copied and set without op'],
  ['collectiveBytes', 'bytes of collectives without op'],
];

/** What was not linked, by reason, over all ranks. */
function unlinkedLines(ranks: readonly LinkedRank[]): string[] {
  const lines: string[] = [];
  for (const [kind, title] of KINDS) {
    const reasons = new Map<string, number>();
    for (const { account } of ranks) {
      const tally = account?.[kind] as Tally | undefined;
      for (const [reason, count] of Object.entries(tally?.unlinked ?? {})) {
        reasons.set(reason, (reasons.get(reason) ?? 0) + count);
      }
    }
    for (const [reason, count] of reasons) lines.push(`${title}: ${grouped(count)}, ${reason}`);
  }
  return lines;
}

function nodeLines(ranks: readonly LinkedRank[]): string[] {
  const sum = (of: (rank: LinkedRank) => number): number => ranks.reduce((total, rank) => total + of(rank), 0);
  const kinds = new Map<string, number>();
  for (const { nodes } of ranks) {
    for (const [kind, count] of Object.entries(nodes.byKind)) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  const hostMs = sum(({ nodes }) => nodes.hostNs) / 1e6;
  const deviceMs = sum(({ nodes }) => nodes.deviceNs) / 1e6;
  const lines = [
    `nodes: ${grouped(sum(({ nodes }) => nodes.hostNodes))} of the host with ${hostMs.toFixed(3)} ms, ` +
      `${grouped(sum(({ nodes }) => nodes.deviceNodes))} of devices with ${deviceMs.toFixed(3)} ms`,
    `data dependencies: ${grouped(sum(({ nodes }) => nodes.dataDependencies))}` +
      (kinds.size === 0 ? '' : ` (${[...kinds].map(([kind, count]) => `${kind} ${grouped(count)}`).join(', ')})`),
  ];
  const waitMs = sum(({ nodes }) => nodes.hostWaitNs) / 1e6;
  if (waitMs > 0) {
    lines.push(
      `waits: ${waitMs.toFixed(3)} ms of the host are waits for devices or other threads, which dependencies stand for as well; ` +
        '--no-waits leaves them out of the durations',
    );
  }
  const outside = sum(({ nodes }) => nodes.outsideHostTrace);
  if (outside > 0) {
    lines.push(`left out: ${counted(outside, 'device event')} launched before the host trace began or after it ended`);
  }
  const sets = sum(({ nodes }) => nodes.setsLeftOut);
  const annotations = sum(({ nodes }) => nodes.annotationsLeftOut);
  if (sets > 0) lines.push(`left out: ${counted(sets, 'memset')}; --memsets makes nodes of them`);
  if (annotations > 0) {
    lines.push(`left out: ${counted(annotations, 'annotation')} of devices; --annotations makes nodes of them`);
  }
  return lines;
}

function communicationLines(ranks: readonly LinkedRank[], worldSize: number): string[] {
  const rows = new Map<string, { first: CommunicationTally; count: number; bytes: number; ranks: number[] }>();
  for (const { rank, communications } of ranks) {
    for (const tally of communications.tallies) {
      const key = JSON.stringify([tally.kind, tally.type, tally.group]);
      const row = rows.get(key) ?? { first: tally, count: 0, bytes: 0, ranks: [] };
      rows.set(key, row);
      row.count += tally.count;
      row.bytes += tally.bytes;
      row.ranks.push(rank);
    }
  }
  if (rows.size === 0) return ['no communication'];
  const table = [...rows.values()]
    .slice(0, SHOWN)
    .map(({ first, count, bytes, ranks: on }) => [
      nameOf(first),
      first.group === '' ? '(none)' : first.group,
      grouped(count),
      grouped(bytes),
      on.length === worldSize ? 'all' : ranksText(on).replace(/^ranks? /, ''),
    ]);
  const more = rows.size > SHOWN ? [`… and ${rows.size - SHOWN} more kinds of communication; --json has them all`] : [];
  return [...textTable([['communication', 'group', 'nodes', 'bytes', 'ranks'], ...table], 'llrrl'), ...more];
}

function nameOf({ kind, type }: CommunicationTally): string {
  if (kind === 'send') return 'Send';
  if (kind === 'receive') return 'Receive';
  return COLLECTIVE_NAMES[type]?.record ?? 'of unknown type';
}
