import { CollectiveType } from '../../trace/collective-type.js';
import type { Algorithm, CollectiveShape, Share } from '../algorithm.js';
import type { CheckedProgram } from './check-program.js';
import { STEP_ACTIONS } from './step-kinds.js';

/** What one position sends and receives, in an order in which each comes after what it waits for. */
export interface ProgramShare {
  readonly send: Uint8Array; // [transfers] 1 for a send, 0 for a receive
  readonly peer: Int32Array; // [transfers] position at the other end
  readonly index: Int32Array; // [transfers] place among the messages of sender and receiver
  readonly chunkStart: Int32Array; // [transfers + 1] first entry in chunk
  readonly chunk: Int32Array; // parts of the larger buffer that it moves
  readonly dependencyStart: Int32Array; // [transfers + 1] first entry in dependency
  readonly dependency: Int32Array; // transfers of the position that come before
}

/** A program as transfers. Plain data: it crosses worker threads. */
export interface ProgramScript {
  readonly kind: 'chunk-program';
  readonly name: string;
  /** Type number of the collectives it is used for. */
  readonly type: number;
  /** Chunks of the larger buffer. */
  readonly chunks: number;
  /** Position of the root; −1 where the program has none. */
  readonly root: number;
  readonly positions: readonly ProgramShare[];
  /** One more than the largest index. */
  readonly indexCount: number;
}

/**
 * The transfers of a program that was found sound (exchange-formats 4.3). Local steps take no time, so what waits for one of them
 * waits for the transfers it waits for; a step that receives and sends is a receive and a send that waits for it.
 *
 * @param name of the algorithm in records and results
 * @param type of the collectives it is used for: that of the program, or what is named for `custom`
 */
export function programScript(checked: CheckedProgram, name: string, type: number, isRooted: boolean): ProgramScript {
  const { program, steps, order } = checked;
  const shares = program.ranks.map(() => new ShareBuilder());
  // By step: transfers of its rank that are done when it is.
  const done = new Array<readonly number[]>(steps.count);
  for (const at of order) {
    const { kind } = steps.step[at];
    const { sends, receives } = STEP_ACTIONS[kind];
    const { send, receive } = steps.blocks[steps.block[at]];
    const share = shares[steps.rank[at]];
    const before = joined(done[steps.before(at)], done[steps.after[at]]);
    let last = before;
    if (receives) {
      const sender = steps.sentBy[at];
      last = [share.add(0, receive, steps.messageIndex[sender], checked.chunksSent[sender]!, last)];
    }
    if (sends) last = [share.add(1, send, steps.messageIndex[at], checked.chunksSent[at]!, last)];
    done[at] = last;
  }
  const positions = shares.map((share) => share.finish());
  return {
    kind: 'chunk-program',
    name,
    type,
    chunks: program.chunks,
    root: isRooted ? program.root : -1,
    positions,
    indexCount: positions.reduce((most, { index }) => index.reduce((larger, at) => Math.max(larger, at + 1), most), 0),
  };
}

/** The algorithm of a program's script. */
export function programAlgorithm(script: ProgramScript): Algorithm {
  const { name, positions, root } = script;
  return {
    name,
    powerOfTwo: false,
    groupSize: positions.length,
    ...(root < 0 ? {} : { root }),
    evenOnly: true,
    family: 'chained',
    script,
    indexCount: () => script.indexCount,
    share: (position, shape, out) => writeShare(script, position, shape, out),
  };
}

/**
 * B: the larger user buffer of a member, bytes (exchange-formats 4.2). `comm_size` is a member's own shard in AllGather and Gather
 * and a barrier moves none.
 */
export function largerBuffer(type: number, { bytes, groupSize }: CollectiveShape): number {
  if (type === CollectiveType.barrier) return 0;
  return type === CollectiveType.allGather || type === CollectiveType.gather ? bytes * groupSize : bytes;
}

/**
 * Bytes before a chunk: floor(chunk × bytes / chunks), so that all chunks together are exactly `bytes`. Every product stays below
 * 2^53, as `chunks` is below 2^26.
 */
export function chunkOffset(chunk: number, bytes: number, chunks: number): number {
  const whole = Math.floor(bytes / chunks);
  return chunk * whole + Math.floor((chunk * (bytes - whole * chunks)) / chunks);
}

function writeShare(
  { type, chunks, positions }: ProgramScript,
  position: number,
  shape: CollectiveShape,
  out: Share,
): void {
  out.clear();
  if (shape.groupSize === 1) return;
  const { send, peer, index, chunkStart, chunk, dependencyStart, dependency } = positions[position];
  const bytes = largerBuffer(type, shape);
  for (let transfer = 0; transfer < send.length; transfer++) {
    let moved = 0;
    for (let at = chunkStart[transfer]; at < chunkStart[transfer + 1]; at++) {
      moved += chunkOffset(chunk[at] + 1, bytes, chunks) - chunkOffset(chunk[at], bytes, chunks);
    }
    out.add(send[transfer] === 1 ? 1 : 0, peer[transfer], moved, index[transfer]);
    for (let at = dependencyStart[transfer]; at < dependencyStart[transfer + 1]; at++) out.after(dependency[at]);
  }
}

class ShareBuilder {
  readonly #send: number[] = [];
  readonly #peer: number[] = [];
  readonly #index: number[] = [];
  readonly #chunkStart: number[] = [0];
  readonly #chunk: number[] = [];
  readonly #dependencyStart: number[] = [0];
  readonly #dependency: number[] = [];

  add(send: 0 | 1, peer: number, index: number, chunks: Int32Array, before: readonly number[]): number {
    this.#send.push(send);
    this.#peer.push(peer);
    this.#index.push(index);
    for (const chunk of chunks) this.#chunk.push(chunk);
    this.#chunkStart.push(this.#chunk.length);
    for (const transfer of before) this.#dependency.push(transfer);
    this.#dependencyStart.push(this.#dependency.length);
    return this.#send.length - 1;
  }

  finish(): ProgramShare {
    return {
      send: Uint8Array.from(this.#send),
      peer: Int32Array.from(this.#peer),
      index: Int32Array.from(this.#index),
      chunkStart: Int32Array.from(this.#chunkStart),
      chunk: Int32Array.from(this.#chunk),
      dependencyStart: Int32Array.from(this.#dependencyStart),
      dependency: Int32Array.from(this.#dependency),
    };
  }
}

/** Transfers of both, ascending, each once. */
function joined(left: readonly number[] = [], right: readonly number[] = []): readonly number[] {
  if (right.length === 0) return left;
  if (left.length === 0) return right;
  return [...new Set([...left, ...right])].sort((a, b) => a - b);
}
