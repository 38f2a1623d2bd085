import { findCyclicComponents, shortestCycle } from '../../trace/cycles.js';
import type { UntimedGraph } from './untimed-graph.js';
import type { UntimedRun } from './untimed-run.js';

/**
 * A shortest circle among the vertices that a run has left over; `undefined` when what is left over waits for something
 * that does not exist or for a cycle inside one trace, which other findings name.
 *
 * A vertex that has not started waits for those it depends on; a receive for the first send of its key that has not
 * started; a member of a collective for the members that have not started, through one vertex for the instance, so that this stays
 * linear.
 */
export function waitCircle(run: UntimedRun): number[] | undefined {
  const { graph, keys } = run;
  const { vertices, instance, gate, memberStart, member } = graph;
  const local = stuckInTrace(graph);
  const isLeft = (vertex: number): boolean => vertex >= 0 && local[vertex] === 0 && !run.isFinished(vertex);
  const total = vertices + gate.length;
  const edges = new Edges(total);
  const awaited = new Map<number, number>(); // by key: its first send that has not started
  graph.forEachDependency((dependent, dependency) => {
    if (isLeft(dependent) && isLeft(dependency)) edges.add(dependent, dependency);
  });
  for (let vertex = 0; vertex < vertices; vertex++) {
    if (!isLeft(vertex) || !run.hasStarted(vertex)) continue;
    const collective = instance[vertex];
    if (collective < 0) {
      if (!keys.canFinish(vertex)) continue;
      const key = keys.of[vertex];
      let send = awaited.get(key);
      if (send === undefined) {
        send = keys.sends(key).find((each) => !run.hasStarted(each)) ?? -1;
        awaited.set(key, send);
      }
      if (isLeft(send)) edges.add(vertex, send);
    } else if (gate[collective] > 0) {
      edges.add(vertex, vertices + collective);
    } else {
      for (const source of graph.sources.get(vertex) ?? []) if (isLeft(source)) edges.add(vertex, source);
    }
  }
  for (let collective = 0; collective < gate.length; collective++) {
    if (gate[collective] === 0) continue;
    for (let place = memberStart[collective]; place < memberStart[collective + 1]; place++) {
      if (isLeft(member[place]) && !run.hasStarted(member[place])) edges.add(vertices + collective, member[place]);
    }
  }
  const dependencies = edges.asDependencies();
  const components = findCyclicComponents(dependencies, 'data');
  if (components.count === 0) return undefined;
  const circle = shortestCycle(dependencies, components, 0).nodes.filter((vertex) => vertex < graph.firstJoint);
  // It is told from a node that has started and waits for another rank.
  const first = Math.max(
    0,
    circle.findIndex((vertex) => run.hasStarted(vertex)),
  );
  return [...circle.slice(first), ...circle.slice(0, first)];
}

/** Marks what would not even start if every receive and collective finished: it is in or behind a cycle of its trace. */
function stuckInTrace({ surveys, offset, vertices }: UntimedGraph): Uint8Array {
  const stuck = new Uint8Array(vertices);
  surveys.forEach(({ skeleton: { beforeStart, before, node } }, at) => {
    // Places ascend along dependencies unless there is a cycle.
    let ascending = true;
    for (let place = 0; place < node.length && ascending; place++) {
      for (let edge = beforeStart[place]; edge < beforeStart[place + 1]; edge++) ascending &&= before[edge] < place;
    }
    if (ascending) return;
    const length = node.length;
    const dependencies = new Edges(length);
    for (let place = 0; place < length; place++) {
      for (let edge = beforeStart[place]; edge < beforeStart[place + 1]; edge++) dependencies.add(before[edge], place);
    }
    const { dataStart: start, dataTarget: target } = dependencies.asDependencies();
    const missing = new Int32Array(length);
    const queue = new Int32Array(length);
    let queued = 0;
    for (let place = 0; place < length; place++) {
      stuck[offset[at] + place] = 1;
      missing[place] = beforeStart[place + 1] - beforeStart[place];
      if (missing[place] === 0) queue[queued++] = place;
    }
    for (let next = 0; next < queued; next++) {
      const place = queue[next];
      stuck[offset[at] + place] = 0;
      for (let edge = start[place]; edge < start[place + 1]; edge++) {
        if (--missing[target[edge]] === 0) queue[queued++] = target[edge];
      }
    }
  });
  return stuck;
}

/** Edges in any order, to be sorted by where they begin. */
class Edges {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(readonly length: number) {}

  add(from: number, to: number): void {
    this.#from.push(from);
    this.#to.push(to);
  }

  /** As data dependencies of a rank with as many nodes. */
  asDependencies(): Parameters<typeof findCyclicComponents>[0] {
    const { length } = this;
    const dataStart = new Uint32Array(length + 1);
    for (const from of this.#from) dataStart[from + 1]++;
    for (let vertex = 0; vertex < length; vertex++) dataStart[vertex + 1] += dataStart[vertex];
    const fill = dataStart.slice();
    const dataTarget = new Int32Array(this.#to.length);
    for (let edge = 0; edge < this.#from.length; edge++) dataTarget[fill[this.#from[edge]]++] = this.#to[edge];
    const ids = new Uint32Array(length);
    return {
      length,
      dataStart,
      dataTarget,
      controlStart: new Uint32Array(length + 1),
      controlTarget: new Int32Array(0),
      idLow: ids,
      idHigh: ids,
    };
  }
}
