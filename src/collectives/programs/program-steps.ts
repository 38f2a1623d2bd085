import type { ChunkProgram, ProgramStep, ThreadBlock } from './program.js';
import { STEP_ACTIONS } from './step-kinds.js';

/**
 * All steps of a program in one numbering: rank by rank, thread block by thread block as the program lists them, in step order.
 */
export class ProgramSteps {
  readonly count: number;
  readonly step: readonly ProgramStep[]; // [count]
  readonly rank: Int32Array; // [count]
  readonly block: Int32Array; // [count] thread block, over all ranks
  readonly blockStart: Int32Array; // [blocks + 1] first step of each
  readonly blockRank: Int32Array; // [blocks]
  readonly blocks: readonly ThreadBlock[];
  /** [ranks + 1] first thread block of each rank. */
  readonly rankStart: Int32Array;
  /** [count] step of another thread block that it waits for, −1 for none or for one that does not exist. */
  readonly after: Int32Array;
  /** [count] step whose message it receives, −1 for none. Filled by {@link connections}. */
  readonly sentBy: Int32Array;
  /** [count] step that receives its message, −1 for none. */
  readonly receivedBy: Int32Array;
  /** [count] place of the message it sends among those of its sender and receiver; lower channels first. */
  readonly messageIndex: Int32Array;
  /** [count] the same among those of its connection. */
  readonly channelIndex: Int32Array;
  readonly #program: ChunkProgram;

  constructor(program: ChunkProgram) {
    this.#program = program;
    const blocks = program.ranks.flatMap(({ threadBlocks }) => threadBlocks);
    this.blocks = blocks;
    this.rankStart = new Int32Array(program.ranks.length + 1);
    for (const [rank, { threadBlocks }] of program.ranks.entries()) {
      this.rankStart[rank + 1] = this.rankStart[rank] + threadBlocks.length;
    }
    this.blockStart = new Int32Array(blocks.length + 1);
    for (const [block, { steps }] of blocks.entries())
      this.blockStart[block + 1] = this.blockStart[block] + steps.length;
    const count = this.blockStart[blocks.length];
    this.count = count;
    this.step = blocks.flatMap(({ steps }) => steps);
    this.rank = new Int32Array(count);
    this.block = new Int32Array(count);
    this.blockRank = new Int32Array(blocks.length);
    this.after = new Int32Array(count).fill(-1);
    this.sentBy = new Int32Array(count).fill(-1);
    this.receivedBy = new Int32Array(count).fill(-1);
    this.messageIndex = new Int32Array(count).fill(-1);
    this.channelIndex = new Int32Array(count).fill(-1);
    for (let rank = 0; rank < program.ranks.length; rank++) this.#number(rank);
  }

