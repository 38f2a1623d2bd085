import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import { MAX_EXACT } from '../base/units.js';
import type { CollectivePlan } from '../collectives/plan.js';
import { NodeType } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { DependencyLinker } from './dependencies.js';
import { indicesById, inverse } from './id-order.js';
import { nodeLabel } from './node-label.js';
import { NodeKind, NodeTable } from './node-table.js';
import { pairTransfers } from './pairing.js';
import type { ReplayOptions } from './replay-options.js';

/** Ids named in one finding; the count says how many there are. */
const NODES_NAMED = 5;

/** The nodes of a job, and what must be kept beside them while it runs. */
export interface GatheredNodes {
  readonly nodes: NodeTable;
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
  for (const [place, { rank }] of traces.entries()) {
    if (rank === place) continue;
    throw traceError('RANK_MISSING', `ranks must be 0 … ${traces.length - 1}; place ${place} has rank ${rank}`);
  }
  const nodes = new NodeTable(traces, traces.map(indicesById));
  const findings: Finding[] = [];
  const linker = new DependencyLinker(nodes, options, findings);
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    gatherRank(nodes, rank, options, findings);
    linker.link(rank);
  }
  if (options.plan) markCollectives(nodes, options.plan);
  return { nodes, sharedKeys: pairTransfers(nodes, findings), findings };
}

function gatherRank(nodes: NodeTable, rank: number, options: ReplayOptions, findings: Finding[]): void {
  const trace = nodes.traces[rank];
  const order = nodes.traceIndex[rank];
  const first = nodes.offset[rank];
  const shares = options.family !== 'collected';
  const { type, flags, durationMicros, commSize, peer, length } = trace;
  const unsized = new Noted();
  const invalid = new Noted();
  const toItself = new Noted();
  const unexpanded = new Noted();
  for (let place = 0; place < length; place++) {
    const index = order === undefined ? place : order[place];
    let kind: number = NodeKind.instant;
    let amount = 0;
    let partner = -1;
    switch (type[index]) {
      case NodeType.invalid:
        invalid.note(index);
        break;
      case NodeType.metadata:
        break;
      case NodeType.memoryLoad:
      case NodeType.memoryStore:
        kind = NodeKind.timed;
        amount = durationMicros[index] * 1e6;
        break;
      case NodeType.compute:
        kind = shares && (flags[index] & NodeFlag.cpu) === 0 ? NodeKind.shared : NodeKind.timed;
        amount = durationMicros[index] * 1e6;
        break;
      case NodeType.send:
      case NodeType.receive:
        kind = type[index] === NodeType.send ? NodeKind.send : NodeKind.receive;
        amount = commSize[index];
        partner = peer[index];
        if (Number.isNaN(amount)) {
          unsized.note(index);
          amount = 0;
        }
        if (partner === rank) toItself.note(index);
        else if (partner < 0 || partner >= nodes.rankCount) throw partnerError(nodes, trace, index);
        break;
      case NodeType.collective:
        unexpanded.note(index);
        break;
      default:
        throw traceError(
          'NODE_TYPE_UNKNOWN',
          `${nodeLabel(trace, index)} has type ${type[index]}; the replay knows the types 1 … 7`,
        );
    }
    if (amount > MAX_EXACT) {
      throw traceError(
        'NUMBER_TOO_LARGE',
        `${nodeLabel(trace, index)} lasts ${durationMicros[index]} µs, above 2^53 ps (9007 s)`,
      );
    }
    nodes.add(first + place, rank, kind, amount, partner);
  }
  invalid.report(findings, trace, 'NODE_TYPE_INVALID', 'nodes of type INVALID take no time');
  unsized.report(findings, trace, 'COMM_SIZE_MISSING', 'sends and receives without comm_size count 0 bytes');
  toItself.report(findings, trace, 'PEER_SELF', 'sends and receives have the rank itself as partner and take no time');
  if (!options.plan) {
    unexpanded.report(findings, trace, 'COLLECTIVE_UNEXPANDED', 'collectives were left unexpanded and take no time');
  }
}

function markCollectives(nodes: NodeTable, plan: CollectivePlan): void {
  let member = 0;
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    const order = nodes.traceIndex[rank];
    const places = order && inverse(order);
    for (const index of plan.ranks[rank].node) {
      const node = nodes.offset[rank] + (places?.[index] ?? index);
      // A plan may hold collectives that were expanded already; their nodes are exits.
      if (nodes.traces[rank].type[index] === NodeType.collective) {
        nodes.setKind(node, NodeKind.collective);
        nodes.setPair(node, member);
      }
      member++;
    }
  }
}

function partnerError(nodes: NodeTable, trace: RankTrace, index: number): Error {
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
