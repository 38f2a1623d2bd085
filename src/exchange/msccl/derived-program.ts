import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { formatId } from '../../base/ids.js';
import type { Losses } from '../../base/losses.js';
import { chunkOffset, largerBuffer } from '../../collectives/programs/program-algorithm.js';
import { ProgramSteps } from '../../collectives/programs/program-steps.js';
import type { ChunkProgram } from '../../collectives/programs/program.js';
import { STEP_ACTIONS } from '../../collectives/programs/step-kinds.js';
import { StepRaces } from '../../collectives/programs/step-races.js';
import { ChunkLayout } from '../../collectives/programs/chunk-layout.js';
import { CollectiveType, collectiveName, isRooted } from '../../trace/collective-type.js';
import type { ReadableJob } from '../../formats/conversion.js';
import { NodeType } from '../../trace/node-type.js';
import { NodeFlag, type CollectiveIdentity, type RankTrace } from '../../trace/rank-trace.js';
import { demandExpanded } from '../demands.js';
import { chunkScheme, type ChunkScheme } from './chunk-moves.js';
import { COLLECTIVES } from './collective-names.js';
import { threadBlocks, type LooseBlock, type LooseStep } from './loose-steps.js';
import { underived } from './traced-steps.js';

/** A program that was made of traces, and what is to be said of it. */
export interface DerivedProgram {
  readonly program: ChunkProgram;
  readonly findings: readonly Finding[];
}

/** A send or receive of one rank. */
interface Transfer {
  readonly send: boolean;
  readonly peer: number; // position
  readonly step: number;
  readonly bytes: number;
  readonly tag: number;
  /** Transfers of the rank that come before, as places in its list. */
  readonly after: readonly number[];
}

/**
 * The program of the one collective that traces were expanded from, by what its algorithm is known to move. Every send and every
 * receive gets a thread block for its peer, so sends to one peer, and receives from one, are in order.
 * @throws PrepError `MSCCL_UNDERIVED` with the reason
 */
export function derivedProgram(job: ReadableJob, losses: Losses): DerivedProgram {
  const { identity, algorithm, ranks } = theCollective(job);
  const { type, size, group } = identity;
  const name = collectiveName(type);
  const scheme = chunkScheme(type, algorithm, ranks.length);
  if (scheme === undefined) {
    throw underived(
      `${name} of group ${group}: which chunks the algorithm ${algorithm} moves is not known`,
      type === CollectiveType.barrier
        ? 'a barrier moves nothing; MSCCL has none'
        : 'expand with a built-in algorithm, or convert the program that the traces follow',
    );
  }
  const positionOf = new Map(ranks.map((rank, position) => [rank, position]));
  const transfers = ranks.map((rank) => job.withRank(rank, (trace) => transfersOf(trace, positionOf, losses)));
  const root = isRooted(type) ? rootOf(type, transfers) : 0;
  const { blocks, misfits } = blocksOf(transfers, scheme, type, size);
  const facts = {
    name: `${algorithm}_${ranks.length}`,
    type: type === CollectiveType.reduceScatterBlock ? CollectiveType.reduceScatter : type,
    collective: collectiveOf(type),
    protocol: 'Simple',
    channels: 1 + Math.max(0, ...blocks.flat().map(({ channel }) => channel)),
    chunks: scheme.chunks,
    inPlace: scheme.inPlace,
    root,
    others: new Map<string, string>(),
  };
  const make = (): ChunkProgram => ({
    ...facts,
    ranks: blocks.map((own) => ({
      inputChunks: scheme.buffers[0],
      outputChunks: scheme.buffers[1],
      scratchChunks: 0,
      threadBlocks: threadBlocks(own),
    })),
  });
  const ordered = orderCollisions(make, blocks);
  const findings: Finding[] = [];
  if (misfits > 0) {
    const text = `${counted(misfits, 'transfer')} of ${name} differ by rounding from chunks of ${size} bytes; in the program chunks are exact`;
    findings.push(finding('PROGRAM_ASSUMED', text));
  }
  if (ordered.added > 0) {
    const text = `${counted(ordered.added, 'dependency', 'dependencies')} added to ${name}: steps that touch one chunk at a time come one after another`;
    findings.push(finding('PROGRAM_ASSUMED', text));
  }
  return { program: ordered.program, findings };
}

