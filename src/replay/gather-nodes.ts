import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import { MAX_EXACT } from '../base/units.js';
import { NodeType } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { scaled } from '../trace/scaling.js';
import { CollectiveTotals } from './collective-totals.js';
import { DependencyLinker } from './dependencies.js';
import { indicesById } from '../trace/id-order.js';
import type { Job } from './job.js';
import { NodeIds } from './node-ids.js';
import { nodeLabel } from './node-label.js';
import { MOST_RANKS, NodeKind, NodeProcessor, NodeTable } from './node-table.js';
import type { GatheringOptions } from './replay-options.js';

/** Ids named in one finding; the count says how many there are. */
const NODES_NAMED = 5;
/** Room beyond what the first ranks let expect; pages that nobody writes to cost nothing, a larger table has to be copied into. */
const MARGIN = 1.25;

/** Collective nodes of one rank that were not expanded. */
export interface RawCollectives {
  readonly index: Int32Array; // [m] index in the rank's trace, ascending
  readonly node: Int32Array; // [m] node of the job
}

/**
 * Puts the nodes of all ranks into one numbering and links dependents, a rank at a time; the traces are not kept. Sizes and
 * durations are scaled as they are read.
 */
export class NodeGathering {
  readonly nodes = new NodeTable();
  readonly ids = new NodeIds();
  /** By rank: name of its file, for messages. */
  readonly files: string[] = [];
  /** The collectives that traces say their transfers belong to. */
  readonly collectives = new CollectiveTotals();
  /** By rank. */
  readonly raw: RawCollectives[] = [];
  readonly findings: Finding[] = [];
  readonly #job: Job;
  readonly #options: GatheringOptions;
  readonly #linker: DependencyLinker;
  readonly #total: number;
  #read = 0;
  #traceBytes: Float64Array | undefined; // [capacity] of sends and receives, as the trace has them; only under scaling

  constructor(job: Job, options: GatheringOptions) {
    this.#job = job;
    this.#options = options;
    this.#linker = new DependencyLinker(this.nodes, options, this.findings);
    let total = 0;
    for (let rank = 0; rank < job.rankCount; rank++) total += job.size(rank);
    this.#total = total;
    if (job.rankCount > MOST_RANKS) {
      throw traceError('NUMBER_TOO_LARGE', `${job.rankCount} ranks; the replay takes at most ${MOST_RANKS}`);
    }
  }

  /**
   * Adds the next rank.
   * @throws PrepError `RANK_MISSING`, `NODE_TYPE_UNKNOWN`, `PEER_MISSING`, `PEER_OUT_OF_RANGE`,
   *   `DANGLING_DATA`, `NUMBER_TOO_LARGE`
   */
  add(trace: RankTrace): void {
    const rank = this.nodes.rankCount;
    if (trace.rank !== rank) {
      const { rankCount } = this.#job;
      throw traceError('RANK_MISSING', `ranks must be 0 … ${rankCount - 1}; place ${rank} has rank ${trace.rank}`);
    }
    this.#read += this.#job.size(rank);
    const jobToRead = this.#read > 0 ? this.#total / this.#read : 1;
    this.#makeRoom(this.nodes.length + trace.length, jobToRead);
    const order = indicesById(trace);
    const first = this.nodes.addRank(trace.length);
    this.ids.addRank(trace, order);
    this.files.push(trace.file);
    if (trace.length === 0) {
      this.findings.push(finding('NO_NODES', `rank ${rank}: the trace has no nodes`, { rank, file: trace.file }));
    }
    this.#gather(trace, first, order);
    this.#linker.link(trace, first, order, jobToRead);
  }

  /** Bytes of a send or receive as the trace has them. */
  traceBytes(node: number): number {
    return this.#traceBytes === undefined ? this.nodes.amount(node) : this.#traceBytes[node];
  }

