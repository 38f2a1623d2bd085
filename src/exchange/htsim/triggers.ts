import { AwaitedSets } from '../awaited-sets.js';
import { byGroup } from '../by-group.js';
import type { EarliestRun } from '../earliest-run.js';
import { Work, type JobGraph } from '../job-graph.js';

const NONE = -1;

/**
 * Which sends a matrix has as connections: those with bytes for another rank. The others end at once, as in a run
 * (docs/converters.md).
 */
export function isConnection({ work, amount, peer, rank }: JobGraph, node: number): boolean {
  return work[node] === Work.send && amount[node] > 0 && peer[node] !== rank[node];
}

/** What nodes wait for, and how much of it was left out. */
export interface AwaitedConnections {
  readonly sets: AwaitedSets;
  readonly cut: Uint32Array; // [n] connections that a node waits for and that are not in its set
}

/**
 * The connections that each node waits for: of nodes that are no connection those that they wait for in turn. Of a receive
 * that is the connection that brings its message, and the latest of those it waits for before it is posted: with all of them,
 * a long row of receives would make everything wait for everything. What a member of the set waits for itself is left out.
 */
export function awaitedConnections(graph: JobGraph, { order, position, partner }: EarliestRun): AwaitedConnections {
  const { length, awaited, awaitedStart, work } = graph;
  const sets = new AwaitedSets(length);
  const cut = new Uint32Array(length);
  for (const node of order) {
    const first = awaitedStart[node];
    const end = awaitedStart[node + 1];
    const other = awaited[first];
    if (end - first === 1 && work[other] !== Work.receive && !isConnection(graph, other)) {
      sets.share(node, other);
      continue;
    }
    sets.begin();
    for (let at = first; at < end; at++) {
      const dependency = awaited[at];
      if (isConnection(graph, dependency)) sets.add(dependency);
      else if (work[dependency] !== Work.receive) sets.addSet(dependency);
      else {
        const send = partner[dependency];
        if (isConnection(graph, send)) sets.add(send);
        else sets.addSet(send);
        const latest = sets.latest(dependency, position);
        if (latest >= 0) sets.add(latest);
      }
    }
    cut[node] = sets.endReduced(node, position);
    if (work[node] === Work.receive && sets.size(node) > 1) cut[node] += sets.size(node) - 1;
  }
  return { sets, cut };
}

/** A trigger, and who it starts. */
export interface Trigger {
  /** Connections that fire it when they are done: one of a `oneshot`, more of a `barrier`. */
  readonly fired: readonly number[];
}

/** How connections start each other. */
export interface Triggers {
  readonly triggers: readonly Trigger[];
  readonly startedBy: Int32Array; // [n] trigger that starts a connection, −1 for none
  readonly firing: Int32Array; // [n] trigger that a connection fires, −1 for none
  readonly missing: Uint32Array; // [n] connections that one waits for in the job and not in the matrix
}

/**
 * Triggers for connections that wait for others. A connection fires one trigger and is started by one, so not every graph can
 * be had. Each connection waits for the one of its set that the earliest run has last, its critical one: the later start, then
 * the longer chain of connections, then one of another rank, then the later place. All that share a critical connection share its
 * trigger. A connection that is nobody's critical one fires the trigger of the first one whose listeners all wait for it.
 * So nothing waits for what it does not wait for in the job, and nothing can wait in a circle.
 */
export function triggersOf(graph: JobGraph, run: EarliestRun, sets: AwaitedSets): Triggers {
  const { length, rank } = graph;
  const { order, position, startNs } = run;
  const startedBy = new Int32Array(length).fill(NONE);
  const firing = new Int32Array(length).fill(NONE);
  const missing = new Uint32Array(length);
  const depth = new Uint32Array(length); // connections in the longest chain that ends with the node
  const listeners: number[] = [];
  const critical: number[] = [];
  for (const node of order) {
    if (!isConnection(graph, node)) continue;
    let last = NONE;
    for (let at = sets.from[node]; at < sets.to[node]; at++) {
      const other = sets.members[at];
      if (depth[other] > depth[node]) depth[node] = depth[other];
      if (last < 0 || isLater(other, last, node)) last = other;
    }
    depth[node]++;
    if (last < 0) continue;
    listeners.push(node);
    critical.push(last);
  }

  function isLater(one: number, other: number, listener: number): boolean {
    const isRemote = Number(rank[one] !== rank[listener]) - Number(rank[other] !== rank[listener]);
    const later =
      startNs[one] - startNs[other] || depth[one] - depth[other] || isRemote || position[one] - position[other];
    return later > 0;
  }

  const [start, byCritical] = byGroup(
    Uint32Array.from(critical),
    Uint32Array.from(listeners),
    listeners.length,
    length,
  );
  const isCritical = (node: number): boolean => start[node] < start[node + 1];
  const triggers: Trigger[] = [];
  const waits = new Uint32Array(length); // listeners of the trigger at hand that wait for a connection
  for (const node of order) {
    if (!isCritical(node)) continue;
    const group = byCritical.subarray(start[node], start[node + 1]);
    const fired = [node];
    firing[node] = triggers.length;
    for (const listener of group) {
      for (let at = sets.from[listener]; at < sets.to[listener]; at++) waits[sets.members[at]]++;
    }
    for (let at = sets.from[group[0]]; at < sets.to[group[0]]; at++) {
      const other = sets.members[at];
      if (waits[other] < group.length || firing[other] >= 0 || isCritical(other)) continue;
      firing[other] = triggers.length;
      fired.push(other);
    }
    for (const listener of group) {
      for (let at = sets.from[listener]; at < sets.to[listener]; at++) waits[sets.members[at]] = 0;
      startedBy[listener] = triggers.length;
      missing[listener] = sets.size(listener) - fired.length;
    }
    triggers.push({ fired });
  }
  return { triggers, startedBy, firing, missing };
}
