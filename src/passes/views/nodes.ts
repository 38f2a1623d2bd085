import { nodeName } from '../../trace/node-label.js';
import { nodeId } from '../../trace/listed-ids.js';
import type { RankTrace } from '../../trace/rank-trace.js';

/** Ids from one to another, both included. */
export interface IdRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Which nodes a view shows: those that every given part lets through. */
export interface NodeFilter {
  /** NodeType numbers, 0 to 254. */
  readonly types?: readonly number[];
  /** Text that the name contains, or an expression that matches it. */
  readonly name?: string | RegExp;
  readonly ranks?: readonly number[];
  readonly ids?: readonly IdRange[];
  /** Nodes shown at most; all when left out. */
  readonly limit?: number;
}

/** The nodes of one rank that a filter lets through. */
export interface NodeSelection {
  /** How many there are. */
  readonly matched: number;
  /** Node indices of the first of them, at most as many as the filter's limit. */
  readonly nodes: Int32Array;
  /** [ids] whether some node has an id of that range, whatever the rest of the filter says of it. */
  readonly idsFound: readonly boolean[];
}

/** Selects nodes in one walk over the columns; names, which are read from the file, are looked at last. */
export function selectNodes(trace: RankTrace, filter: NodeFilter): NodeSelection {
  const { length, type, idLow, idHigh } = trace;
  const limit = filter.limit ?? Infinity;
  const wanted =
    filter.types === undefined
      ? undefined
      : Uint8Array.from({ length: 256 }, (_, number) => +filter.types!.includes(number));
  const ranges = filter.ids?.map(halvesOf);
  const idsFound = new Array<boolean>(ranges?.length ?? 0).fill(false);
  const matchesName = nameTest(filter.name);
  const nodes: number[] = [];
  let matched = 0;
  for (let node = 0; node < length; node++) {
    if (ranges !== undefined && !inRanges(idLow[node], idHigh[node], ranges, idsFound)) continue;
    if (wanted !== undefined && wanted[type[node]] === 0) continue;
    if (matchesName !== undefined && !matchesName(nodeName(trace, node))) continue;
    matched++;
    if (nodes.length < limit) nodes.push(node);
  }
  return { matched, nodes: Int32Array.from(nodes), idsFound };
}

function nameTest(name: string | RegExp | undefined): ((name: string) => boolean) | undefined {
  if (name === undefined) return undefined;
  if (typeof name === 'string') return (text) => text.includes(name);
  // A search with the flags g or y begins where the last one ended.
  const expression = new RegExp(name.source, name.flags.replace(/[gy]/g, ''));
  return (text) => expression.test(text);
}

/** [low and high half of the first id, the same of the last]. */
type RangeHalves = readonly [number, number, number, number];

function halvesOf({ from, to }: IdRange): RangeHalves {
  const low = (id: bigint): number => Number(id & 0xffffffffn);
  const high = (id: bigint): number => Number(id >> 32n);
  return [low(from), high(from), low(to), high(to)];
}

function inRanges(low: number, high: number, ranges: readonly RangeHalves[], found: boolean[]): boolean {
  let inside = false;
  for (let place = 0; place < ranges.length; place++) {
    const [fromLow, fromHigh, toLow, toHigh] = ranges[place];
    if (high < fromHigh || (high === fromHigh && low < fromLow)) continue;
    if (high > toHigh || (high === toHigh && low > toLow)) continue;
    found[place] = true;
    inside = true;
  }
  return inside;
}

/** Ids of the nodes that depend on a node, each once, in file order. */
export interface DependentIds {
  readonly data: (number | string)[];
  readonly control: (number | string)[];
}

/** Who depends on each of some nodes, in one walk over all dependencies. */
export function dependentIds(trace: RankTrace, nodes: Int32Array): DependentIds[] {
  const place = new Int32Array(trace.length).fill(-1);
  nodes.forEach((node, index) => (place[node] = index));
  const data = listDependents(trace, trace.dataStart, trace.dataTarget, place, nodes.length);
  const control = listDependents(trace, trace.controlStart, trace.controlTarget, place, nodes.length);
  return data.map((ids, index) => ({ data: ids, control: control[index] }));
}

function listDependents(
  trace: RankTrace,
  start: Uint32Array,
  target: Int32Array,
  place: Int32Array,
  count: number,
): (number | string)[][] {
  const lists = Array.from({ length: count }, (): (number | string)[] => []);
  if (count === 0) return lists;
  const last = new Int32Array(count).fill(-1);
  for (let node = 0; node < trace.length; node++) {
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      const at = target[edge] < 0 ? -1 : place[target[edge]];
      if (at < 0 || last[at] === node) continue;
      last[at] = node;
      lists[at].push(nodeId(trace, node));
    }
  }
  return lists;
}
