import { counted } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { isTransfer } from '../../../trace/node-type.js';
import { bytesOf, forEachKey, idOf, withoutEqualSizes } from '../../transfer-survey.js';
import { Occurrences } from '../../occurrences.js';
import { TRANSFER_NOUN, type RankSubject } from '../rank-subject.js';
import type { RankRule, TracesetRule, TracesetSubject } from '../rule.js';

/** How sends and receives find each other (astra-sim-semantics section 11). */
export const astraTransferRules: readonly (RankRule | TracesetRule)[] = [
  { scope: 'rank', codes: ['ASTRA_PEER_SELF'], check: ownPeers },
  { scope: 'traceset', codes: ['ASTRA_TRANSFER_SIZE'], check: sizesDiffer },
];

function ownPeers(subject: RankSubject): Finding[] {
  const { type, peer, rank } = subject.trace;
  const found = subject.where((node) => isTransfer(type[node]) && peer[node] === rank);
  return subject.told(found, 'ASTRA_PEER_SELF', TRANSFER_NOUN, 'with the rank itself as partner');
}

/** Receives for which there is a send, and none of their size: the size is part of the key. */
function sizesDiffer({ surveys }: TracesetSubject): Finding[] {
  const found = new Map(surveys.map(({ rank }) => [rank, new Occurrences()]));
  const transfers = surveys.map(({ waits }) => waits.transfers);
  forEachKey(transfers, (match) => {
    const { sendLeft, receiveLeft } = withoutEqualSizes(match);
    for (let place = 0; place < Math.min(sendLeft.length, receiveLeft.length); place++) {
      const { sends, receives } = match;
      // An absent size is told on its own node.
      if (Number.isNaN(bytesOf(sends, sendLeft[place])) || Number.isNaN(bytesOf(receives, receiveLeft[place])))
        continue;
      found.get(match.receiver)!.add(idOf(receives, receiveLeft[place]));
    }
  });
  return surveys.flatMap(({ rank, file }) =>
    found
      .get(rank)!
      .finding(
        'ASTRA_TRANSFER_SIZE',
        (places, count) => `rank ${rank}: ${counted(count, 'receive')} of another size than the send: ${places}`,
        { rank, file },
      ),
  );
}
