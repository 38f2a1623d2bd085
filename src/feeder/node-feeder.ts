import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId } from '../base/ids.js';
import type { TraceMetadata } from '../trace/rank-trace.js';
import type { TraceWindows } from '../trace/trace-windows.js';
import { blockedNodes } from './blocked-nodes.js';
import { DEFAULT_WINDOW_NODES, type FeederOptions } from './feeder-options.js';
import { FeederNode } from './feeder-node.js';
import { settleMissing } from './missing-dependencies.js';
import { NodeQueue } from './node-queue.js';
import { OpenGraph } from './open-graph.js';
import { SlotState } from './slot-table.js';
import { WindowIntake } from './window-intake.js';

/** Nodes asked of the reader at once, so that its columns stay small however much the feeder holds. */
const MOST_AT_ONCE = 1 << 16;

/**
 * Hands out the nodes of one rank in an order that keeps every dependency, in whichever format the trace is.
 *
 * A node is ready once all its parents were freed; of the ready nodes read so far the one with the lowest id is issued
 * first. The caller issues a node (`getNextIssuableNode`), says when it has finished (`freeChildrenNodes`), and drops
 * it (`removeNode`). The file is read a window at a time: half a window is kept in stock, and while nothing is ready
 * and a node waits for one not read yet, or nothing is in flight, the feeder reads on.
 *
 * Every method throws `FEEDER_CLOSED` after `close`. Those that read on throw what reading throws: `FRAME_TRUNCATED`,
 * `FRAME_MALFORMED`, `JSON_MALFORMED`, `DUPLICATE_ID`, `NUMBER_TOO_LARGE`, `DANGLING_DATA`; the same error then comes
 * again at every attempt to read on.
 */
export class NodeFeeder {
  /** Nodes that the caller sets aside; the feeder does nothing with them. */
  readonly queue = new NodeQueue();
  readonly #windows: TraceWindows;
  readonly #graph: OpenGraph;
  readonly #intake: WindowIntake;
  readonly #windowNodes: number;
  readonly #dropData: boolean;
  readonly #release: () => void;
  #dropped: readonly Finding[] = [];
  #ended = false;
  #failure: Error | undefined;

  /**
   * @param release gives back what `windows` reads from
   * @throws PrepError `FEEDER_WINDOW` (exit status 2)
   */
  constructor(
    windows: TraceWindows,
    where: { readonly rank: number; readonly file: string },
    options: FeederOptions,
    release: () => void,
  ) {
    const { deps = 'both', windowNodes = DEFAULT_WINDOW_NODES, dropMissingDependencies = false } = options;
    if (!(windowNodes === Infinity || (Number.isSafeInteger(windowNodes) && windowNodes >= 1))) {
      throw requestError('FEEDER_WINDOW', `windowNodes is ${windowNodes}, expected a whole number from 1, or Infinity`);
    }
    this.#windows = windows;
    this.#windowNodes = windowNodes;
    this.#dropData = dropMissingDependencies;
    this.#release = release;
    this.#graph = new OpenGraph(where.rank, where.file);
    this.#intake = new WindowIntake(this.#graph, deps === 'both');
  }

  /** What the trace says about itself. */
  get metadata(): TraceMetadata {
    this.#demandOpen();
    return this.#windows.metadata;
  }