  #number(rank: number): void {
    const [from, to] = [this.rankStart[rank], this.rankStart[rank + 1]];
    const ofId = new Map<number, number>();
    for (let block = from; block < to; block++)
      if (!ofId.has(this.blocks[block].id)) ofId.set(this.blocks[block].id, block);
    for (let block = from; block < to; block++) {
      this.blockRank[block] = rank;
      for (let at = this.blockStart[block]; at < this.blockStart[block + 1]; at++) {
        this.rank[at] = rank;
        this.block[at] = block;
        const { after } = this.step[at];
        if (after === undefined) continue;
        const other = ofId.get(after.threadBlock);
        if (other === undefined || after.step < 0) continue;
        const found = this.blockStart[other] + after.step;
        if (found < this.blockStart[other + 1]) this.after[at] = found;
      }
    }
  }

  /** The step before it in its thread block, −1 for the first. */
  before(at: number): number {
    return at === this.blockStart[this.block[at]] ? -1 : at - 1;
  }

  /** `gpu 0 thread block 1 step 3 (rrc, line 12)`. */
  label(at: number): string {
    const { kind, line } = this.step[at];
    const block = this.block[at];
    const place = line > 0 ? `${kind}, line ${line}` : kind;
    return `gpu ${this.rank[at]} thread block ${this.blocks[block].id} step ${at - this.blockStart[block]} (${place})`;
  }

  /**
   * Joins the k-th send on each connection with its k-th receive, and numbers messages.
   * @returns the connections, in the order of their senders' thread blocks, then those that are only received on
   */
  connections(): readonly Connection[] {
    const found = new Map<string, { from: number; to: number; channel: number; sends: number[]; receives: number[] }>();
    const of = (from: number, to: number, channel: number): { sends: number[]; receives: number[] } => {
      const key = `${from} ${to} ${channel}`;
      let connection = found.get(key);
      if (connection === undefined) found.set(key, (connection = { from, to, channel, sends: [], receives: [] }));
      return connection;
    };
    for (const [block, { send, channel }] of this.blocks.entries()) {
      for (let at = this.blockStart[block]; at < this.blockStart[block + 1]; at++) {
        if (STEP_ACTIONS[this.step[at].kind].sends) of(this.blockRank[block], send, channel).sends.push(at);
      }
    }
    for (const [block, { receive, channel }] of this.blocks.entries()) {
      for (let at = this.blockStart[block]; at < this.blockStart[block + 1]; at++) {
        if (STEP_ACTIONS[this.step[at].kind].receives) of(receive, this.blockRank[block], channel).receives.push(at);
      }
    }
    const connections = [...found.values()];
    for (const { sends, receives } of connections) {
      for (let k = 0; k < Math.min(sends.length, receives.length); k++) {
        this.receivedBy[sends[k]] = receives[k];
        this.sentBy[receives[k]] = sends[k];
      }
    }
    const messages = new Map<number, number>(); // by sender and receiver
    const size = this.#program.ranks.length;
    for (const { from, to, sends } of [...connections].sort((a, b) => a.channel - b.channel)) {
      const pair = from * size + to;
      let next = messages.get(pair) ?? 0;
      for (const [place, at] of sends.entries()) {
        this.channelIndex[at] = place;
        this.messageIndex[at] = next++;
      }
      messages.set(pair, next);
    }
    return connections;
  }

  /** Steps in an order in which each comes after all that it waits for; those that wait for each other are left out. */
  order(): Int32Array {
    const { count, after, receivedBy, sentBy } = this;
    const waiting = new Uint8Array(count);
    const first = new Int32Array(count).fill(-1); // lists of the steps that wait for a step by dependency
    const next = new Int32Array(count).fill(-1);
    for (let at = 0; at < count; at++) {
      waiting[at] = Number(this.before(at) >= 0) + Number(after[at] >= 0) + Number(sentBy[at] >= 0);
      if (after[at] < 0) continue;
      next[at] = first[after[at]];
      first[after[at]] = at;
    }
    const order = new Int32Array(count);
    let length = 0;
    for (let at = 0; at < count; at++) if (waiting[at] === 0) order[length++] = at;
    const pass = (at: number): void => {
      if (--waiting[at] === 0) order[length++] = at;
    };
    for (let done = 0; done < length; done++) {
      const at = order[done];
      if (at + 1 < this.blockStart[this.block[at] + 1]) pass(at + 1);
      if (receivedBy[at] >= 0) pass(receivedBy[at]);
      for (let dependent = first[at]; dependent >= 0; dependent = next[dependent]) pass(dependent);
    }
    return order.subarray(0, length);
  }

  /** Steps that wait for each other, each for the one before it and the first for the last; of those that `order` leaves out. */
  cycle(order: Int32Array): number[] {
    const done = new Uint8Array(this.count);
    for (const at of order) done[at] = 1;
    const seen = new Map<number, number>();
    const path: number[] = [];
    let at = done.indexOf(0);
    while (!seen.has(at)) {
      seen.set(at, path.length);
      path.push(at);
      at = [this.before(at), this.after[at], this.sentBy[at]].find((before) => before >= 0 && done[before] === 0)!;
    }
    const circle = path.slice(seen.get(at)).reverse();
    const first = circle.indexOf(circle.reduce((least, one) => Math.min(least, one)));
    return [...circle.slice(first), ...circle.slice(0, first)];
  }
}

/** A FIFO from rank to rank on a channel, with the steps that send and receive on it. */
export interface Connection {
  readonly from: number;
  readonly to: number;
  readonly channel: number;
  readonly sends: readonly number[];
  readonly receives: readonly number[];
}
