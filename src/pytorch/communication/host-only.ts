import type { HostTrace } from '../../formats/pytorch/host-trace.js';
import { titleMeaning } from './collective-words.js';
import type { Sighting } from './facts.js';

/**
 * Communication of the host without a record: annotations such as `gloo:all_reduce`, and `c10d::…` ops of backends that say
 * nothing at all. Of ops inside one another the innermost counts; one that has a record above or below, or a kernel, is
 * known already.
 *
 * @param known nodes of records and titles that are accounted for
 */
export function unrecordedOnHost(host: HostTrace, callers: Int32Array, known: Iterable<number>): Sighting[] {
  const meanings = host.names.map((name) => {
    const meaning = titleMeaning(name);
    return meaning?.kind === 'nothing' || meaning?.kind === 'coalesced' ? undefined : meaning;
  });
  if (meanings.every((meaning) => meaning === undefined)) return [];
  const { length, name } = host;
  const covered = new Uint8Array(length); // 1: known, or above something known
  const accounted = new Uint8Array(length); // 1: known itself
  const cover = (node: number): void => {
    for (let at = node; at >= 0 && covered[at] === 0; at = callers[at]) covered[at] = 1;
  };
  for (const node of known) {
    accounted[node] = 1;
    cover(node);
  }
  const titles: number[] = [];
  for (let node = 0; node < length; node++) if (meanings[name[node]] !== undefined) titles.push(node);
  // Callers start before what they call and so have smaller ids.
  titles.sort((left, right) => host.id[right] - host.id[left]);
  const found: Sighting[] = [];
  for (const node of titles) {
    if (covered[node] === 1) continue;
    const chain = [node];
    let inside = false;
    let steps = length;
    for (let at = callers[node]; at >= 0 && steps > 0; at = callers[at], steps--) {
      if (accounted[at] === 1) inside = true;
      if (meanings[name[at]] !== undefined) chain.push(at);
    }
    cover(node);
    if (inside) continue;
    found.push({
      kernel: undefined,
      record: -1,
      nested: false,
      shared: false,
      titleNodes: chain,
      titles: chain.map((at) => host.names[name[at]]),
    });
  }
  return found.reverse();
}
