import type { CollectivePlan } from '../collectives/plan.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { finding } from '../base/catalogue.js';
import { formatId, idForJson } from '../base/ids.js';
import { MAX_EXACT } from '../base/units.js';
import { NodeType } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { linkDependencies } from './dependencies.js';
import { indicesById, inverse } from './id-order.js';
import { NO_PAIR, NodeKind, type NodeColumns } from './node-columns.js';
import { nodeLabel } from './node-label.js';
import { pairTransfers } from './pairing.js';
import type { ReplayOptions } from './replay-options.js';

/** Ids named in one finding; the count says how many there are. */
const NODES_NAMED = 5;

/** The columns of a job, and what must be kept beside them while it runs. */
export interface GatheredNodes {
  readonly nodes: NodeColumns;
  /** Keys that more than one send or receive has. */
  readonly sharedKeys: number;
  readonly findings: Finding[];
}

/**
 * Puts the nodes of all ranks into one numbering, links dependents and pairs sends with receives.
 *
 * @param traces the trace of rank r at place r
 * @throws PrepError `RANK_MISSING`, `NODE_TYPE_UNKNOWN`, `PEER_MISSING`, `PEER_OUT_OF_RANGE`,
 *   `DANGLING_DATA` or `DANGLING_CONTROL`, `NUMBER_TOO_LARGE`
 */
export function gatherNodes(traces: readonly RankTrace[], options: ReplayOptions): GatheredNodes {
  const rankCount = traces.length;
  const offset = new Int32Array(rankCount + 1);
  for (let rank = 0; rank < rankCount; rank++) {
    if (traces[rank].rank !== rank) {
      throw traceError(
        'RANK_MISSING',
        `ranks must be 0 … ${rankCount - 1}; place ${rank} has rank ${traces[rank].rank}`,
      );
    }
    offset[rank + 1] = offset[rank] + traces[rank].length;
  }
  const length = offset[rankCount];
  const nodes = {
    traces,
    rankCount,
    length,
    offset,
    traceIndex: traces.map(indicesById),
    rank: new Int32Array(length),
    kind: new Uint8Array(length),
    amount: new Float64Array(length),
    peer: new Int32Array(length).fill(-1),
    pair: new Int32Array(length).fill(NO_PAIR),
    waiting: new Int32Array(length),
    start: new Float64Array(length),
    finish: new Float64Array(length).fill(NaN),
    acknowledged: new Float64Array(length).fill(NaN),
  };
  const findings: Finding[] = [];
  for (let rank = 0; rank < rankCount; rank++) {
    gatherRank(nodes, rank, options, findings);
  }
  if (options.plan) markCollectives(nodes, options.plan);
  const links = linkDependencies(nodes, options, findings);
  const columns: NodeColumns = { ...nodes, ...links };
  const sharedKeys = pairTransfers(columns, findings);
  return { nodes: columns, sharedKeys, findings };
}

type Gathering = Omit<NodeColumns, 'dependentStart' | 'dependent'>;

function gatherRank(nodes: Gathering, rank: number, options: ReplayOptions, findings: Finding[]): void {
  const trace = nodes.traces[rank];
  const order = nodes.traceIndex[rank];
  const first = nodes.offset[rank];
  const shares = options.family !== 'collected';
  const { type, flags, durationMicros, commSize, peer } = trace;
  const unsized = new Noted();
  const invalid = new Noted();
  const toItself = new Noted();
  const unexpanded = new Noted();
  for (let place = 0; place < trace.length; place++) {
    const index = order === undefined ? place : order[place];
    const node = first + place;
    nodes.rank[node] = rank;
    switch (type[index]) {
      case NodeType.invalid:
        invalid.note(index);
        break;
      case NodeType.metadata:
        break;
      case NodeType.memoryLoad:
      case NodeType.memoryStore:
        nodes.kind[node] = NodeKind.timed;
        nodes.amount[node] = durationMicros[index] * 1e6;
        break;
      case NodeType.compute:
        nodes.kind[node] = shares && (flags[index] & NodeFlag.cpu) === 0 ? NodeKind.shared : NodeKind.timed;
        nodes.amount[node] = durationMicros[index] * 1e6;
        break;
      case NodeType.send:
      case NodeType.receive: {
        nodes.kind[node] = type[index] === NodeType.send ? NodeKind.send : NodeKind.receive;
        let bytes = commSize[index];
        if (Number.isNaN(bytes)) {
          unsized.note(index);
          bytes = 0;
        }
        nodes.amount[node] = bytes;
        nodes.peer[node] = peer[index];
        if (peer[index] === rank) toItself.note(index);
        else if (peer[index] < 0 || peer[index] >= nodes.rankCount) throw partnerError(nodes, trace, index);
        break;
      }
      case NodeType.collective:
        unexpanded.note(index);
        break;
      default:
        throw traceError(
          'NODE_TYPE_UNKNOWN',
          `${nodeLabel(trace, index)} has type ${type[index]}; the replay knows the types 1 … 7`,
        );
    }
    if (!(nodes.amount[node] <= MAX_EXACT)) {
      throw traceError(
        'NUMBER_TOO_LARGE',
        `${nodeLabel(trace, index)} lasts ${durationMicros[index]} µs, above 2^53 ps`,
      );
    }
  }
  invalid.report(findings, trace, 'NODE_TYPE_INVALID', 'nodes of type INVALID take no time');
  unsized.report(findings, trace, 'COMM_SIZE_MISSING', 'sends and receives without comm_size count 0 bytes');
  toItself.report(findings, trace, 'PEER_SELF', 'sends and receives have the rank itself as partner and take no time');
  if (!options.plan) {
    unexpanded.report(findings, trace, 'COLLECTIVE_UNEXPANDED', 'collectives were left unexpanded and take no time');
  }
}

function markCollectives(nodes: Gathering, plan: CollectivePlan): void {
  let member = 0;
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    const order = nodes.traceIndex[rank];
    const places = order && inverse(order);
    for (const index of plan.ranks[rank].node) {
      const node = nodes.offset[rank] + (places?.[index] ?? index);
      nodes.kind[node] = NodeKind.collective;
      nodes.pair[node] = member++;
    }
  }
}

function partnerError(nodes: Gathering, trace: RankTrace, index: number): Error {
  const what = trace.type[index] === NodeType.send ? 'sends to' : 'receives from';
  return trace.peer[index] < 0
    ? traceError('PEER_MISSING', `${nodeLabel(trace, index)} names no partner rank`)
    : traceError(
        'PEER_OUT_OF_RANGE',
        `${nodeLabel(trace, index)} ${what} rank ${trace.peer[index]}; the traceset has ranks 0 … ${nodes.rankCount - 1}`,
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
