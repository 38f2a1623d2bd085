import type { CollectivePairing } from '../../collectives/build-plan.js';
import type { CollectiveSurvey } from '../../collectives/survey.js';
import { bytesOf, forEachKey, type TransferEnds, type TransferSurvey } from '../transfer-survey.js';

/** Sizes that nodes of one rank take over from other ranks. */
export interface SizeList {
  /** Node indices. */
  readonly node: number[];
  /** Bytes of each. */
  readonly bytes: number[];
}

/**
 * Sizes of sends and receives that ASTRA-sim would not pair (astra-sim-semantics section 11): where one send and one
 * receive have a key to themselves, what the send says counts at both ends; what it leaves out is taken from the receive.
 * @param lists by rank, to be added to
 */
export function agreeTransferSizes(surveys: readonly TransferSurvey[], lists: ReadonlyMap<number, SizeList>): void {
  const take = (rank: number, { columns, place }: TransferEnds, entry: number, bytes: number): void => {
    const list = lists.get(rank)!;
    list.node.push(columns.node[place[entry]]);
    list.bytes.push(bytes);
  };
  forEachKey(surveys, (key) => {
    const { sender, receiver, sends, receives, sendFrom, receiveFrom } = key;
    if (key.sendTo - sendFrom !== 1 || key.receiveTo - receiveFrom !== 1) return;
    const sent = bytesOf(sends, sendFrom);
    const expected = bytesOf(receives, receiveFrom);
    if (Object.is(sent, expected)) return;
    if (Number.isNaN(sent)) take(sender, sends, sendFrom, expected);
    else take(receiver, receives, receiveFrom, sent);
  });
}

/** Sizes of raw collectives that are not on all members what all of them use. */
export function agreeCollectiveSizes(
  surveys: readonly CollectiveSurvey[],
  { ranks, instances }: CollectivePairing,
  lists: ReadonlyMap<number, SizeList>,
): void {
  for (const survey of surveys) {
    const { node, instance, expanded } = ranks[survey.rank];
    const list = lists.get(survey.rank)!;
    // Both lists are in ascending id; the plan leaves some out.
    for (let entry = 0, place = 0; entry < node.length; entry++) {
      while (survey.node[place] !== node[entry]) place++;
      const { size } = instances[instance[entry]];
      if (expanded[entry] !== 0 || survey.size[place] === size) continue;
      list.node.push(node[entry]);
      list.bytes.push(size);
    }
  }
}
