import { IdSet } from '../base/id-set.js';
import type { KeptNodes } from '../trace/rank-trace.js';
import { ChildEdges } from './child-edges.js';
import { ReadyNodes } from './ready-nodes.js';
import { SlotState, SlotTable } from './slot-table.js';

/** The nodes of one rank that are in memory, what each of them waits for, and which ids are done with. */
export class OpenGraph {
  readonly slots = new SlotTable();
  readonly edges = new ChildEdges();
  readonly ready = new ReadyNodes(this.slots);
  /** Ids of the nodes that were removed. */
  readonly removed = new IdSet();
  /** Ids that dependencies name and no node read so far has. */
  named = 0;
  /** Nodes that wait for others. */
  waiting = 0;
  /** Nodes that were issued and have not finished. */
  inFlight = 0;
  /** Where the parts of the nodes that have no column are read. */
  kept: KeptNodes | undefined;
  groupNames: readonly string[] = [];
  isOpen = true;

  constructor(
    readonly rank: number,
    readonly file: string,
  ) {}

  /** Nodes in memory that were not issued. */
  get unissued(): number {
    return this.waiting + this.ready.length;
  }

  makeReady(slot: number): void {
    this.slots.state[slot] = SlotState.ready;
    this.ready.push(slot);
  }

  /** Hands out the ready node with the lowest id; there must be one. */
  issue(): number {
    const slot = this.ready.pop();
    this.slots.state[slot] = SlotState.issued;
    this.inFlight++;
    return slot;
  }

  /** Makes an issued node ready again. */
  takeBack(slot: number): void {
    this.inFlight--;
    this.makeReady(slot);
  }

  /** An issued node has finished: its children wait for one parent less. */
  free(slot: number): void {
    this.inFlight--;
    this.slots.state[slot] = SlotState.freed;
    this.satisfyChildren(slot);
  }

  /** Takes the children of a slot off its list; each waits for one parent less. */
  satisfyChildren(slot: number): void {
    const { waiting, firstChild } = this.slots;
    const { edges } = this;
    const { cells } = edges;
    const first = firstChild[slot];
    if (first < 0) return;
    let last = first;
    for (let edge = first; edge >= 0; edge = edges.after(edge)) {
      last = edge;
      const child = cells[edge] >> 1;
      if (--waiting[child] > 0) continue;
      this.waiting--;
      this.makeReady(child);
    }
    edges.release(first, last);
    firstChild[slot] = -1;
  }

  /** Drops a node that has finished; its id stays known. */
  remove(slot: number): void {
    const { slots } = this;
    this.removed.add(slots.idLow[slot], slots.idHigh[slot]);
    slots.release(slot);
  }
}
