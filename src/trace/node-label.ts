import type { RankTrace } from './rank-trace.js';

/** Letters of a name that a message shows; names of kernels run to hundreds. */
const LONGEST_NAME = 60;

/** Name of a node, '' when it has none or was made by a pass. */
export function nodeName({ kept, frameOffset, frameLength }: RankTrace, node: number): string {
  return kept === undefined || frameOffset[node] < 0 ? '' : kept.name(frameOffset[node], frameLength[node]);
}

/** A name for a message: at most 60 letters, the last of them `…` where it is longer. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** A node for a message: `3 "wait"`, `3` where it has no name. */
export function nodeLabel(id: number | string, name: string): string {
  return name === '' ? String(id) : `${id} ${JSON.stringify(shortName(name))}`;
}
