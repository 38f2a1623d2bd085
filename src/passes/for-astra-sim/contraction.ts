import { grown } from '../../base/grown.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { parentsFirst } from '../repair/parents-first.js';
import type { DependencyLists } from './dependency-lists.js';

/** A rank's dependencies once nodes that take no time are gone. */
export interface Contraction extends DependencyLists {
  /** [n] 1 for a node that is left out. */
  readonly leftOut: Uint8Array;
  /** Nodes that were to be left out and stay, because their lists would multiply: [n] 1. */
  readonly joins: Uint8Array;
}

/**
 * How many dependencies may take the place of one. A node with m that it waits for and k that wait for it goes where
 * m × k is at most this many times what it has itself, so that lists grow by this factor at most.
 */
const GROWTH = 16;
/** Longer lists are not looked through for what another entry waits for already. */
const LONGEST_LOOKED_THROUGH = 64;

/**
 * Leaves nodes out: who waited for one waits for what it waited for, whatever lies between, each once. What a list names
 * and another entry of it waits for directly is dropped from it: of the transfers of a share the last ones are left.
 * A chain of dependencies is a data dependency where all of it is.
 *
 * Time and memory are linear in nodes and dependencies. A node stays, as a join, where leaving it out would cost more
 * than {@link GROWTH} dependencies for each that it has.
 *
 * @param trace without cycles through nodes that are to be left out
 * @param wanted [n] 1 for a node that is to be left out
 */
export function leaveOut(trace: RankTrace, wanted: Uint8Array): Contraction {
  const contraction = new Contracting(trace, wanted);
  const order = parentsFirst(trace).order;
  for (let step = 0; step < trace.length; step++) contraction.take(order === undefined ? step : order[step]);
  return contraction.finish();
}

class Contracting {
  readonly #trace: RankTrace;
  readonly #leftOut: Uint8Array;
  readonly #joins: Uint8Array;
  readonly #dependents: Uint32Array; // [n] entries that name a node
  readonly #lists: Lists; // of the nodes that stay, and of those left out that several wait for
  readonly #gathered: Gathered;

  constructor(trace: RankTrace, wanted: Uint8Array) {
    this.#trace = trace;
    this.#leftOut = wanted.slice();
    this.#joins = new Uint8Array(trace.length);
    this.#dependents = new Uint32Array(trace.length);
    for (const targets of [trace.dataTarget, trace.controlTarget]) {
      for (const target of targets) if (target >= 0) this.#dependents[target]++;
    }
    this.#lists = new Lists(trace.length);
    this.#gathered = new Gathered(trace.length);
  }

  /** Works out the list of a node; those it waits for were taken before. */
  take(node: number): void {
    const isWanted = this.#leftOut[node] === 1;
    const dependents = this.#dependents[node];
    // One that a single node waits for is looked into from there.
    if (isWanted && dependents < 2) return;
    const gathered = this.#gathered;
    const replaced = this.#gather(node);
    if (replaced || isWanted) gathered.dropWaitedFor(this.#lists);
    this.#lists.keep(node, gathered);
    if (!isWanted) return;
    const { dataStart, controlStart } = this.#trace;
    const own = dataStart[node + 1] - dataStart[node] + controlStart[node + 1] - controlStart[node];
    const several = gathered.data.length + gathered.control.length;
    if (several <= 1 || several * dependents <= GROWTH * (own + dependents)) return;
    this.#leftOut[node] = 0;
    this.#joins[node] = 1;
  }

  finish(): Contraction {
    return { ...this.#lists.columns(this.#leftOut), leftOut: this.#leftOut, joins: this.#joins };
  }

  /** Gathers what a node waits for; whether any of it stands in for a node that is left out. */
  #gather(start: number): boolean {
    const { dataStart, dataTarget, controlStart, controlTarget } = this.#trace;
    const gathered = this.#gathered;
    gathered.begin();
    let replaced = false;
    const path: { node: number; isData: boolean }[] = [{ node: start, isData: true }];
    for (let step = path.pop(); step !== undefined; step = path.pop()) {
      const { node, isData } = step;
      const visit = (target: number, isTargetData: boolean): void => {
        if (target < 0 || this.#leftOut[target] === 0) gathered.add(target, isTargetData);
        else {
          replaced = true;
          if (this.#dependents[target] < 2) path.push({ node: target, isData: isTargetData });
          else this.#lists.addTo(gathered, target, isTargetData);
        }
      };
      for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) visit(dataTarget[edge], isData);
      for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) visit(controlTarget[edge], false);
    }
    gathered.end();
    return replaced;
  }
}

/** The nodes that one node waits for, each once. */
class Gathered {
  data: number[] = [];
  control: number[] = [];
  readonly #data: Int32Array; // [n] turn in which a node was gathered last
  readonly #control: Int32Array;
  readonly #waitedFor: Int32Array; // [n] turn in which another entry waited for it
  #turn = 0;

