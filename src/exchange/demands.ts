import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId } from '../base/ids.js';
import { collectiveName } from '../trace/collective-type.js';
import { nodeLabel, nodeName } from '../trace/node-label.js';
import { isTransfer, NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** `rank 3 node 7` */
export function idPlace({ rank, idLow, idHigh }: RankTrace, node: number): string {
  return `rank ${rank} node ${formatId(idLow[node], idHigh[node])}`;
}

/** `rank 3 node 7 "all_reduce"` */
export function nodePlace(trace: RankTrace, node: number): string {
  return `rank ${trace.rank} node ${nodeLabel(formatId(trace.idLow[node], trace.idHigh[node]), nodeName(trace, node))}`;
}

/**
 * Demands that a trace has no collective that is not expanded.
 * @param title of the form, for the message
 * @throws PrepError `COLLECTIVE_NOT_EXPANDED`
 */
export function demandExpanded(trace: RankTrace, title: string): void {
  const { length, type, commType } = trace;
  for (let node = 0; node < length; node++) {
    if (type[node] !== NodeType.collective) continue;
    const name = commType[node] < 0 ? 'a collective' : `the collective ${collectiveName(commType[node])}`;
    throw traceError(
      'COLLECTIVE_NOT_EXPANDED',
      `${nodePlace(trace, node)} is ${name}; ${title} has sends and receives only`,
      [],
      'expand the traces first: chakra-prep expand <in> -o <dir>',
    );
  }
}

/**
 * Demands that every send and receive has a rank of the job as partner.
 * @param isOpen nodes that may name none
 * @throws PrepError `PEER_MISSING`, `PEER_OUT_OF_RANGE`
 */
export function demandPartners(
  trace: RankTrace,
  rankCount: number,
  isOpen: (node: number) => boolean = () => false,
): void {
  const { length, type, peer } = trace;
  for (let node = 0; node < length; node++) {
    if (!isTransfer(type[node]) || (peer[node] >= 0 && peer[node] < rankCount)) continue;
    if (peer[node] >= 0) {
      const message = `${nodePlace(trace, node)} has rank ${peer[node]} as partner; the job has ranks 0 to ${rankCount - 1}`;
      throw traceError('PEER_OUT_OF_RANGE', message, [], 'check comm_dst and comm_src');
    }
    if (isOpen(node)) continue;
    throw traceError('PEER_MISSING', `${nodePlace(trace, node)} names no partner rank`, [], 'add comm_dst or comm_src');
  }
}

/** Sends and receives of a job without a size, which count 0 bytes everywhere. */
export class SizesMissing {
  #count = 0;
  #first = '';

  /** Bytes of a transfer. */
  bytes(trace: RankTrace, node: number): number {
    const bytes = trace.commSize[node];
    if (!Number.isNaN(bytes)) return bytes;
    if (this.#count++ === 0) this.#first = nodePlace(trace, node);
    return 0;
  }

  findings(): Finding[] {
    if (this.#count === 0) return [];
    const what = counted(this.#count, 'send or receive', 'sends and receives');
    const message = `${what} without comm_size, first ${this.#first}: written with 0 bytes`;
    return [finding('COMM_SIZE_MISSING', message, { count: this.#count })];
  }
}
