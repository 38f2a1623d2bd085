import type { RankTrace } from '../trace/rank-trace.js';
import { forEachDependency, type DrawnDependencies } from './neighbourhood.js';

/** Drawn nodes that a node waits for through nodes that are not drawn. */
interface Frontier {
  /** Node indices. */
  readonly nodes: readonly number[];
  /** By node: the longest sum of durations on the way, without `extra`, µs. */
  readonly micros: readonly number[];
  /** Durations on the way that all of them share, µs. */
  readonly extra: number;
}

const NOTHING: Frontier = { nodes: [], micros: [], extra: 0 };

/** Dependencies between drawn nodes through nodes that are not. */
export interface Contracted {
  /** Calls `visit` for each way into a drawn node that is no dependency of its own. */
  forEachPath(node: number, visit: (from: number, throughMicros: number) => void): void;
  /** Dependencies that close a cycle; no way leads over them. */
  readonly onCycles: number;
}

/**
 * Follows dependencies from drawn nodes back through nodes that are not drawn to the drawn nodes behind them. A way is left
 * out where the picture has its two ends joined over one drawn node between them; which node comes before which stays as it is.
 *
 * @param drawn [n] 1 for a node that is drawn
 */
export function contract(trace: RankTrace, drawn: Uint8Array, deps: DrawnDependencies): Contracted {
  const { length, durationMicros } = trace;
  const frontiers = new Array<Frontier | undefined>(length);
  const state = new Uint8Array(length); // 0 not seen, 1 on the way, 2 done
  const stamp = new Int32Array(length).fill(-1); // of the node whose frontier the index is in
  const place = new Int32Array(length); // there
  const behind = new Int32Array(length).fill(-1); // the same for what is joined over another node
  let onCycles = 0;

  /** What the drawn nodes in front of a node are, where its dependencies are done. */
  const join = (node: number): Frontier => {
    const nodes: number[] = [];
    const micros: number[] = [];
    let only: Frontier | undefined;
    let count = 0;
    const add = (other: number, sum: number): void => {
      if (stamp[other] === node) {
        micros[place[other]] = Math.max(micros[place[other]], sum);
        return;
      }
      stamp[other] = node;
      place[other] = nodes.push(other) - 1;
      micros.push(sum);
    };
    forEachDependency(trace, node, deps, (other) => {
      if (other < 0) return;
      if (state[other] !== 2) {
        onCycles++;
        return;
      }
      if (drawn[other] === 1) {
        count += 2;
        add(other, 0);
        return;
      }
      const frontier = frontiers[other]!;
      if (frontier === only || frontier.nodes.length === 0) return;
      count++;
      only = frontier;
      const own = frontier.extra + durationMicros[other];
      for (let at = 0; at < frontier.nodes.length; at++) add(frontier.nodes[at], frontier.micros[at] + own);
    });
    if (count === 0) return NOTHING;
    // A chain shares the list of the node at its end.
    if (count === 1) return { ...only!, extra: micros[0] - only!.micros[0] };
    for (const other of nodes) for (const before of frontiers[other]?.nodes ?? []) behind[before] = node;
    if (!nodes.some((other) => behind[other] === node)) return { nodes, micros, extra: 0 };
    const kept = [...nodes.keys()].filter((at) => behind[nodes[at]] !== node);
    return { nodes: kept.map((at) => nodes[at]), micros: kept.map((at) => micros[at]), extra: 0 };
  };

  const stack: number[] = [];
  for (let first = 0; first < length; first++) {
    if (state[first] === 0) stack.push(first);
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      if (state[node] === 0) {
        state[node] = 1;
        forEachDependency(trace, node, deps, (other) => {
          if (other >= 0 && state[other] === 0) stack.push(other);
        });
      } else {
        stack.pop();
        if (state[node] === 1) {
          frontiers[node] = join(node);
          state[node] = 2;
        }
      }
    }
  }
  return {
    onCycles,
    forEachPath: (node, visit) => {
      const direct = new Set<number>();
      forEachDependency(trace, node, deps, (other) => direct.add(other));
      const { nodes, micros, extra } = frontiers[node]!;
      nodes.forEach((other, at) => {
        if (!direct.has(other)) visit(other, micros[at] + extra);
      });
    },
  };
}
