import { formatId, idForJson } from '../base/ids.js';
import { nodeLabel, nodeName } from '../trace/node-label.js';
import { nodeTypeName } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** A node for messages. */
export interface NodePlace {
  readonly rank: number;
  readonly id: number | string;
  readonly name: string;
  /** Of the schema: `COMP_NODE`. */
  readonly type: string;
  /** `7 "all_reduce"` */
  readonly short: string;
  /** `rank 3 node 7 "all_reduce"` */
  readonly label: string;
}

export function placeOf(trace: RankTrace, index: number): NodePlace {
  const { rank, type, idLow, idHigh } = trace;
  const name = nodeName(trace, index);
  const short = nodeLabel(formatId(idLow[index], idHigh[index]), name);
  return {
    rank,
    id: idForJson(idLow[index], idHigh[index]),
    name,
    type: nodeTypeName(type[index]),
    short,
    label: `rank ${rank} node ${short}`,
  };
}
