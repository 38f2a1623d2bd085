import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import type { Communication } from '../communication.js';

/** Sends and receives of one pair of ranks in one group. */
interface PairUse {
  readonly sender: number;
  readonly receiver: number;
  readonly group: string;
  /** Places among the communications of the sender and of the receiver, in the order of issue. */
  readonly sends: number[];
  readonly receives: number[];
}

/**
 * Numbers sends and receives: the n-th send of a sender to a receiver in a group, and the n-th receive of it there, have the same
 * tag. The groups of a pair share one numbering, so that no tag of a pair stands for two transfers.
 *
 * @param communications by rank, in order of place
 * @param peers likewise
 * @returns tags likewise, −1 for collectives and where the other end is not known; what does not meet, where both ranks are given
 */
export function tagTransfers(
  communications: ReadonlyMap<number, readonly Communication[]>,
  peers: ReadonlyMap<number, Int32Array>,
): { tags: Map<number, Int32Array>; findings: Finding[] } {
  const tags = new Map<number, Int32Array>();
  for (const [rank, list] of communications) tags.set(rank, new Int32Array(list.length).fill(-1));
  const nextTag = new Map<string, number>();
  const findings: Finding[] = [];
  for (const { sender, receiver, group, sends, receives } of pairUses(communications, peers)) {
    const pair = `${sender} ${receiver}`;
    const first = nextTag.get(pair) ?? 0;
    nextTag.set(pair, first + Math.max(sends.length, receives.length));
    sends.forEach((place, at) => (tags.get(sender)![place] = first + at));
    receives.forEach((place, at) => (tags.get(receiver)![place] = first + at));
    if (sends.length === receives.length || !communications.has(sender) || !communications.has(receiver)) continue;
    const where = group === '' ? 'without a group' : `group ${JSON.stringify(group)}`;
    const message = `${where}: rank ${sender} sends ${counted(sends.length, 'time')} to rank ${receiver}, which receives ${counted(receives.length, 'time')}`;
    const count = Math.abs(sends.length - receives.length);
    findings.push(finding('COMMUNICATION_UNMATCHED', message, { ...(group === '' ? {} : { group }), count }));
  }
  return { tags, findings };
}

/** By sender, receiver and name of the group, so that tags do not hang on the order of ranks given. */
function pairUses(
  communications: ReadonlyMap<number, readonly Communication[]>,
  peers: ReadonlyMap<number, Int32Array>,
): PairUse[] {
  const uses = new Map<string, PairUse>();
  for (const [rank, list] of communications) {
    const places = list.map((_, place) => place).filter((place) => list[place].kind !== 'collective');
    places.sort((left, right) => list[left].order - list[right].order);
    for (const place of places) {
      const { kind, group } = list[place];
      const peer = peers.get(rank)![place];
      if (peer < 0) continue;
      const [sender, receiver] = kind === 'send' ? [rank, peer] : [peer, rank];
      const key = `${sender} ${receiver} ${group}`;
      let use = uses.get(key);
      if (use === undefined) {
        use = { sender, receiver, group, sends: [], receives: [] };
        uses.set(key, use);
      }
      (kind === 'send' ? use.sends : use.receives).push(place);
    }
  }
  return [...uses.values()].sort(
    (left, right) =>
      left.sender - right.sender || left.receiver - right.receiver || compareNames(left.group, right.group),
  );
}

function compareNames(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
