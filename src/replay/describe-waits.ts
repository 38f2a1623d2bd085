import { counted, grouped } from '../base/counts.js';
import { collectiveName } from '../trace/collective-type.js';
import type { NodeGathering } from './gather-nodes.js';
import type { NodeLabels } from './node-label.js';
import { NO_PAIR, NodeKind, type NodeTable } from './node-table.js';
import type { Wait, WaitGraph } from './wait-graph.js';

const STEPS_NAMED = 32;
const MEMBERS_NAMED = 8;

/** `time`: it runs, or what it waits for is under way. */
export type WaitKind = 'dependency' | 'transfer' | 'collective' | 'time';

/** A node that cannot go on, and why. */
export interface StalledNode {
  readonly node: number | string;
  readonly name: string;
  readonly type: string;
  /** `running`: it has started and cannot finish. */
  readonly state: 'running' | 'waiting';
  readonly waitsFor: WaitKind;
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

/** One step of a circle: the node waits for the node of the next step, the last one for the first. */
export interface WaitStep {
  readonly rank: number;
  readonly node: number | string;
  readonly name: string;
  readonly waitsFor: WaitKind;
}

/** Puts waits into words. */
export class WaitDescriber {
  readonly #nodes: NodeTable;
  readonly #collectives: NodeGathering['collectives'];
  readonly #graph: WaitGraph;
  readonly #labels: NodeLabels;

  constructor({ nodes, collectives }: NodeGathering, graph: WaitGraph, labels: NodeLabels) {
    this.#nodes = nodes;
    this.#collectives = collectives;
    this.#graph = graph;
    this.#labels = labels;
  }

  node(node: number): StalledNode {
    const wait = this.#graph.waitOf(node);
    return {
      node: this.#labels.id(node),
      name: this.#labels.name(node),
      type: this.#labels.typeName(node),
      state: this.#graph.hasStarted(node) ? 'running' : 'waiting',
      waitsFor: wait.kind,
      ...this.#facts(node, wait),
      text: `${this.#labels.short(node)}${this.#ofCollective(node)} ${this.#text(node, wait)}`,
    };
  }

  /** Which collective a send or receive belongs to that expansion made: its name says only what kind. */
  #ofCollective(node: number): string {
    const kind = this.#nodes.kind(node);
    const number = kind === NodeKind.send || kind === NodeKind.receive ? this.#nodes.collective(node) : -1;
    return number < 0 ? '' : ` of ${collectiveText(this.#collectives.rows[number])}`;
  }

  step(node: number): WaitStep {
    return {
      rank: this.#nodes.rank(node),
      node: this.#labels.id(node),
      name: this.#labels.name(node),
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
      lines.push(`  ${this.#labels.full(node)} waits${by} for ${this.#target(kind, node, next)}`);
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
      return `the transfer (tag ${wait.tag}) of ${this.#labels.full(next)}`;
    if (kind === 'collective' && wait.kind === 'collective') {
      return `${joinedText(wait)}, which ${this.#labels.full(next)} has not reached`;
    }
    return this.#labels.full(next);
  }

  #facts(node: number, wait: Wait): Partial<StalledNode> {
    switch (wait.kind) {
      case 'time':
        return {};
      case 'dependency':
        return { dependencies: wait.on.slice(0, MEMBERS_NAMED).map((dependency) => this.#labels.id(dependency)) };
      case 'transfer':
        return { transfer: { tag: wait.tag, sender: wait.sender, receiver: this.#nodes.rank(node) } };
      case 'collective': {
        const { group, type, instance } = wait.instance;
        const missing = this.#missing(wait).slice(0, MEMBERS_NAMED);
        return { collective: { group: group.name, type: collectiveName(type), instance, missing } };
      }
    }
  }

  #text(node: number, wait: Wait): string {
    switch (wait.kind) {
      case 'time':
        return this.#runningText(node);
      case 'dependency': {
        const [first, ...rest] = wait.on;
        return `waits for ${this.#labels.short(first)}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;
      }
      case 'transfer':
        return `waits for a transfer from rank ${wait.sender} (tag ${wait.tag}); ${this.#senderText(node, wait)}`;
      case 'collective': {
        const missing = this.#missing(wait);
        const named = missing.slice(0, MEMBERS_NAMED).join(', ');
        const more = missing.length > MEMBERS_NAMED ? ` and ${missing.length - MEMBERS_NAMED} more` : '';
        const ranks = `rank${missing.length > 1 ? 's' : ''} ${named}${more}`;
        const why = wait.on.length > 0 ? `; ${this.#whyNotStarted(wait.on[0])}` : '; no node of it there';
        return `waits in ${joinedText(wait)} for ${ranks}${why}`;
      }
    }
  }

  #runningText(node: number): string {
    const nodes = this.#nodes;
    switch (nodes.kind(node)) {
      case NodeKind.send:
        return `is being sent to rank ${nodes.peer(node)}, ${grouped(nodes.amount(node))} B`;
      case NodeKind.receive:
        return `waits for a transfer from rank ${nodes.peer(node)} (tag ${nodes.tag(node)}) that is under way`;
      case NodeKind.collective:
        return 'is in a collective whose transfers are under way';
      default:
        return `runs, with ${nodes.amount(node) / 1e6} µs of work`;
    }
  }

  #senderText(node: number, wait: Extract<Wait, { kind: 'transfer' }>): string {
    if (wait.on.length > 0) return this.#whyNotStarted(wait.on[0]);
    const { offset } = this.#nodes;
    let ended = true;
    for (let node = offset[wait.sender]; node < offset[wait.sender + 1] && ended; node++) {
      ended = !this.#graph.isUnfinished(node);
    }
    const other = this.#unclaimedSend(wait.sender, this.#nodes.rank(node));
    const instead =
      other < 0 ? '' : `, but ${this.#labels.short(other)} sends to it with tag ${this.#nodes.tag(other)}`;
    return `rank ${wait.sender} has no such send${ended ? ' and has ended' : ' left'}${instead}`;
  }

  /** Why a node of another rank that should act has not started. */
  #whyNotStarted(node: number): string {
    const { on } = this.#graph.waitOf(node);
    const [first] = on;
    return `${this.#labels.full(node)} has not started, it waits for ${this.#labels.short(first)}`;
  }

  #missing(wait: Extract<Wait, { kind: 'collective' }>): number[] {
    return [...wait.on.map((node) => this.#nodes.rank(node)), ...wait.absent].sort((a, b) => a - b);
  }

  /** A send that nobody receives, −1 when there is none: a tag or partner written wrong. */
  #unclaimedSend(sender: number, receiver: number): number {
    const nodes = this.#nodes;
    for (let node = nodes.offset[sender]; node < nodes.offset[sender + 1]; node++) {
      if (nodes.kind(node) === NodeKind.send && nodes.peer(node) === receiver && nodes.pair(node) === NO_PAIR)
        return node;
    }
    return -1;
  }
}

function joinedText({ instance: { group, type, instance } }: Extract<Wait, { kind: 'collective' }>): string {
  return collectiveText({ group: group.name, type, instance });
}

/** `AllReduce 3 of group tp` */
function collectiveText({ group, type, instance }: { group: string; type: number; instance: number }): string {
  return `${collectiveName(type)} ${instance} of group ${group}`;
}
