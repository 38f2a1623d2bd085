import { idForJson } from '../base/ids.js';
import type { CollectivePlan } from '../collectives/plan.js';
import { collectiveName } from '../trace/collective-type.js';
import { nodeTypeName } from '../trace/node-type.js';
import { nodeName } from '../trace/node-label.js';
import { labelOf, shortLabel } from './node-label.js';
import type { NodeTable } from './node-table.js';
import { WaitGraph, type Wait } from './wait-graph.js';

const RANKS_NAMED = 16;
const NODES_NAMED = 4;
const STEPS_NAMED = 32;
const MEMBERS_NAMED = 8;

/** A node that cannot go on, and why. */
export interface StalledNode {
  readonly node: number | string;
  readonly name: string;
  readonly type: string;
  /** `running`: it has started and cannot finish. */
  readonly state: 'running' | 'waiting';
  readonly waitsFor: 'dependency' | 'transfer' | 'collective';
  /** Unfinished dependencies, ids. */
  readonly dependencies?: readonly (number | string)[];
  readonly transfer?: { readonly tag: number; readonly sender: number; readonly receiver: number };
  readonly collective?: {
    readonly group: string;
    readonly type: string;
    readonly instance: number;
    /** Ranks that have not reached it. */
    readonly missing: readonly number[];
  };
  /** One line for a person. */
  readonly text: string;
}

/** One rank that did not end. */
export interface StalledRank {
  readonly rank: number;
  /** Nodes that have not finished. */
  readonly unfinished: number;
  /** The first few of them: those that run, or where none runs those that wait. */
  readonly nodes: readonly StalledNode[];
}

/** One step of a circle: the node waits for the node of the next step, the last one for the first. */
export interface WaitStep {
  readonly rank: number;
  readonly node: number | string;
  readonly name: string;
  readonly waitsFor: 'dependency' | 'transfer' | 'collective';
}

/** Why a run came to a stop before it was done. */
export interface StallReport {
  /** Nodes of all ranks that have not finished. */
  readonly unfinished: number;
  /** Ranks that have not ended, in all. */
  readonly stalledRanks: number;
  /** The first of them. */
  readonly ranks: readonly StalledRank[];
  /** Nodes that wait for each other in a circle, where there is such a circle. */
  readonly cycle: readonly WaitStep[] | null;
  /** The same for a person. */
  readonly lines: readonly string[];
}

/** Explains a run that came to a stop, from the state it stopped in. */
export function stallReport(nodes: NodeTable, deps: 'both' | 'data', plan: CollectivePlan | undefined): StallReport {
  const graph = new WaitGraph(nodes, deps, plan);
  const describe = new Describer(nodes, graph);
  const ranks: StalledRank[] = [];
  const lines: string[] = [];
  let unfinishedInAll = 0;
  let stalledRanks = 0;
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    const unfinished = unfinishedNodes(nodes, graph, rank);
    if (unfinished.length === 0) continue;
    unfinishedInAll += unfinished.length;
    if (stalledRanks++ >= RANKS_NAMED) continue;
    const running = unfinished.filter((node) => graph.hasStarted(node));
    const named = (running.length > 0 ? running : unfinished).slice(0, NODES_NAMED);
    const report = { rank, unfinished: unfinished.length, nodes: named.map((node) => describe.node(node)) };
    ranks.push(report);
    lines.push(`rank ${rank}: ${unfinished.length} of ${counted(nodes.traces[rank].length, 'node')} not finished`);
    for (const { text } of report.nodes) lines.push(`  ${text}`);
    const more = (running.length > 0 ? running.length : unfinished.length) - named.length;
    if (more > 0) lines.push(`  … and ${more} more`);
  }
  if (stalledRanks > RANKS_NAMED) lines.push(`… and ${counted(stalledRanks - RANKS_NAMED, 'more rank')}`);
  lines.unshift(`stalled: ${counted(unfinishedInAll, 'node')} on ${counted(stalledRanks, 'rank')} cannot finish`);
  const circle = graph.cycle();
  if (circle) lines.push(...describe.circle(circle));
  const cycle = circle?.map((node) => describe.step(node)) ?? null;
  return { unfinished: unfinishedInAll, stalledRanks, ranks, cycle, lines };
}

function unfinishedNodes(nodes: NodeTable, graph: WaitGraph, rank: number): number[] {
  const found: number[] = [];
  for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
    if (graph.isUnfinished(node)) found.push(node);
  }
  return found;
}

/** Puts waits into words. */
class Describer {
  readonly #nodes: NodeTable;
  readonly #graph: WaitGraph;

  constructor(nodes: NodeTable, graph: WaitGraph) {
    this.#nodes = nodes;
    this.#graph = graph;
  }

  node(node: number): StalledNode {
    const wait = this.#graph.waitOf(node);
    const trace = this.#nodes.traces[this.#nodes.rank(node)];
    const index = this.#nodes.indexInTrace(node);
    return {
      node: this.#id(node),
      name: nodeName(trace, index),
      type: nodeTypeName(trace.type[index]),
      state: this.#graph.hasStarted(node) ? 'running' : 'waiting',
      waitsFor: wait.kind,
      ...this.#facts(node, wait),
      text: `${shortLabel(trace, index)} ${this.#text(wait)}`,
    };
  }

