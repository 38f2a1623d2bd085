import { findCyclicComponents } from '../../trace/cycles.js';
import { isTransfer, NodeType } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { reordered } from '../../trace/reordered.js';
import { parentsFirst } from '../repair/parents-first.js';

const HALF = 0x100000000;

/** Ids that decide where nodes stand, in halves: their own, or for a transfer of a collective that of its node. */
export interface Places {
  readonly low: Uint32Array; // [n]
  readonly high: Uint32Array; // [n]
}

/** The places of a rank's nodes, while the nodes of its expanded collectives are still there. */
export function placesOf({ length, type, collective, collectives, idLow, idHigh }: RankTrace): Places {
  const nodeOf = new Int32Array(collectives.length).fill(-1);
  for (let node = 0; node < length; node++) {
    const isOne = type[node] === NodeType.metadata || type[node] === NodeType.collective;
    if (isOne && collective[node] >= 0) nodeOf[collective[node]] = node;
  }
  const low = idLow.slice();
  const high = idHigh.slice();
  for (let node = 0; node < length; node++) {
    if (!isTransfer(type[node]) || collective[node] < 0 || nodeOf[collective[node]] < 0) continue;
    low[node] = idLow[nodeOf[collective[node]]];
    high[node] = idHigh[nodeOf[collective[node]]];
  }
  return { low, high };
}

export interface InFileOrder {
  readonly trace: RankTrace;
  /** Nodes that were drawn forward, before what waits for them. */
  readonly moved: number;
  /** Nodes with another id. */
  readonly numbered: number;
}

/**
 * The nodes in an order of the file in which parents come first; numbered from 0 in the order of their places, where
 * that is not the order of their ids. ASTRA-sim issues what is ready at once in ascending order of ids: the transfers of
 * a collective take the turn that its node had, and all others keep theirs. A rank with a cycle, or with two nodes of one
 * id, is left as it is: its errors name nodes.
 *
 * @param renumber whether ids may change
 */
export function inFileOrder(trace: RankTrace, places: Places, renumber: boolean): InFileOrder {
  if (hasTwins(trace) || findCyclicComponents(trace, 'both').count > 0) return { trace, moved: 0, numbered: 0 };
  const byPlace = sortedByPlace(trace, places);
  const keepsIds = ascendsInOrder(trace, byPlace);
  let ordered = trace;
  let numbered = 0;
  if (!keepsIds) {
    ordered = byPlace === undefined ? trace : reordered(trace, byPlace);
    if (renumber) ({ trace: ordered, numbered } = fromZero(ordered));
  }
  const { order, drawn } = parentsFirst(ordered);
  if (order !== undefined) ordered = reordered(ordered, order);
  return { trace: ordered, moved: drawn.length, numbered };
}

/** The trace with its nodes numbered in the order of the file. */
function fromZero(trace: RankTrace): { trace: RankTrace; numbered: number } {
  const { length, idLow, idHigh } = trace;
  const flags = trace.flags.slice();
  let numbered = 0;
  for (let node = 0; node < length; node++) {
    if (idLow[node] !== node || idHigh[node] !== 0) numbered++;
    // Its dependencies are written as ids, too.
    flags[node] |= NodeFlag.touched;
  }
  const numbers = Uint32Array.from({ length }, (_, node) => node);
  return { trace: { ...trace, flags, idLow: numbers, idHigh: new Uint32Array(length) }, numbered };
}

/** The order of the places; of one place barriers first, then ascending ids. `undefined` where that is the order of the file. */
function sortedByPlace({ idLow, idHigh, flags }: RankTrace, { low, high }: Places): Int32Array | undefined {
  const isShare = (node: number): number => Number((flags[node] & NodeFlag.addedSync) === 0);
  const compare = (left: number, right: number): number =>
    high[left] - high[right] ||
    low[left] - low[right] ||
    isShare(left) - isShare(right) ||
    idHigh[left] - idHigh[right] ||
    idLow[left] - idLow[right];
  let sorted = true;
  for (let node = 1; node < low.length && sorted; node++) sorted = compare(node - 1, node) <= 0;
  return sorted ? undefined : Int32Array.from(low.keys()).sort(compare);
}

function ascendsInOrder({ length, idLow, idHigh }: RankTrace, order: Int32Array | undefined): boolean {
  const at = (place: number): number => (order === undefined ? place : order[place]);
  for (let place = 1; place < length; place++) {
    const [before, node] = [at(place - 1), at(place)];
    if (idHigh[node] < idHigh[before]) return false;
    if (idHigh[node] === idHigh[before] && idLow[node] <= idLow[before]) return false;
  }
  return true;
}

function hasTwins({ length, idLow, idHigh }: RankTrace): boolean {
  const ids = Float64Array.from({ length }, (_, node) => idHigh[node] * HALF + idLow[node]).sort();
  // Ids above 2^53 may look alike here; they are looked at one by one.
  for (let place = 1; place < length; place++) {
    if (ids[place] !== ids[place - 1]) continue;
    if (ids[place] <= Number.MAX_SAFE_INTEGER) return true;
    return new Set(Array.from({ length }, (_, node) => `${idHigh[node]} ${idLow[node]}`)).size < length;
  }
  return false;
}
