import { Share, type Algorithm, type CollectiveShape } from '../../src/collectives/algorithm.js';

/** One end of a transfer in the share of one position. */
export interface ShareEntry {
  readonly kind: 'send' | 'receive';
  readonly peer: number;
  readonly bytes: number;
  readonly index: number;
  /** Places of the same share it waits for. */
  readonly after: readonly number[];
}

/** The share of one position as objects. */
export function shareOf(algorithm: Algorithm, position: number, shape: CollectiveShape): ShareEntry[] {
  const share = new Share();
  algorithm.share(position, shape, share);
  return Array.from({ length: share.length }, (_, place) => ({
    kind: share.send[place] ? 'send' : 'receive',
    peer: share.peer[place],
    bytes: share.bytes[place],
    index: share.index[place],
    after: [...share.dependency.subarray(share.dependencyStart[place], share.dependencyStart[place + 1])],
  }));
}

/** The shares of all positions. */
export function allShares(algorithm: Algorithm, shape: CollectiveShape): ShareEntry[][] {
  return Array.from({ length: shape.groupSize }, (_, position) => shareOf(algorithm, position, shape));
}

/** A share as text, an entry a line: `send 3: 125 B #0 after 1,2`. */
export function shareText(entries: readonly ShareEntry[]): string[] {
  return entries.map(
    ({ kind, peer, bytes, index, after }) =>
      `${kind} ${peer}: ${bytes} B #${index}${after.length ? ` after ${after.join(',')}` : ''}`,
  );
}

/** Transfers and bytes over all positions, counted at the senders. */
export function totals(algorithm: Algorithm, shape: CollectiveShape): string {
  const sends = allShares(algorithm, shape)
    .flat()
    .filter((entry) => entry.kind === 'send');
  return `${sends.length}/${sends.reduce((sum, send) => sum + send.bytes, 0)}`;
}