  #makeRoom(needed: number, jobToRead: number): void {
    if (needed <= this.nodes.capacity) return;
    this.nodes.reserveNodes(Math.ceil(needed * Math.max(jobToRead, 1) * MARGIN));
    if ((this.#options.scale ?? 1) === 1) return;
    const grown = new Float64Array(this.nodes.capacity);
    if (this.#traceBytes) grown.set(this.#traceBytes);
    this.#traceBytes = grown;
  }

  #gather(trace: RankTrace, first: number, order: Int32Array | undefined): void {
    const { nodes } = this;
    const { rankCount } = this.#job;
    const shares = this.#options.family !== 'collected';
    const factor = this.#options.scale ?? 1;
    const { rank, type, flags, commSize, commTag, peer, length } = trace;
    const collectives = this.#collectivesOf(trace);
    const raw: { index: number; node: number }[] = [];
    const unsized = new Noted();
    const invalid = new Noted();
    const toItself = new Noted();
    for (let place = 0; place < length; place++) {
      const index = order === undefined ? place : order[place];
      const node = first + place;
      switch (type[index]) {
        case NodeType.invalid:
          invalid.note(index);
          nodes.add(node, rank, NodeKind.instant, NodeProcessor.none, 0);
          break;
        case NodeType.metadata:
          nodes.add(node, rank, NodeKind.instant, NodeProcessor.none, 0);
          break;
        case NodeType.memoryLoad:
        case NodeType.memoryStore:
          nodes.add(node, rank, NodeKind.timed, NodeProcessor.memory, durationPs(trace, index, factor));
          break;
        case NodeType.compute: {
          const onNpu = (flags[index] & NodeFlag.cpu) === 0;
          const kind = shares && onNpu ? NodeKind.shared : NodeKind.timed;
          const processor = onNpu ? NodeProcessor.npu : NodeProcessor.cpu;
          nodes.add(node, rank, kind, processor, durationPs(trace, index, factor));
          break;
        }
        case NodeType.send:
        case NodeType.receive: {
          const kind = type[index] === NodeType.send ? NodeKind.send : NodeKind.receive;
          const partner = peer[index];
          if (Number.isNaN(commSize[index])) unsized.note(index);
          if (partner === rank) toItself.note(index);
          else if (partner < 0 || partner >= rankCount) throw partnerError(trace, index, rankCount);
          const bytes = commSize[index] || 0;
          nodes.add(node, rank, kind, NodeProcessor.none, scaled(bytes, factor));
          if (this.#traceBytes) this.#traceBytes[node] = bytes;
          const addedSync = (flags[index] & NodeFlag.addedSync) !== 0;
          const tag = Number.isNaN(commTag[index]) ? 0 : commTag[index];
          nodes.addTransfer(
            node,
            partner,
            tag,
            trace.collective[index] < 0 ? -1 : collectives[trace.collective[index]],
            addedSync,
          );
          break;
        }
        case NodeType.collective:
          raw.push({ index, node });
          nodes.add(node, rank, NodeKind.instant, NodeProcessor.none, 0);
          break;
        default:
          throw traceError(
            'NODE_TYPE_UNKNOWN',
            `${nodeLabel(trace, index)} has type ${type[index]}; the replay knows the types 1 … 7`,
          );
      }
    }
    raw.sort((a, b) => a.index - b.index);
    this.raw.push({
      index: Int32Array.from(raw, ({ index }) => index),
      node: Int32Array.from(raw, ({ node }) => node),
    });
    const { findings } = this;
    invalid.report(findings, trace, 'NODE_TYPE_INVALID', 'nodes of type INVALID take no time');
    unsized.report(findings, trace, 'COMM_SIZE_MISSING', 'sends and receives without comm_size count 0 bytes');
    toItself.report(
      findings,
      trace,
      'PEER_SELF',
      'sends and receives have the rank itself as partner and take no time',
    );
  }

  /** Numbers of a rank's collectives in the job. */
  #collectivesOf({ collectives }: RankTrace): Int32Array {
    return Int32Array.from(collectives, ({ group, type, instance, size, algorithm }) => {
      const number = this.collectives.row(group, type, instance, size);
      if (algorithm !== undefined) this.collectives.rows[number].algorithm = algorithm;
      return number;
    });
  }
}

function durationPs(trace: RankTrace, index: number, factor: number): number {
  const picoseconds = scaled(trace.durationMicros[index], factor) * 1e6;
  if (picoseconds <= MAX_EXACT) return picoseconds;
  throw traceError(
    'NUMBER_TOO_LARGE',
    `${nodeLabel(trace, index)} lasts ${trace.durationMicros[index]} µs, above 2^53 ps (9007 s)`,
  );
}

function partnerError(trace: RankTrace, index: number, rankCount: number): Error {
  const what = trace.type[index] === NodeType.send ? 'sends to' : 'receives from';
  return trace.peer[index] < 0
    ? traceError('PEER_MISSING', `${nodeLabel(trace, index)} names no partner rank`)
    : traceError(
        'PEER_OUT_OF_RANGE',
        `${nodeLabel(trace, index)} ${what} rank ${trace.peer[index]}; the traceset has ranks 0 … ${rankCount - 1}`,
      );
}

/** Nodes of one rank that share a finding. */
class Noted {
  #count = 0;
  readonly #first: number[] = [];

  note(index: number): void {
    if (this.#count++ < NODES_NAMED) this.#first.push(index);
  }

  report(findings: Finding[], trace: RankTrace, code: Parameters<typeof finding>[0], what: string): void {
    if (this.#count === 0) return;
    const { idLow, idHigh, rank, file } = trace;
    const first = this.#first[0];
    findings.push(
      finding(code, `${this.#count} ${what}, first node ${formatId(idLow[first], idHigh[first])}`, {
        rank,
        file,
        count: this.#count,
        nodes: this.#first.map((index) => idForJson(idLow[index], idHigh[index])),
      }),
    );
  }
}
