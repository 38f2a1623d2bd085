import { layersOf } from './layers.js';
import { rowPlaces } from './row-places.js';

/** Space between neighbours of a row, and what an edge that passes takes, px. */
const GAP = 18;
const TRACK_WIDTH = 4;
/** Nodes side by side in one band; more of a layer go into further rows. */
const MOST_IN_ROW = 10;
/** The same over all bands. */
const MOST_ACROSS = 24;
/** Walks down and up over the rows that put neighbours near each other. */
const SWEEPS = 4;

export interface GraphToLay {
  /** [n] band of each node: its place among the ranks. */
  readonly band: readonly number[];
  readonly bands: number;
  /** [n] px */
  readonly width: readonly number[];
  /** [e] `from` stands above `to`. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** [e] edges of one kind from one node share their way; −1 for one that goes straight to its end. */
  readonly kind: readonly number[];
}

/** A way down that edges of one kind from one node share. */
export interface Track {
  readonly source: number;
  readonly kind: number;
  /** x in each row behind that of the source, px. */
  readonly x: number[];
  /** Edges that leave it, by index. */
  readonly edges: number[];
}

export interface Layout {
  /** [n] middle of each node, px from the left of its band. */
  readonly x: Float64Array;
  readonly row: Int32Array; // [n]
  readonly rows: number;
  readonly tracks: readonly Track[];
  readonly upwards: Uint8Array; // [e]
  readonly bandWidth: Float64Array; // [bands] px
}

/** A node, or a place where a track passes a row. */
interface Item {
  readonly half: number;
  x: number;
  readonly above: Item[];
  readonly below: Item[];
}

/** Lays a graph out in rows. The same graph has the same layout, always. */
export function layOut(graph: GraphToLay): Layout {
  const { band, bands, width } = graph;
  const nodes = band.length;
  const { layer, upwards, count } = layersOf(nodes, graph);
  const { row, rows } = rowsOf(graph, layer, count);
  const lists: Item[][][] = Array.from({ length: rows }, () => Array.from({ length: bands }, () => []));
  const items = Array.from({ length: nodes }, (_, node): Item => {
    const item = { half: (width[node] + GAP) / 2, x: 0, above: [], below: [] };
    lists[row[node]][band[node]].push(item);
    return item;
  });
  const passing: Item[][] = [];
  const tracks = tracksOf(graph, row, upwards);
  for (const { source, edges } of tracks) {
    const last = Math.max(...edges.map((edge) => row[graph.to[edge]]));
    const way = [items[source]];
    for (let at = row[source] + 1; at < last; at++) {
      const item: Item = { half: (TRACK_WIDTH + GAP / 2) / 2, x: 0, above: [], below: [] };
      join(way[way.length - 1], item);
      way.push(item);
      lists[at][band[source]].push(item);
    }
    for (const edge of edges) {
      const target = graph.to[edge];
      join(way[row[target] - row[source] - 1], items[target]);
    }
    passing.push(way.slice(1));
  }
  arrange(lists);
  const bandWidth = shiftBands(lists, bands);
  tracks.forEach((track, place) => track.x.push(...passing[place].map(({ x }) => x)));
  return { x: Float64Array.from(items, ({ x }) => x), row, rows, tracks, upwards, bandWidth };
}

function join(above: Item, below: Item): void {
  above.below.push(below);
  below.above.push(above);
}

/** A layer becomes as many rows as the band with the most nodes in it needs. */
function rowsOf({ band, bands }: GraphToLay, layer: Int32Array, layers: number): { row: Int32Array; rows: number } {
  const across = Math.max(2, Math.min(MOST_IN_ROW, Math.floor(MOST_ACROSS / bands)));
  const seen = new Int32Array(layers * bands);
  const within = Int32Array.from(layer, (one, node) => Math.floor(seen[one * bands + band[node]]++ / across));
  const height = new Int32Array(layers);
  layer.forEach((one, node) => (height[one] = Math.max(height[one], within[node] + 1)));
  const first = new Int32Array(layers + 1);
  for (let one = 0; one < layers; one++) first[one + 1] = first[one] + height[one];
  return { row: Int32Array.from(layer, (one, node) => first[one] + within[node]), rows: first[layers] };
}

function tracksOf({ from, to, kind }: GraphToLay, row: Int32Array, upwards: Uint8Array): Track[] {
  const tracks = new Map<number, Track>();
  for (let edge = 0; edge < from.length; edge++) {
    if (kind[edge] < 0 || upwards[edge] === 1 || row[to[edge]] <= row[from[edge]]) continue;
    const key = from[edge] * 8 + kind[edge];
    let track = tracks.get(key);
    if (track === undefined) tracks.set(key, (track = { source: from[edge], kind: kind[edge], x: [], edges: [] }));
    track.edges.push(edge);
  }
  return [...tracks.values()];
}

/** Gives every item its x: neighbours come near each other, and cross each other little. */
function arrange(lists: readonly Item[][][]): void {
  for (const row of lists) for (const list of row) place(list, (_, at) => at * 2 * GAP);
  const downwards = [...lists.keys()];
  const upwards = [...downwards].reverse();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const at of downwards) for (const list of lists[at]) order(list, ({ above }) => above);
    for (const at of upwards) for (const list of lists[at]) order(list, ({ below }) => below);
  }
  for (const rows of [downwards, upwards, downwards]) {
    for (const at of rows) {
      for (const list of lists[at]) place(list, (item) => mean([...item.above, ...item.below], item.x));
    }
  }
}

/** Sorts a row by where its neighbours of one side are, and places it there. */
function order(list: Item[], neighbours: (item: Item) => readonly Item[]): void {
  const wanted = new Map(list.map((item) => [item, mean(neighbours(item), item.x)]));
  list.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
  place(list, (item) => wanted.get(item)!);
}

function mean(items: readonly Item[], otherwise: number): number {
  if (items.length === 0) return otherwise;
  return items.reduce((sum, { x }) => sum + x, 0) / items.length;
}

function place(list: readonly Item[], wanted: (item: Item, at: number) => number): void {
  const places = rowPlaces(
    list.map(wanted),
    list.map(({ half }) => half),
  );
  list.forEach((item, at) => (item.x = places[at]));
}

/** Each band begins at 0. */
function shiftBands(lists: readonly Item[][][], bands: number): Float64Array {
  return Float64Array.from({ length: bands }, (_, band) => {
    const items = lists.flatMap((row) => row[band]);
    let left = Infinity;
    let right = -Infinity;
    for (const { x, half } of items) {
      left = Math.min(left, x - half);
      right = Math.max(right, x + half);
    }
    if (items.length === 0) return 0;
    for (const item of items) item.x -= left;
    return right - left;
  });
}
