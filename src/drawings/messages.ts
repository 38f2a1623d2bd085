import { isTransfer, NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { NodeKey } from './drawing-sink.js';
import { Grown } from './grown-columns.js';

/** Ranks of a job are below this: design section 2.3. */
const RANK_SPAN = 2 ** 21;

/** Sends and receives that have no other end, and messages whose other end is not the only one it could be. */
export interface MessageTally {
  messages: number;
  unpairedSends: number;
  unpairedReceives: number;
  /** Sends and receives that name no partner rank. */
  withoutPartner: number;
  /** Those whose partner rank is not drawn. */
  elsewhere: number;
  /** Sends whose ranks and tag other sends have too. */
  pairedByOrder: number;
}

/**
 * The sends and receives of the ranks of a picture, paired by ranks and tag. Of several with the same the first
 * send goes to the first receive in file order; a run pairs them in the order in which they complete.
 */
export class Messages {
  readonly #rank = new Grown();
  readonly #low = new Grown();
  readonly #high = new Grown();
  readonly #tag = new Grown();
  readonly #copy = new Grown();
  readonly #drawn = new Grown();
  #withoutPartner = 0;
  /** Places by sender and receiver, in file order. */
  readonly #pairs = new Map<number, { sends: number[]; receives: number[] }>();

  /** @param drawn whether the node is in the picture; others pair all the same */
  add(trace: RankTrace, node: number, copy: number, drawn: boolean): void {
    const { type, peer, rank } = trace;
    if (!isTransfer(type[node])) return;
    if (peer[node] < 0 || peer[node] >= RANK_SPAN) {
      this.#withoutPartner += drawn ? 1 : 0;
      return;
    }
    const place = this.#rank.length;
    this.#rank.push(rank);
    this.#low.push(trace.idLow[node]);
    this.#high.push(trace.idHigh[node]);
    this.#tag.push(Number.isNaN(trace.commTag[node]) ? 0 : trace.commTag[node]);
    this.#copy.push(copy);
    this.#drawn.push(drawn ? 1 : 0);
    const isSend = type[node] === NodeType.send;
    const [sender, receiver] = isSend ? [rank, peer[node]] : [peer[node], rank];
    const key = sender * RANK_SPAN + receiver;
    let pair = this.#pairs.get(key);
    if (pair === undefined) this.#pairs.set(key, (pair = { sends: [], receives: [] }));
    (isSend ? pair.sends : pair.receives).push(place);
  }

  /** Calls `visit` for each message between two nodes of the picture, by sender and receiver. */
  forEach(ranks: readonly number[], visit: (from: NodeKey, to: NodeKey) => void): MessageTally {
    const tally = {
      messages: 0,
      unpairedSends: 0,
      unpairedReceives: 0,
      withoutPartner: this.#withoutPartner,
      elsewhere: 0,
      pairedByOrder: 0,
    };
    const drawn = new Set(ranks);
    const from = { rank: 0, idLow: 0, idHigh: 0, copy: 0 };
    const to = { rank: 0, idLow: 0, idHigh: 0, copy: 0 };
    for (const key of [...this.#pairs.keys()].sort((a, b) => a - b)) {
      const { sends, receives } = this.#pairs.get(key)!;
      if (!drawn.has(Math.floor(key / RANK_SPAN)) || !drawn.has(key % RANK_SPAN)) {
        for (const place of [...sends, ...receives]) tally.elsewhere += this.#drawn.values[place];
        continue;
      }
      const [sorted, waiting] = [this.#byTag(sends), this.#byTag(receives)];
      let send = 0;
      let receive = 0;
      while (send < sorted.length && receive < waiting.length) {
        const sendTag = this.#tag.values[sorted[send]];
        const receiveTag = this.#tag.values[waiting[receive]];
        if (sendTag < receiveTag) tally.unpairedSends += this.#drawn.values[sorted[send++]];
        else if (sendTag > receiveTag) tally.unpairedReceives += this.#drawn.values[waiting[receive++]];
        else {
          if (this.#drawn.values[sorted[send]] + this.#drawn.values[waiting[receive]] === 2) {
            visit(this.#fill(from, sorted[send]), this.#fill(to, waiting[receive]));
            tally.messages++;
            if (this.#isShared(sorted, send) || this.#isShared(waiting, receive)) tally.pairedByOrder++;
          }
          send++;
          receive++;
        }
      }
      for (; send < sorted.length; send++) tally.unpairedSends += this.#drawn.values[sorted[send]];
      for (; receive < waiting.length; receive++) tally.unpairedReceives += this.#drawn.values[waiting[receive]];
    }
    return tally;
  }

  #isShared(places: readonly number[], at: number): boolean {
    const tag = this.#tag.values;
    return tag[places[at]] === tag[places[at - 1]] || tag[places[at]] === tag[places[at + 1]];
  }

  #byTag(places: readonly number[]): readonly number[] {
    const tag = this.#tag.values;
    for (let at = 1; at < places.length; at++) {
      if (tag[places[at]] < tag[places[at - 1]]) return [...places].sort((a, b) => tag[a] - tag[b] || a - b);
    }
    return places;
  }

  #fill(key: NodeKey, place: number): NodeKey {
    key.rank = this.#rank.values[place];
    key.idLow = this.#low.values[place];
    key.idHigh = this.#high.values[place];
    key.copy = this.#copy.values[place];
    return key;
  }
}
