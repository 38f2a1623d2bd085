import { TAG_LIMIT } from '../validate/targets/astra-communication.js';
import { forEachKey, type TransferSurvey } from '../transfer-survey.js';

/** New tags of one rank towards one partner in one direction: the place of a tag in the list is its new number. */
export interface TagList {
  readonly peer: number;
  readonly isSend: boolean;
  /** Old tags, ascending. */
  readonly tags: Float64Array;
}

/**
 * Tags that ASTRA-sim would take modulo 500,000,000 (astra-sim-semantics section 11). A sender and a receiver with such a
 * tag between them number all their tags from 0, in the order of the old ones, alike at both ends.
 * @returns lists by rank
 */
export function numberTags(surveys: readonly TransferSurvey[]): Map<number, TagList[]> {
  const lists = new Map<number, TagList[]>(surveys.map(({ rank }) => [rank, []]));
  let sender = -1;
  let receiver = -1;
  let tags: number[] = [];
  const close = (): void => {
    // Ascending: a tag below 0 comes first, the largest last.
    if (tags.length === 0 || (tags[0] >= 0 && tags[tags.length - 1] < TAG_LIMIT)) return;
    const list = Float64Array.from(tags);
    lists.get(sender)!.push({ peer: receiver, isSend: true, tags: list });
    lists.get(receiver)!.push({ peer: sender, isSend: false, tags: list });
  };
  forEachKey(surveys, (key) => {
    if (key.sender !== sender || key.receiver !== receiver) {
      close();
      tags = [];
      ({ sender, receiver } = key);
    }
    tags.push(key.tag);
  });
  close();
  return lists;
}

/** The new number of a tag that is in the list. */
export function numberOfTag({ tags }: TagList, tag: number): number {
  let low = 0;
  let high = tags.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tags[middle] < tag) low = middle + 1;
    else high = middle;
  }
  return low;
}