  step(node: number): WaitStep {
    const rank = this.#nodes.rank(node);
    return {
      rank,
      node: this.#id(node),
      name: nodeName(this.#nodes.traces[rank], this.#nodes.indexInTrace(node)),
      waitsFor: this.#graph.waitOf(node).kind,
    };
  }

  /** A circle as lines; runs of dependencies inside a rank take one line. */
  circle(nodes: readonly number[]): string[] {
    const ranks = new Set(nodes.map((node) => this.#nodes.rank(node))).size;
    const where = ranks > 1 ? `${ranks} ranks wait for each other` : 'nodes wait for each other';
    const lines = [`${where} in a circle:`];
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      const kind = this.#graph.waitOf(node).kind;
      let through = 0;
      // Steps from dependency to dependency say little one by one.
      while (
        kind === 'dependency' &&
        at + 1 < nodes.length &&
        this.#graph.waitOf(nodes[at + 1]).kind === 'dependency'
      ) {
        at++;
        through++;
      }
      const next = nodes[(at + 1) % nodes.length];
      const by = through > 0 ? `, through ${counted(through, 'more node')},` : '';
      lines.push(`  ${labelOf(this.#nodes, node)} waits${by} for ${this.#target(kind, node, next)}`);
    }
    if (lines.length > STEPS_NAMED + 1) {
      const more = lines.length - STEPS_NAMED - 1;
      lines.splice(STEPS_NAMED + 1, more, `  … and ${more} more steps, back to the first`);
    }
    return lines;
  }

  #target(kind: Wait['kind'], node: number, next: number): string {
    const wait = this.#graph.waitOf(node);
    if (kind === 'transfer' && wait.kind === 'transfer')
      return `the transfer (tag ${wait.tag}) of ${labelOf(this.#nodes, next)}`;
    if (kind === 'collective' && wait.kind === 'collective') {
      return `${collectiveText(wait)}, which ${labelOf(this.#nodes, next)} has not reached`;
    }
    return labelOf(this.#nodes, next);
  }

  #facts(node: number, wait: Wait): Partial<StalledNode> {
    switch (wait.kind) {
      case 'dependency':
        return { dependencies: wait.on.slice(0, MEMBERS_NAMED).map((dependency) => this.#id(dependency)) };
      case 'transfer':
        return { transfer: { tag: wait.tag, sender: wait.sender, receiver: this.#nodes.rank(node) } };
      case 'collective': {
        const { group, type, instance } = wait.instance;
        const missing = this.#missing(wait).slice(0, MEMBERS_NAMED);
        return { collective: { group: group.name, type: collectiveName(type), instance, missing } };
      }
    }
  }

  #text(wait: Wait): string {
    switch (wait.kind) {
      case 'dependency': {
        const [first, ...rest] = wait.on;
        return `waits for ${this.#short(first)}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;
      }
      case 'transfer':
        return `waits for a transfer from rank ${wait.sender} (tag ${wait.tag}); ${this.#senderText(wait)}`;
      case 'collective': {
        const missing = this.#missing(wait);
        const named = missing.slice(0, MEMBERS_NAMED).join(', ');
        const more = missing.length > MEMBERS_NAMED ? ` and ${missing.length - MEMBERS_NAMED} more` : '';
        const ranks = `rank${missing.length > 1 ? 's' : ''} ${named}${more}`;
        const why = wait.on.length > 0 ? `; ${this.#whyNotStarted(wait.on[0])}` : '; no node of it there';
        return `waits in ${collectiveText(wait)} for ${ranks}${why}`;
      }
    }
  }

  #senderText(wait: Extract<Wait, { kind: 'transfer' }>): string {
    if (wait.on.length > 0) return this.#whyNotStarted(wait.on[0]);
    const { offset } = this.#nodes;
    let ended = true;
    for (let node = offset[wait.sender]; node < offset[wait.sender + 1] && ended; node++) {
      ended = !this.#graph.isUnfinished(node);
    }
    return `rank ${wait.sender} has no such send${ended ? ' and has ended' : ' left'}`;
  }

  /** Why a node of another rank that should act has not started. */
  #whyNotStarted(node: number): string {
    const { on } = this.#graph.waitOf(node);
    const [first] = on;
    return `${labelOf(this.#nodes, node)} has not started, it waits for ${this.#short(first)}`;
  }

  #missing(wait: Extract<Wait, { kind: 'collective' }>): number[] {
    return [...wait.on.map((node) => this.#nodes.rank(node)), ...wait.absent].sort((a, b) => a - b);
  }

  #short(node: number): string {
    return shortLabel(this.#nodes.traces[this.#nodes.rank(node)], this.#nodes.indexInTrace(node));
  }

  #id(node: number): number | string {
    const { idLow, idHigh } = this.#nodes.traces[this.#nodes.rank(node)];
    const index = this.#nodes.indexInTrace(node);
    return idForJson(idLow[index], idHigh[index]);
  }
}

function collectiveText({ instance }: Extract<Wait, { kind: 'collective' }>): string {
  return `${collectiveName(instance.type)} ${instance.instance} of group ${instance.group.name}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