function collectiveOf(type: number): string {
  const wanted = type === CollectiveType.reduceScatterBlock ? CollectiveType.reduceScatter : type;
  return Object.keys(COLLECTIVES).find((name) => COLLECTIVES[name] === wanted)!;
}

/** The one collective of the traces, expanded, and the ranks of its group in order. */
function theCollective(job: ReadableJob): {
  identity: CollectiveIdentity;
  algorithm: string;
  ranks: readonly number[];
} {
  let found: CollectiveIdentity | undefined;
  let algorithm: string | undefined;
  const members: number[] = [];
  for (let rank = 0; rank < job.rankCount; rank++) {
    job.withRank(rank, (trace) => {
      demandExpanded(trace, 'MSCCL XML');
      const { collectives } = trace;
      for (const identity of collectives) {
        found ??= identity;
        if (identity.group !== found.group || identity.instance !== found.instance) {
          throw underived(
            `the traces hold several collectives, ${collectiveName(found.type)} of group ${found.group} and ${collectiveName(identity.type)} of group ${identity.group}; a file holds one`,
          );
        }
        algorithm ??= identity.algorithm;
      }
      if (collectives.length > 0) members.push(rank);
    });
  }
  if (found === undefined)
    throw underived(
      'nothing in the traces says which chunks a transfer moves: they hold no collective that expand wrote, and no program that convert read',
      'expand a collective, chakra-prep expand traces -o expanded, or start from the program itself',
    );
  if (algorithm === undefined) throw underived('the traces do not say which algorithm expanded their collective');
  const declared = job.groups.get(found.group);
  return { identity: found, algorithm, ranks: declared ?? members };
}

function transfersOf(trace: RankTrace, positionOf: ReadonlyMap<number, number>, losses: Losses): Transfer[] {
  const { length, type, flags, peer, step, commSize, commTag, collective } = trace;
  const places = new Map<number, number>();
  const nodes: number[] = [];
  for (let node = 0; node < length; node++) {
    const isTransfer = type[node] === NodeType.send || type[node] === NodeType.receive;
    const isBarrier = (flags[node] & NodeFlag.addedSync) !== 0;
    if (!isTransfer || isBarrier) {
      const isExit = !isTransfer && collective[node] >= 0;
      const place = `rank ${trace.rank} node ${formatId(trace.idLow[node], trace.idHigh[node])}`;
      if (isBarrier) losses.add('transfers of added barriers', place, 'the collective begins without one');
      else if (!isExit) losses.add('nodes outside the collective', place);
      continue;
    }
    if (collective[node] < 0)
      throw underived(
        `rank ${trace.rank} has a send or receive that is part of no collective; a file holds one collective`,
      );
    places.set(node, nodes.push(node) - 1);
  }
  return nodes.map((node) => {
    const position = positionOf.get(peer[node]);
    if (position === undefined)
      throw underived(`rank ${trace.rank}: a transfer with rank ${peer[node]}, which is not in the group`);
    return {
      send: type[node] === NodeType.send,
      peer: position,
      step: step[node],
      bytes: commSize[node],
      tag: commTag[node],
      after: dependenciesOf(trace, node, places),
    };
  });
}

function dependenciesOf(
  { dataStart, dataTarget, controlStart, controlTarget }: RankTrace,
  node: number,
  places: ReadonlyMap<number, number>,
): number[] {
  const targets = [
    ...dataTarget.subarray(dataStart[node], dataStart[node + 1]),
    ...controlTarget.subarray(controlStart[node], controlStart[node + 1]),
  ];
  return [...new Set(targets)].map((target) => places.get(target)).filter((place) => place !== undefined);
}

/** Who sends and never receives, or receives and never sends. */
function rootOf(type: number, transfers: readonly (readonly Transfer[])[]): number {
  const isSource = type === CollectiveType.broadcast || type === CollectiveType.scatter;
  const root = transfers.findIndex((own) => own.length > 0 && own.every(({ send }) => send === isSource));
  return Math.max(0, root);
}