  /** Whether nodes are left, in memory or in the file, that have not been issued; blocked ones count. */
  hasNodesToIssue(): boolean {
    this.#demandOpen();
    if (this.#graph.unissued === 0) this.#readOn();
    return this.#graph.unissued > 0;
  }

  /**
   * Takes the ready node with the lowest id; `undefined` when none is ready now. Then nodes in flight have to be freed
   * first, or nothing is left, or what is left is {@link blocked}.
   */
  getNextIssuableNode(): FeederNode | undefined {
    this.#demandOpen();
    this.#readOn();
    const graph = this.#graph;
    return graph.ready.length === 0 ? undefined : new FeederNode(graph, graph.issue());
  }

  /**
   * The node has finished: children that waited for nothing else become ready.
   * @throws PrepError `FEEDER_NODE_STATE` (exit status 2) for a node that is not issued or was freed
   */
  freeChildrenNodes(node: FeederNode | bigint): void {
    const slot = this.#slotOf(node);
    if (this.#graph.slots.state[slot] !== SlotState.issued) throw this.#wrongState(slot, 'freed', 'issued');
    this.#graph.free(slot);
  }

  /**
   * Drops a node that was freed. Its id stays known: nodes read later may depend on it.
   * @throws PrepError `FEEDER_NODE_STATE` (exit status 2) for a node that was not freed: its children would wait for ever
   */
  removeNode(node: FeederNode | bigint): void {
    const slot = this.#slotOf(node);
    if (this.#graph.slots.state[slot] !== SlotState.freed) throw this.#wrongState(slot, 'removed', 'freed');
    this.#graph.remove(slot);
  }

  /**
   * Makes an issued node ready again; one that is ready already stays so.
   * @throws PrepError `FEEDER_NODE_STATE` (exit status 2) for a node that waits or was freed
   */
  pushBackIssuableNode(node: FeederNode | bigint): void {
    const slot = this.#slotOf(node);
    const state = this.#graph.slots.state[slot];
    if (state === SlotState.ready) return;
    if (state !== SlotState.issued) throw this.#wrongState(slot, 'pushed back', 'issued');
    this.#graph.takeBack(slot);
  }

  /**
   * A node in memory by its id.
   * @throws PrepError `FEEDER_NODE_ABSENT` (exit status 2) for one that was not read yet, was removed, or does not exist
   */
  lookupNode(id: bigint): FeederNode {
    return new FeederNode(this.#graph, this.#slotOf(id));
  }

  /**
   * Why no further node can ever be issued: cycles of dependencies, smallest ids first. Empty as long as a node is
   * ready or in flight, or none is left. `DANGLING_DATA` is an error when the end of the file is read.
   */
  blocked(): Finding[] {
    this.#demandOpen();
    this.#readOn();
    const graph = this.#graph;
    return graph.unissued === 0 || graph.ready.length > 0 || graph.inFlight > 0 ? [] : blockedNodes(graph);
  }

  /** What was found in the part of the file read so far: conversions, unusual attributes, dependencies dropped. */
  findings(): Finding[] {
    this.#demandOpen();
    return [...this.#windows.findings(), ...this.#dropped];
  }

  /** Gives the file back. Closing again does nothing. */
  close(): void {
    if (!this.#graph.isOpen) return;
    this.#graph.isOpen = false;
    this.#release();
  }

  /** Reads as far as the next step needs. */
  #readOn(): void {
    const graph = this.#graph;
    while (!this.#ended) {
      const held = graph.unissued;
      let wanted = 0;
      if (held * 2 <= this.#windowNodes) wanted = this.#windowNodes - held;
      else if (graph.ready.length === 0 && (graph.named > 0 || graph.inFlight === 0)) wanted = this.#windowNodes;
      if (wanted === 0) return;
      this.#readWindow(Math.min(wanted, MOST_AT_ONCE));
    }
  }

  #readWindow(mostNodes: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const window = this.#windows.next(mostNodes);
      if (window !== undefined) this.#intake.take(window);
      else {
        this.#ended = true;
        this.#dropped = settleMissing(this.#graph, this.#dropData);
      }
    } catch (error) {
      this.#ended = false;
      this.#failure = error as Error;
      throw error;
    }
  }

  #slotOf(node: FeederNode | bigint): number {
    this.#demandOpen();
    if (node instanceof FeederNode) return FeederNode.slotOf(node, this.#graph);
    if (typeof node !== 'bigint') {
      throw requestError('FEEDER_NODE_ABSENT', `${String(node)} is no node id: ids are bigints, such as 17n`);
    }
    const { slots } = this.#graph;
    const inRange = node >= 0n && node < 1n << 64n;
    const slot = inRange ? slots.slotOf(Number(node & 0xffffffffn), Number(node >> 32n)) : -1;
    if (slot < 0 || slots.state[slot] < SlotState.waiting) {
      const { rank } = this.#graph;
      throw requestError(
        'FEEDER_NODE_ABSENT',
        `rank ${rank}: no node ${node} in memory: not read yet, removed, or none`,
      );
    }
    return slot;
  }

  #wrongState(slot: number, wanted: string, expected: string): Error {
    const { slots, rank } = this.#graph;
    const { state } = new FeederNode(this.#graph, slot);
    const id = formatId(slots.idLow[slot], slots.idHigh[slot]);
    const message = `rank ${rank}: node ${id} is ${state} and cannot be ${wanted}, expected ${expected}`;
    return requestError('FEEDER_NODE_STATE', message, 'issue, then free, then remove');
  }

  #demandOpen(): void {
    if (this.#graph.isOpen) return;
    throw requestError('FEEDER_CLOSED', `the feeder of ${this.#graph.file} is closed`);
  }
}