  constructor(nodes: number) {
    this.#data = new Int32Array(nodes);
    this.#control = new Int32Array(nodes);
    this.#waitedFor = new Int32Array(nodes);
  }

  begin(): void {
    this.#turn++;
    this.data = [];
    this.control = [];
  }

  add(target: number, isData: boolean): void {
    const seen = isData ? this.#data : this.#control;
    if (target >= 0) {
      if (seen[target] === this.#turn) return;
      seen[target] = this.#turn;
    }
    (isData ? this.data : this.control).push(target);
  }

  /** What is waited for as data needs no control dependency besides. */
  end(): void {
    this.control = this.control.filter((target) => target < 0 || this.#data[target] !== this.#turn);
  }

  /** Drops what another entry waits for itself: as data, or in any way where the entry is a control dependency. */
  dropWaitedFor(lists: Lists): void {
    if (this.data.length + this.control.length < 2) return;
    for (const target of this.data) lists.forEachData(target, (before) => this.#mark(before));
    this.data = this.data.filter((target) => !this.#isMarked(target));
    for (const target of [...this.data, ...this.control]) lists.forEach(target, (before) => this.#mark(before));
    this.control = this.control.filter((target) => !this.#isMarked(target));
  }

  #mark(node: number): void {
    if (node >= 0) this.#waitedFor[node] = this.#turn;
  }

  #isMarked(node: number): boolean {
    return node >= 0 && this.#waitedFor[node] === this.#turn;
  }
}

/** Lists of dependencies by node, in the order in which they were made. */
class Lists {
  readonly #start: Uint32Array; // [n] first entry
  readonly #dataLength: Uint32Array; // [n]
  readonly #controlLength: Uint32Array; // [n]
  #entry = new Int32Array(64);
  #length = 0;

  constructor(nodes: number) {
    this.#start = new Uint32Array(nodes);
    this.#dataLength = new Uint32Array(nodes);
    this.#controlLength = new Uint32Array(nodes);
  }

  keep(node: number, { data, control }: Gathered): void {
    const needed = this.#length + data.length + control.length;
    if (needed > this.#entry.length) this.#entry = grown(this.#entry, Math.max(needed, 2 * this.#entry.length));
    this.#start[node] = this.#length;
    this.#dataLength[node] = data.length;
    this.#controlLength[node] = control.length;
    for (const target of data) this.#entry[this.#length++] = target;
    for (const target of control) this.#entry[this.#length++] = target;
  }

  /** Adds what stands for a node that is left out. */
  addTo(gathered: Gathered, node: number, isData: boolean): void {
    const start = this.#start[node];
    const control = start + this.#dataLength[node];
    const end = control + this.#controlLength[node];
    for (let at = start; at < end; at++) gathered.add(this.#entry[at], isData && at < control);
  }

  /** Visits the data dependencies of a node that has not too many. */
  forEachData(node: number, visit: (before: number) => void): void {
    this.#visit(node, node < 0 ? 0 : this.#dataLength[node], visit);
  }

  /** Visits all dependencies of a node that has not too many. */
  forEach(node: number, visit: (before: number) => void): void {
    this.#visit(node, node < 0 ? 0 : this.#dataLength[node] + this.#controlLength[node], visit);
  }

  #visit(node: number, count: number, visit: (before: number) => void): void {
    if (count > LONGEST_LOOKED_THROUGH) return;
    for (let at = this.#start[node], end = at + count; at < end; at++) visit(this.#entry[at]);
  }

  /** The lists as columns; those of nodes that are left out are empty. */
  columns(leftOut: Uint8Array): DependencyLists {
    const nodes = leftOut.length;
    const dataStart = new Uint32Array(nodes + 1);
    const controlStart = new Uint32Array(nodes + 1);
    const data = new Int32Array(this.#length);
    const control = new Int32Array(this.#length);
    let dataEdges = 0;
    let controlEdges = 0;
    for (let node = 0; node < nodes; node++) {
      dataStart[node] = dataEdges;
      controlStart[node] = controlEdges;
      if (leftOut[node] === 1) continue;
      const start = this.#start[node];
      const middle = start + this.#dataLength[node];
      const end = middle + this.#controlLength[node];
      for (let at = start; at < middle; at++) data[dataEdges++] = this.#entry[at];
      for (let at = middle; at < end; at++) control[controlEdges++] = this.#entry[at];
    }
    dataStart[nodes] = dataEdges;
    controlStart[nodes] = controlEdges;
    return { dataStart, data: data.slice(0, dataEdges), controlStart, control: control.slice(0, controlEdges) };
  }
}
