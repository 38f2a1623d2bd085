import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { ranksText } from '../base/rank-runs.js';
import { joinDeclarations, type GroupDeclaration } from '../trace/group-declarations.js';
import { inOrder, type Communication, type RankCommunications, type SettledCommunications } from './communication.js';
import { disagreements } from './communication/disagreements.js';
import { inferGroups } from './communication/infer-groups.js';
import { tagTransfers } from './communication/tag-transfers.js';

/**
 * Looks at the communication of all ranks that are given, ascending: who is in which group, who is at the other end of sends and
 * receives, which send meets which receive. Ranks of the job may be missing; that is said once.
 */
export function settleCommunications(ranks: readonly RankCommunications[]): SettledCommunications {
  const given = ranks.map(({ rank }) => rank);
  const worldSize = worldSizeOf(ranks);
  const { groups: declared, findings } = joinDeclarations(declarationsOf(ranks), worldSize);
  const groups = new Map([...declared].map(([name, { ranks: members }]) => [name, members]));

  const communications = new Map(ranks.map((rank) => [rank.rank, inOrder(rank)]));
  findings.push(...inferGroups(ranks, communications, worldSize, groups));
  const used = new Set([...communications.values()].flatMap((list) => list.map(({ group }) => group)));
  // Groups that are declared and never used help nobody, and a job declares many.
  const usedGroups = new Map([...groups].filter(([name]) => used.has(name)));

  const peers = new Map<number, Int32Array>();
  const roots = new Map<number, Int32Array>();
  for (const { rank } of ranks) {
    const list = communications.get(rank)!;
    peers.set(
      rank,
      Int32Array.from(list, ({ peer, peerPosition, group }) => resolved(peer, peerPosition, group, groups)),
    );
    roots.set(
      rank,
      Int32Array.from(list, ({ root, rootPosition, group }) => resolved(root, rootPosition, group, groups)),
    );
  }
  findings.push(...unresolvedEnds(communications, peers, roots));
  const { tags, findings: unmatched } = tagTransfers(communications, peers);
  findings.push(
    ...unmatched,
    ...disagreements(communications, usedGroups),
    ...membersMissing(usedGroups, new Set(given)),
    ...zeroGroup(usedGroups, worldSize, given),
  );
  return { groups: usedGroups, peers, roots, tags, findings };
}

/** Ranks of the job, `Infinity` where no rank says how many there are. */
function worldSizeOf(ranks: readonly RankCommunications[]): number {
  const stated = ranks.map(({ worldSize }) => worldSize).filter((size) => !Number.isNaN(size));
  return stated.length === 0 ? Infinity : stated.reduce((most, size) => Math.max(most, size), 0);
}

function* declarationsOf(ranks: readonly RankCommunications[]): Generator<GroupDeclaration> {
  for (const { rank, groups } of ranks) {
    for (const [name, members] of groups) yield { name, ranks: members, origin: 'the traces', rank };
  }
}

function resolved(
  rank: number,
  position: number,
  group: string,
  groups: ReadonlyMap<string, readonly number[]>,
): number {
  return rank >= 0 || position < 0 ? rank : (groups.get(group)?.[position] ?? -1);
}

/** Ends that have a position and no rank, because nothing tells who is in the group. */
function unresolvedEnds(
  communications: ReadonlyMap<number, readonly Communication[]>,
  peers: ReadonlyMap<number, Int32Array>,
  roots: ReadonlyMap<number, Int32Array>,
): Finding[] {
  const counts = { peer: 0, root: 0 };
  const names = { peer: new Set<string>(), root: new Set<string>() };
  for (const [rank, list] of communications) {
    list.forEach(({ peerPosition, rootPosition, group }, place) => {
      if (peerPosition >= 0 && peers.get(rank)![place] < 0) {
        counts.peer++;
        names.peer.add(group);
      }
      if (rootPosition >= 0 && roots.get(rank)![place] < 0) {
        counts.root++;
        names.root.add(group);
      }
    });
  }
  const findings: Finding[] = [];
  if (counts.peer > 0) {
    const message = `${counted(counts.peer, 'send or receive', 'sends and receives')} without the other end: the members of ${groupList([...names.peer])} are not known`;
    findings.push(finding('COMMUNICATION_PEER_UNKNOWN', message, { count: counts.peer }));
  }
  if (counts.root > 0) {
    const message = `${counted(counts.root, 'collective')} without a root: the members of ${groupList([...names.root])} are not known`;
    findings.push(finding('COMMUNICATION_ROOT_UNKNOWN', message, { count: counts.root }));
  }
  return findings;
}

/** Groups named in one message. */
const GROUPS_NAMED = 3;

function membersMissing(groups: ReadonlyMap<string, readonly number[]>, given: ReadonlySet<number>): Finding[] {
  const lacking = [...groups].flatMap(([name, members]) => {
    const missing = members.filter((rank) => !given.has(rank));
    return missing.length === 0 ? [] : [{ name, missing }];
  });
  if (lacking.length === 0) return [];
  const shown = lacking
    .slice(0, GROUPS_NAMED)
    .map(({ name, missing }) => `${JSON.stringify(name)} lacks ${ranksText(missing)}`);
  const more = lacking.length > shown.length ? `; and ${lacking.length - shown.length} more` : '';
  const message = `${counted(lacking.length, 'group')} ${lacking.length === 1 ? 'has' : 'have'} members without traces: ${shown.join('; ')}${more}`;
  return [finding('COMMUNICATION_MEMBERS_MISSING', message, { count: lacking.length })];
}

function zeroGroup(
  groups: ReadonlyMap<string, readonly number[]>,
  worldSize: number,
  given: readonly number[],
): Finding[] {
  const members = groups.get('0');
  if (members === undefined) return [];
  const known = Number.isFinite(worldSize);
  // Without a stated size of the job, a rank outside the group proves that there are more.
  const proper = known ? members.length < worldSize : given.some((rank) => !members.includes(rank));
  if (!proper) return [];
  const of = known ? ` of ${worldSize}` : '';
  const message = `group "0" is ${ranksText(members)}${of}; ASTRA-sim takes a group of that name as all ranks`;
  return [finding('COMMUNICATION_ZERO_GROUP', message, { group: '0' })];
}

function groupList(names: readonly string[]): string {
  const shown = names.slice(0, GROUPS_NAMED).map((name) => (name === '' ? 'no name' : JSON.stringify(name)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${names.length === 1 ? 'group' : 'groups'} ${shown.join(', ')}${more}`;
}
