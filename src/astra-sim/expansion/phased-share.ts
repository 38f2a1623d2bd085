import type { Share } from '../../collectives/algorithm.js';
import type { Phase } from '../collective-plan.js';
import { positionOf, rankAt } from '../logical-dimension.js';
import { memberPositions, positionAmong, type MemberPositions } from '../member-positions.js';
import { Pattern } from '../phase-shape.js';
import { treePlace } from '../tree-place.js';
import { orderNumber, type PhasedScript } from './collective-script.js';

/** Receives that end a run on a rank: every second place of its share. */
interface RunEnd {
  readonly first: number;
  readonly count: number;
}

/** Tag indices that a run of a phase takes: one a message of a rank; in a tree one up and one down. */
function indicesOf({ shape }: Phase): number {
  return shape.pattern === Pattern.doubleBinaryTree ? 2 : shape.sends;
}

/**
 * Writes what one member of a collective sends and receives (astra-sim-semantics section 8): each run waits for the one of its chunk in
 * the phase before and for the one that makes room in the queue, and inside it a message for what triggers it.
 */
export class PhasedShare {
  readonly #script: PhasedScript;
  readonly #positions: MemberPositions; // in the group
  readonly #firstIndex: readonly (readonly number[])[]; // [orders][phases]
  readonly #phases: number; // of a chunk
  /** Indices of a chunk. */
  readonly #indices: number;

  constructor(script: PhasedScript) {
    this.#script = script;
    this.#positions = memberPositions(script.ranks);
    this.#phases = script.orders[0].length;
    let most = 0;
    this.#firstIndex = script.orders.map((order) => {
      let indices = 0;
      const first = order.map((phase) => (indices += indicesOf(phase)) - indicesOf(phase));
      most = Math.max(most, indices);
      return first;
    });
    this.#indices = most;
  }

  get indexCount(): number {
    return this.#indices * this.#script.chunks;
  }

  write(position: number, out: Share): void {
    out.clear();
    const { starts, after, ranks } = this.#script;
    const ends: RunEnd[] = [];
    for (const run of starts) {
      const first = run - (run % this.#phases); // of the chunk
      const before: RunEnd[] = [];
      if (run > first) before.push(ends[run - 1]);
      // A chunk that takes the place that it had itself waits for that already.
      if (after[run] >= 0 && !(after[run] >= first && after[run] < run)) before.push(ends[after[run]]);
      ends[run] = this.#writeRun(run, ranks[position], before, out);
    }
  }

  #writeRun(run: number, rank: number, before: readonly RunEnd[], out: Share): RunEnd {
    const place = run % this.#phases;
    const chunk = Math.floor(run / this.#phases);
    const order = orderNumber(this.#script, chunk);
    const phase = this.#script.orders[order][place];
    const index = chunk * this.#indices + this.#firstIndex[order][place];
    return phase.shape.pattern === Pattern.doubleBinaryTree
      ? this.#writeTree(run, phase, rank, index, before, out)
      : this.#writeExchange(run, phase, rank, index, before, out);
  }

  /** A ring, `direct` or halving-doubling: each message has a receive that is posted with it. */
  #writeExchange(
    run: number,
    { shape, members }: Phase,
    rank: number,
    firstIndex: number,
    before: readonly RunEnd[],
    out: Share,
  ): RunEnd {
    const { pattern, kind, count, parallelism, sends, bytes, distances } = shape;
    const own = positionOf(members, rank);
    const direction = this.#script.anticlockwise[run] === 1 ? -1 : 1;
    const memberAt = (position: number): number =>
      positionAmong(this.#positions, rankAt(members, rank, own, (position + count) % count));
    const barrier = pattern === Pattern.direct && kind === 'allReduce' ? count - 1 : sends;
    const first = out.length;
    const receive = (message: number): number => first + 2 * message + 1;
    for (let message = 0; message < sends; message++) {
      let to: number;
      let from: number;
      if (pattern === Pattern.halvingDoubling) {
        const distance = distances[message];
        to = from = memberAt(Math.floor(own / distance) % 2 === 0 ? own + distance : own - distance);
      } else {
        const distance = pattern === Pattern.ring ? direction : direction * ((message % (count - 1)) + 1);
        to = memberAt(own + distance);
        from = memberAt(own - distance);
      }
      const size = bytes[Math.min(message, bytes.length - 1)];
      for (const send of [1, 0] as const) {
        out.add(send, send === 1 ? to : from, size, firstIndex + message);
        if (message < parallelism) afterEnds(before, out);
        else if (message < barrier || message >= barrier + parallelism) out.after(receive(message - parallelism));
        else afterReceives({ first: receive(barrier - parallelism), count: parallelism }, out);
      }
    }
    return { first: receive(sends - parallelism), count: parallelism };
  }

  #writeTree(
    run: number,
    { shape, members }: Phase,
    rank: number,
    index: number,
    before: readonly RunEnd[],
    out: Share,
  ): RunEnd {
    const [size] = shape.bytes;
    const own = positionOf(members, rank);
    const { parent, left, right } = treePlace(shape.count, own, this.#script.rootMax[run] === 1);
    const memberAt = (position: number): number => positionAmong(this.#positions, rankAt(members, rank, own, position));
    const fromChildren: number[] = [];
    for (const child of [left, right]) {
      if (child < 0) continue;
      fromChildren.push(out.add(0, memberAt(child), size, index));
      afterEnds(before, out);
    }
    const afterChildren = (): void => {
      if (fromChildren.length === 0) afterEnds(before, out);
      for (const received of fromChildren) out.after(received);
    };
    let end = fromChildren[0];
    if (parent >= 0) {
      out.add(1, memberAt(parent), size, index);
      afterChildren();
      end = out.add(0, memberAt(parent), size, index + 1);
      afterChildren();
    }
    for (const child of [left, right]) {
      if (child < 0) continue;
      out.add(1, memberAt(child), size, index + 1);
      out.after(end);
    }
    return { first: end, count: 1 };
  }
}

/** Makes the transfer added last wait for runs. */
function afterEnds(before: readonly RunEnd[], out: Share): void {
  for (const end of before) afterReceives(end, out);
}

function afterReceives({ first, count }: RunEnd, out: Share): void {
  for (let receive = 0; receive < count; receive++) out.after(first + 2 * receive);
}
