import fc from 'fast-check';
import type { ChunkPlace, ChunkProgram, ProgramStep, StepKind } from '../../src/collectives/programs/program.js';

/** A step that was added, for others to wait for. */
export interface Added {
  readonly rank: number;
  readonly block: number;
  readonly step: number;
}

interface Block {
  readonly id: number;
  readonly send: number;
  readonly receive: number;
  readonly channel: number;
  readonly steps: ProgramStep[];
}

interface Facts {
  readonly type: number;
  readonly collective: string;
  readonly chunks: number;
  readonly buffers: readonly (readonly [input: number, output: number, scratch: number])[];
  readonly inPlace?: boolean;
  readonly root?: number;
  readonly name?: string;
}

/** Makes a program step by step; a thread block comes to be when a step is added to it. */
export class ProgramBuilder {
  readonly #facts: Facts;
  readonly #blocks: Block[][];

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#blocks = facts.buffers.map(() => []);
  }

  /** Adds a step to the thread block with these peers, behind its last; it waits for `after` of the same rank. */
  step(
    rank: number,
    peers: { send?: number; receive?: number; channel?: number },
    kind: StepKind,
    source: ChunkPlace | undefined,
    destination: ChunkPlace | undefined,
    { count = 1, after }: { count?: number; after?: Added | undefined } = {},
  ): Added {
    const { send = -1, receive = -1, channel = 0 } = peers;
    const blocks = this.#blocks[rank];
    let block = blocks.find((one) => one.send === send && one.receive === receive && one.channel === channel);
    if (block === undefined) blocks.push((block = { id: blocks.length, send, receive, channel, steps: [] }));
    if (after !== undefined) {
      const { steps } = blocks[after.block];
      steps[after.step] = { ...steps[after.step], hasDependent: true };
    }
    const waits = after && { threadBlock: after.block, step: after.step };
    block.steps.push({ kind, source, destination, count, after: waits, hasDependent: false, line: 0 });
    return { rank, block: block.id, step: block.steps.length - 1 };
  }

  program(): ChunkProgram {
    const { type, collective, chunks, buffers, inPlace = true, root = 0, name = collective } = this.#facts;
    const all = this.#blocks.flat();
    return {
      name,
      type,
      collective,
      protocol: 'Simple',
      channels: Math.max(1, ...all.map(({ channel }) => channel + 1)),
      chunks,
      inPlace,
      root,
      others: new Map(),
      ranks: buffers.map(([inputChunks, outputChunks, scratchChunks], rank) => ({
        inputChunks,
        outputChunks,
        scratchChunks,
        threadBlocks: this.#blocks[rank],
      })),
    };
  }
}

const input = (offset: number): ChunkPlace => ({ buffer: 'i', offset });
const output = (offset: number): ChunkPlace => ({ buffer: 'o', offset });

/** The ring all-reduce of exchange-formats 4.4 for any number of ranks. */
export function ringProgram(ranks: number): ChunkProgram {
  const builder = new ProgramBuilder({
    type: 0,
    collective: 'allreduce',
    chunks: ranks,
    buffers: Array.from({ length: ranks }, () => [ranks, 0, 0] as const),
    name: `ring${ranks}`,
  });
  for (let rank = 0; rank < ranks; rank++) {
    const peers = { send: (rank + 1) % ranks, receive: (rank + ranks - 1) % ranks };
    const chunk = (step: number): ChunkPlace => input((rank - step + 2 * ranks) % ranks);
    for (let k = 0; k < 2 * (ranks - 1); k++) {
      builder.step(rank, peers, 's', chunk(k), chunk(k));
      builder.step(rank, peers, k < ranks - 1 ? 'rrc' : 'r', chunk(k + 1), chunk(k + 1));
    }
  }
  return builder.program();
}

/** A tree over all ranks for each chunk: [rank] the rank before it on the way from the root, the root itself for the root. */
interface ChunkTree {
  readonly root: number;
  /** Ranks in an order in which each comes after its parent. */
  readonly order: readonly number[];
  readonly parent: ReadonlyMap<number, number>;
}

const treeOf = (ranks: number): fc.Arbitrary<ChunkTree> =>
  fc
    .record({
      order: fc.shuffledSubarray([...Array(ranks).keys()], { minLength: ranks, maxLength: ranks }),
      picks: fc.array(fc.nat(), { minLength: ranks, maxLength: ranks }),
    })
    .map(({ order, picks }) => ({
      root: order[0],
      order,
      parent: new Map(order.slice(1).map((rank, at) => [rank, order[picks[at] % (at + 1)]])),
    }));

/** A random sound program, in place: chunks are added up along trees, spread along trees, or both. */
export const soundProgram: fc.Arbitrary<ChunkProgram> = fc
  .record({
    ranks: fc.integer({ min: 2, max: 6 }),
    part: fc.integer({ min: 1, max: 3 }),
    collective: fc.constantFrom('allreduce' as const, 'allgather' as const, 'reduce_scatter' as const),
    channels: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ ranks, part, collective, channels }) => {
    const chunks = collective === 'allreduce' ? part : part * ranks;
    return fc
      .record({
        up: fc.array(treeOf(ranks), { minLength: chunks, maxLength: chunks }),
        down: fc.array(treeOf(ranks), { minLength: chunks, maxLength: chunks }),
      })
      .map(({ up, down }) => treeProgram(ranks, chunks, part, collective, channels, up, down));
  });

function treeProgram(
  ranks: number,
  chunks: number,
  part: number,
  collective: 'allreduce' | 'allgather' | 'reduce_scatter',
  channels: number,
  up: readonly ChunkTree[],
  down: readonly ChunkTree[],
): ChunkProgram {
  const buffers = {
    allreduce: [chunks, 0, 0],
    allgather: [part, chunks, 0],
    reduce_scatter: [chunks, part, 0],
  } as const;
  const builder = new ProgramBuilder({
    type: { allreduce: 0, allgather: 2, reduce_scatter: 7 }[collective],
    collective,
    chunks,
    buffers: Array.from({ length: ranks }, () => buffers[collective]),
  });
  const place = collective === 'allgather' ? output : input;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const channel = chunk % channels;
    const owner = Math.floor(chunk / part);
    const last = new Map<number, Added>(); // by rank: the step that touched the chunk last
    const move = (from: number, to: number, kind: 'r' | 'rrc'): void => {
      const sent = builder.step(from, { send: to, channel }, 's', place(chunk), place(chunk), {
        after: last.get(from),
      });
      last.set(from, sent);
      const taken = builder.step(to, { receive: from, channel }, kind, place(chunk), place(chunk), {
        after: last.get(to),
      });
      last.set(to, taken);
    };
    const root = collective === 'allreduce' ? up[chunk].root : owner;
    if (collective !== 'allgather') {
      const tree = rootedAt(up[chunk], root);
      for (const rank of [...tree.order].reverse()) if (rank !== root) move(rank, tree.parent.get(rank)!, 'rrc');
    }
    if (collective !== 'reduce_scatter') {
      const tree = rootedAt(down[chunk], root);
      for (const rank of tree.order) if (rank !== root) move(tree.parent.get(rank)!, rank, 'r');
    }
  }
  return builder.program();
}

/** The tree with two ranks exchanged, so that `root` is on top. */
function rootedAt(tree: ChunkTree, root: number): ChunkTree {
  const other = (rank: number): number => (rank === root ? tree.root : rank === tree.root ? root : rank);
  return {
    root,
    order: tree.order.map(other),
    parent: new Map([...tree.parent].map(([rank, parent]) => [other(rank), other(parent)])),
  };
}
