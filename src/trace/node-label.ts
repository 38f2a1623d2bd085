import { grouped } from '../base/counts.js';
import { collectiveName } from './collective-type.js';
import { NodeType, nodeTypeName } from './node-type.js';
import { NodeFlag, type RankTrace } from './rank-trace.js';

/** Letters of a name that a message shows; names of kernels run to hundreds. */
const LONGEST_NAME = 60;

/** Name of a node as the trace is written: its own, or the one of a node that a pass made; '' when it has none. */
export function nodeName(trace: RankTrace, node: number): string {
  const { kept, frameOffset, frameLength, collective } = trace;
  if (frameOffset[node] < 0) return collective[node] < 0 ? '' : madeNodeName(trace, node);
  return kept === undefined ? '' : kept.name(frameOffset[node], frameLength[node]);
}

/** Name of a node that a pass made: `AllReduce.send`, `AllReduce.barrier.receive`; of a node of no collective its type. */
export function madeNodeName({ collective, collectives, flags, type }: RankTrace, node: number): string {
  if (collective[node] < 0) return nodeTypeName(type[node]);
  const part = PARTS[type[node]] ?? nodeTypeName(type[node]);
  const barrier = (flags[node] & NodeFlag.addedSync) !== 0 ? 'barrier.' : '';
  return `${collectiveName(collectives[collective[node]].type)}.${barrier}${part}`;
}

const PARTS: Readonly<Record<number, string>> = {
  [NodeType.send]: 'send',
  [NodeType.receive]: 'receive',
  [NodeType.metadata]: 'exit',
};

/** A name for a message: at most 60 letters, the last of them `…` where it is longer. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** A node for a message: `3 "wait"`, `3` where it has no name. */
export function nodeLabel(id: number | string, name: string): string {
  return name === '' ? String(id) : `${id} ${JSON.stringify(shortName(name))}`;
}

/**
 * Nodes for a message, of which `ids` are the first: `node 3`, `nodes 3, 4 and 7`, `nodes 3, 4 and 1,272 more`.
 * @param count how many there are in all
 * @param firstName name of the first, '' when it is not to be shown
 */
export function nodeList(ids: readonly (number | string)[], count: number, firstName = ''): string {
  const [first, ...rest] = ids;
  const named = nodeLabel(first, firstName);
  if (count === 1) return `node ${named}`;
  const shown = [named, ...rest];
  const left = count - ids.length;
  if (left > 0) return `nodes ${shown.join(', ')} and ${grouped(left)} more`;
  return `nodes ${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}

/** Ids that dependencies name and no node has, for a message: `id 9, which no node has`, `210 ids that no node has, first 3`. */
export function missingIds(distinct: number, first: number | string): string {
  return distinct === 1
    ? `id ${first}, which no node has`
    : `${grouped(distinct)} ids that no node has, first ${first}`;
}
