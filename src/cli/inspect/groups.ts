import { basename } from 'node:path';
import { byKey } from '../../base/by-key.js';
import { exactBytes } from '../../base/byte-text.js';
import { counted, grouped } from '../../base/counts.js';
import { rankRuns, rankRunsByStride, ranksText } from '../../base/rank-runs.js';
import { textTable } from '../../base/text-table.js';
import type { Departure } from '../../passes/views/departures.js';
import type { GroupsView, GroupView } from '../../passes/views/groups.js';
import type { StatedCollective } from '../../passes/views/stated.js';
import { cut } from './cut.js';

/** Departures of one group that are told of. */
const DEPARTURES_SHOWN = 4;

/** The view of process groups for a person. */
export function groupsLines({ declared, used, list }: GroupsView): string[] {
  const heading = `${counted(list.length, 'process group')}: ${grouped(declared)} declared, ${grouped(used)} in use`;
  if (list.length === 0) return [heading];
  const rows = list.map((group) => [
    group.name,
    group.origin === 'none' ? '?' : rankRunsByStride(group.members) || 'none',
    grouped(group.size),
    origin(group),
    perRank(group),
    types(group),
    exactBytes(group.bytes),
    agreement(group),
  ]);
  const header = ['group', 'members', 'size', 'members from', 'collectives a rank', 'types', 'bytes', 'agreement'];
  const notes = list.flatMap(notesOf);
  return [
    heading,
    '',
    ...cut(rows, (shown) => textTable([header, ...shown], 'llrlrlrl')),
    ...(notes.length === 0 ? [] : ['', ...cut(notes, (shown) => [...shown])]),
  ];
}

/** `comm_group.json`, `process_group:init of ranks 0–7 (node 2)`; what stands in for a declaration where there is none. */
function origin({ origin: from, declaredIn }: GroupView): string {
  if (declaredIn.length === 0 && from === 'world') return 'all ranks';
  if (declaredIn.length === 0) return from === 'use' ? 'not declared; its use' : 'not declared';
  return declaredIn
    .map(({ origin: place, ranks, node }) => {
      if (ranks === undefined) return basename(place);
      const where = `${place} of ${ranksText(ranks)}`;
      return node === undefined ? where : `${where} (node ${node})`;
    })
    .join('; ');
}

/** `9`, or `8–9` where the ranks differ. */
function perRank({ collectivesPerRank }: GroupView): string {
  if (typeof collectivesPerRank === 'number') return grouped(collectivesPerRank);
  const counts = Object.values(collectivesPerRank);
  return `${grouped(Math.min(...counts))}–${grouped(Math.max(...counts))}`;
}

/** `8 AllReduce 64 MiB, 2 Barrier`. */
function types({ types: sums }: GroupView): string {
  const texts = sums.map(({ type, collectives, bytes, expanded }) => {
    const size = bytes > 0 ? ` ${exactBytes(bytes)}` : '';
    return `${grouped(collectives)} ${type}${size}${expanded > 0 ? ' (expanded)' : ''}`;
  });
  return texts.join(', ') || '–';
}

function agreement({ departures, users }: GroupView): string {
  if (users.length === 0) return 'not used';
  if (departures.length === 0) return users.length === 1 ? 'one user' : 'agree';
  const [{ rank, index, what }] = departures;
  return `rank ${rank} departs at ${index} (${what})`;
}

/** What a row cannot hold, a line each. */
function notesOf(group: GroupView): string[] {
  const { name, origin: from, reason, departures, usersOutside, membersWithoutUse, membersWithoutTrace, users } = group;
  const said: string[] = [];
  if (reason !== undefined) {
    said.push(from === 'none' ? `not declared, used by ${ranksText(users)}: ${reason}` : `not declared; ${reason}`);
  }
  if (from === 'world') said.push('its collectives name no process group');
  const counts = group.collectivesPerRank;
  if (typeof counts !== 'number') said.push(`collectives: ${countsText(counts)}`);
  for (const departure of departures.slice(0, DEPARTURES_SHOWN)) said.push(departureText(departure));
  const more = departures.length - DEPARTURES_SHOWN;
  if (more > 0) said.push(`… and ${grouped(more)} more departures; --json has all`);
  if (usersOutside.length > 0) {
    const one = usersOutside.length === 1;
    said.push(`${ranksText(usersOutside)} ${one ? 'uses it and is no member' : 'use it and are no members'}`);
  }
  if (membersWithoutUse.length > 0 && users.length > 0)
    said.push(`members that never use it: ${rankRuns(membersWithoutUse)}`);
  if (membersWithoutTrace.length > 0) said.push(`members without a trace here: ${rankRuns(membersWithoutTrace)}`);
  return said.map((text) => `group ${name}: ${text}`);
}

/** `9 on ranks 0–2; 8 on rank 3`, the most frequent count first. */
function countsText(counts: Readonly<Record<string, number>>): string {
  return [...byKey(Object.entries(counts), ([, count]) => count)]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([count, alike]) => `${grouped(count)} on ${ranksText(alike.map(([rank]) => Number(rank)))}`)
    .join('; ');
}

/** `at collective 5 rank 3 has AllGather of 4 MiB (node 17), 3 others have AllReduce of 4 MiB (node 16 of rank 0)`. */
function departureText({ rank, index, what, has, others }: Departure): string {
  const own = has === null ? 'nothing more' : `${stated(has, what)} (node ${has.node})`;
  const which = others.count === 1 ? `rank ${others.rank} has` : `${grouped(others.count)} others have`;
  const place =
    others.has === null ? '' : ` (node ${others.has.node}${others.count === 1 ? '' : ` of rank ${others.rank}`})`;
  const theirs = others.has === null ? 'nothing more' : stated(others.has, what);
  return `at collective ${index} rank ${rank} has ${own}, ${which} ${theirs}${place}`;
}

function stated({ type, bytes, root }: StatedCollective, what: Departure['what']): string {
  const size = bytes === null ? ' without a size' : ` of ${exactBytes(bytes)}`;
  return `${type}${type === 'Barrier' ? '' : size}${what === 'root' ? ` with root ${root}` : ''}`;
}
