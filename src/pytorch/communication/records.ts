import type { HostTrace } from '../../formats/pytorch/host-trace.js';
import { nearestCaller } from './callers.js';
import { communicationMeaning, type Meaning } from './collective-words.js';

/** The records of a host trace that stand for communication. */
export interface Records {
  /** Host nodes of the outermost ones, in the order of issue. */
  readonly outermost: readonly number[];
  /** Record → the outermost record around it, itself included. A barrier records the all-reduce it is made of. */
  readonly outer: ReadonlyMap<number, number>;
  /** Outermost record → what it means; absent where its name is not known. */
  readonly meanings: ReadonlyMap<number, Meaning>;
}

/** Finds the records of communication: all but waits, set-up and what merely encloses coalesced ones. */
export function recordsOf(host: HostTrace, callers: Int32Array): Records {
  const byName = new Map<string, Meaning | undefined>();
  const meanings = new Map<number, Meaning>();
  const real: number[] = [];
  const isReal = new Uint8Array(host.length);
  for (const [node, { collective }] of host.communications) {
    if (!byName.has(collective)) byName.set(collective, communicationMeaning(collective));
    const meaning = byName.get(collective);
    if (meaning?.kind === 'nothing' || meaning?.kind === 'coalesced') continue;
    real.push(node);
    isReal[node] = 1;
    if (meaning !== undefined) meanings.set(node, meaning);
  }
  const outer = new Map<number, number>();
  const holds = (node: number): boolean => isReal[node] === 1;
  for (const node of real) {
    let outermost = node;
    // As many turns as there are records at most: callers of a broken trace may go in a circle.
    for (let turn = 0; turn < real.length; turn++) {
      const above = nearestCaller(callers, callers[outermost], holds);
      if (above < 0) break;
      outermost = above;
    }
    outer.set(node, outermost);
  }
  const outermost = [...new Set(outer.values())].sort((left, right) => host.id[left] - host.id[right]);
  return { outermost, outer, meanings };
}
