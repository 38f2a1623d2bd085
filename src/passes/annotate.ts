import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { idForJson } from '../base/ids.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { withPass } from './pass-names.js';

const NODES_NAMED = 16;

/**
 * Marks a trace as annotated: writers then add the partner of each send and receive and the dependents of each
 * node. Sends and receives without a partner are a warning here; `validate` and the replay refuse them.
 */
export function annotateRank(trace: RankTrace): { trace: RankTrace; findings: Finding[] } {
  const { length, type, peer, idLow, idHigh } = trace;
  const nodes: (number | string)[] = [];
  let count = 0;
  for (let node = 0; node < length; node++) {
    if ((type[node] !== NodeType.send && type[node] !== NodeType.receive) || peer[node] >= 0) continue;
    if (count++ < NODES_NAMED) nodes.push(idForJson(idLow[node], idHigh[node]));
  }
  const findings =
    count === 0
      ? []
      : [
          finding('PEER_MISSING', `${count} sends and receives name no partner rank`, {
            severity: 'warning',
            rank: trace.rank,
            nodes,
            count,
          }),
        ];
  return { trace: { ...trace, metadata: withPass(trace.metadata, 'annotate') }, findings };
}
