import { byKey } from '../base/by-key.js';
import { grouped } from '../base/counts.js';
import { ranksText } from '../base/rank-runs.js';
import type { Finding } from '../base/finding.js';

/** Places named behind `like this`. */
const PLACES_NAMED = 3;

/** What one line of the printed form says, and of which findings. */
interface FindingLine {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Findings of one code that differ in ranks, nodes, groups and other numbers only. */
export interface AlikeFindings {
  /** The first of them in full; the same said of several ranks is one line. */
  readonly line: string;
  /** `… and 62 more like this, on ranks 2–63: rank 2 node 204, …`; absent where there is none. */
  readonly more?: string;
  readonly findings: readonly Finding[];
}

/** Puts findings of one code together that are alike, in the order of the first of each kind. */
export function alikeFindings(findings: readonly Finding[]): AlikeFindings[] {
  return [...byKey(findings, shapeOf).values()].flatMap((alike) => {
    const [first, ...rest] = [...byKey(alike, withoutRank)].map(([message, same]) => lineOf(message, same));
    // Of two both are said: the line that counts would be as long.
    if (rest.length < 2) return [first, ...rest].map(({ text, findings }) => ({ line: text, findings }));
    return [{ line: first.text, more: moreText(rest, alike), findings: alike }];
  });
}

/** The message without what tells one place from another: names and ids of nodes, ranks, groups, numbers, plurals. */
function shapeOf(finding: Finding): string {
  const { group } = finding;
  let message = withoutRank(finding);
  if (group !== undefined) message = message.replaceAll(JSON.stringify(group), '@').replace(`${group}: `, '@: ');
  return message
    .replace(/(\d) "(?:[^"\\]|\\.)*"/g, '$1') // the name behind the id of a node
    .replace(/\d+(?:[,.]\d+)*/g, '#')
    .replace(/\bhave\b/g, 'has')
    .replace(/s\b/g, '')
    .replace(/#(?:(?:, | and )#(?: more)?)+/g, '#')
    .replace(/#(?: wait for (?:\(\w+\) )?(?:… # node more …|#))+/g, '#');
}

/** The message without the rank it begins with, and without the file where that is only the rank's own. */
function withoutRank({ message, rank, file }: Finding): string {
  const bare = rank === undefined ? message : message.replace(new RegExp(`^rank ${rank}(:|,)? `), '');
  return file !== undefined && bare.startsWith(`${file}: `) ? bare.slice(file.length + 2) : bare;
}

/** @param message without the rank */
function lineOf(message: string, findings: readonly Finding[]): FindingLine {
  const ranks = ranksOf(findings);
  const [first] = findings;
  if (ofGroup(first)) return { text: `group ${first.message}`, findings };
  if (ranks.length > 1) return { text: `${ranksText(ranks)}: ${message}`, findings };
  const placed = ranks.length === 0 || saysWhere(first);
  return { text: placed ? first.message : `rank ${ranks[0]}: ${first.message}`, findings };
}

/** Whether the message begins with the name of a process group, which may be as short as `0`. */
function ofGroup({ message, group }: Finding): boolean {
  return group !== undefined && message.startsWith(`${group}: `);
}

function saysWhere({ message, file }: Finding): boolean {
  return /\branks? \d/.test(message) || (file !== undefined && message.startsWith(file));
}

function moreText(rest: readonly FindingLine[], alike: readonly Finding[]): string {
  const left = rest.flatMap(({ findings }) => findings);
  const ranks = ranksOf(left);
  const where = ranks.length === 0 ? '' : `, on ${ranksText(ranks)}`;
  const occurrences = alike.reduce((sum, { count = 1 }) => sum + count, 0);
  const inAll = occurrences > alike.length ? ` (${grouped(occurrences)} in all)` : '';
  const places = left.slice(0, PLACES_NAMED).map((finding) => placeOf(finding, ranks.length > 1));
  const named = places.filter((place) => place !== '');
  if (left.length > PLACES_NAMED && named.length > 0) named.push('…');
  const examples = named.length === 0 ? '' : `: ${named.join(', ')}`;
  return `… and ${grouped(left.length)} more like this${inAll}${where}${examples}`;
}

/** `rank 2 node 204`, `node 204`, `group dp`. */
function placeOf({ rank, nodes, group }: Finding, withRank: boolean): string {
  if (rank === undefined && group !== undefined) return `group ${group}`;
  const node = nodes?.[0];
  return [...(withRank ? [`rank ${rank}`] : []), ...(node === undefined ? [] : [`node ${node}`])].join(' ');
}

/** Ascending, each once. */
function ranksOf(findings: readonly Finding[]): number[] {
  const ranks = findings.map(({ rank }) => rank).filter((rank) => rank !== undefined);
  return [...new Set(ranks)].sort((left, right) => left - right);
}