function blocksOf(
  transfers: readonly (readonly Transfer[])[],
  scheme: ChunkScheme,
  type: number,
  size: number,
): { blocks: LooseBlock[][]; misfits: number } {
  const bytes = largerBuffer(type, { groupSize: transfers.length, bytes: size, root: 0 });
  let misfits = 0;
  const blocks = transfers.map((own, position) => {
    const found = new Map<string, LooseBlock>();
    const steps: LooseStep[] = [];
    // A connection is a FIFO: both ends take its messages in the order of their numbers.
    const inTurn = own
      .map((transfer, place) => ({ transfer, place }))
      .sort((a, b) => a.transfer.step - b.transfer.step);
    for (const { transfer, place } of inTurn) {
      const { send, peer, step } = transfer;
      const move = send ? scheme.move(step, position, peer) : scheme.move(step, peer, position);
      if (
        transfer.bytes !==
        chunkOffset(move.first + move.count, bytes, scheme.chunks) - chunkOffset(move.first, bytes, scheme.chunks)
      )
        misfits++;
      const { channel = 0 } = move;
      const key = `${send ? 'to' : 'from'} ${peer} ${channel}`;
      let block = found.get(key);
      if (block === undefined) {
        const peers = send ? { send: peer, receive: -1 } : { send: -1, receive: peer };
        found.set(key, (block = { id: found.size, ...peers, channel, steps: [] }));
      }
      const kind = send ? 's' : move.reduces ? 'rrc' : 'r';
      const source = kind === 'rrc' ? move.destination : move.source;
      steps[place] = { kind, source, destination: move.destination, count: move.count, after: new Set() };
      block.steps.push(steps[place]);
    }
    for (const [place, { after }] of own.entries()) for (const before of after) steps[place].after.add(steps[before]);
    const made = [...found.values()];
    if (!scheme.inPlace) {
      const own: LooseStep = {
        kind: 'cpy',
        source: { buffer: 'i', offset: position },
        destination: { buffer: 'o', offset: position },
        count: 1,
        after: new Set(),
      };
      made.push({ id: made.length, send: -1, receive: -1, channel: 0, steps: [own] });
    }
    return made;
  });
  return { blocks, misfits };
}

/** Lets steps that touch one chunk wait for each other, in the order in which they would run. */
function orderCollisions(
  make: () => ChunkProgram,
  blocks: readonly (readonly LooseBlock[])[],
): { program: ChunkProgram; added: number } {
  let added = 0;
  for (;;) {
    const program = make();
    const steps = new ProgramSteps(program);
    steps.connections();
    const order = steps.order();
    if (order.length < steps.count) return { program, added }; // the check tells of it
    const layout = new ChunkLayout(program);
    const races = new StepRaces(
      steps,
      program.ranks.map((_, rank) => layout.locations(rank)),
      order,
    );
    for (const at of order) {
      const { kind, source, destination, count } = steps.step[at];
      const { reads, writes } = STEP_ACTIONS[kind];
      for (let chunk = 0; chunk < count; chunk++) {
        if (reads) races.reads(at, layout.location(steps.rank[at], source!, chunk));
        if (writes) races.writes(at, layout.location(steps.rank[at], destination!, chunk));
      }
    }
    if (races.found.length === 0) return { program, added };
    // The last before each is enough: it waits for the others, or will.
    const last = new Map<number, number>();
    const place = new Map([...order].map((at, turn) => [at, turn]));
    for (const { first, second } of races.found) {
      const known = last.get(second);
      if (known === undefined || place.get(first)! > place.get(known)!) last.set(second, first);
    }
    for (const [second, first] of last) looseStep(steps, blocks, second).after.add(looseStep(steps, blocks, first));
    added += last.size;
  }
}

/** The step behind a step of the program made of it: nops are none of its own. */
function looseStep(steps: ProgramSteps, blocks: readonly (readonly LooseBlock[])[], at: number): LooseStep {
  const block = steps.block[at];
  let place = 0;
  for (let before = steps.blockStart[block]; before < at; before++) if (steps.step[before].kind !== 'nop') place++;
  const { id } = steps.blocks[block];
  return blocks[steps.rank[at]].find((loose) => loose.id === id)!.steps[place];
}
