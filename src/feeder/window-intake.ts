import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import { formatId, idForJson } from '../base/ids.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { OpenGraph } from './open-graph.js';
import { SlotState } from './slot-table.js';

/** In place of a slot: the parent was removed and holds nothing back. */
const REMOVED = -1;
const UNKNOWN = -2;

/**
 * Takes windows of a trace into the graph. A dependency on an id that no node read so far has gets a slot of its own,
 * which becomes the node's when it is read: a reference forward costs no more than one back.
 */
export class WindowIntake {
  readonly #graph: OpenGraph;
  readonly #useControl: boolean;
  #taken = 0; // nodes taken so far, and the number of the last one from 1
  #slotOf = new Int32Array(0); // [window] slot of each node
  #slotOfDangling = new Int32Array(0); // [ids] slot of each id outside the window, REMOVED, or UNKNOWN

  constructor(graph: OpenGraph, useControl: boolean) {
    this.#graph = graph;
    this.#useControl = useControl;
  }

  /** @throws PrepError `DUPLICATE_ID` (exit status 1) for an id that an earlier node has */
  take(window: RankTrace): void {
    const { length, danglingLow } = window;
    if (this.#slotOf.length < length) this.#slotOf = new Int32Array(length);
    if (this.#slotOfDangling.length < danglingLow.length) this.#slotOfDangling = new Int32Array(danglingLow.length);
    this.#slotOfDangling.fill(UNKNOWN, 0, danglingLow.length);
    this.#graph.kept = window.kept;
    this.#graph.groupNames = window.groupNames;
    for (let node = 0; node < length; node++) this.#slotOf[node] = this.#place(window, node);
    for (let node = 0; node < length; node++) this.#link(window, node);
  }

  /** Copies a node into its slot. */
  #place(window: RankTrace, node: number): number {
    const graph = this.#graph;
    const { slots } = graph;
    const low = window.idLow[node];
    const high = window.idHigh[node];
    let slot = slots.slotOf(low, high);
    if (slot >= 0) {
      if (slots.state[slot] !== SlotState.named) throw duplicate(window, node);
      graph.named--;
    } else {
      if (graph.removed.has(low, high)) throw duplicate(window, node);
      slot = slots.claim(low, high);
      slots.firstChild[slot] = -1;
      slots.namedBy[slot] = 0;
    }
    slots.state[slot] = SlotState.waiting;
    slots.waiting[slot] = 0;
    slots.type[slot] = window.type[node];
    slots.flags[slot] = window.flags[node];
    slots.commType[slot] = window.commType[node];
    slots.durationMicros[slot] = window.durationMicros[node];
    slots.commSize[slot] = window.commSize[node];
    slots.commTag[slot] = window.commTag[node];
    slots.group[slot] = window.group[node];
    slots.frameOffset[slot] = window.frameOffset[node];
    slots.frameLength[slot] = window.frameLength[node];
    return slot;
  }

  /** Links a node with its parents: an id in both lists, or twice in one, counts once, as data where it is data. */
  #link(window: RankTrace, node: number): void {
    const graph = this.#graph;
    const { slots, edges } = graph;
    const slot = this.#slotOf[node];
    const number = ++this.#taken;
    let waiting = 0;
    for (let list = 0; list < (this.#useControl ? 2 : 1); list++) {
      const start = list === 0 ? window.dataStart : window.controlStart;
      const target = list === 0 ? window.dataTarget : window.controlTarget;
      const end = start[node + 1];
      for (let edge = start[node]; edge < end; edge++) {
        const to = target[edge];
        const parent = to >= 0 ? this.#slotOf[to] : this.#slotOutside(window, -1 - to);
        if (parent < 0 || slots.state[parent] === SlotState.freed || slots.namedBy[parent] === number) continue;
        slots.namedBy[parent] = number;
        slots.firstChild[parent] = edges.add(slots.firstChild[parent], slot, list === 1);
        waiting++;
      }
    }
    if (waiting === 0) graph.makeReady(slot);
    else {
      slots.waiting[slot] = waiting;
      graph.waiting++;
    }
  }

  /** Slot of an id that the window names and has no node of. */
  #slotOutside(window: RankTrace, dangling: number): number {
    let slot = this.#slotOfDangling[dangling];
    if (slot !== UNKNOWN) return slot;
    const graph = this.#graph;
    const { slots } = graph;
    const low = window.danglingLow[dangling];
    const high = window.danglingHigh[dangling];
    slot = slots.slotOf(low, high);
    if (slot < 0) {
      if (graph.removed.has(low, high)) slot = REMOVED;
      else {
        slot = slots.claim(low, high);
        slots.state[slot] = SlotState.named;
        slots.firstChild[slot] = -1;
        slots.namedBy[slot] = 0;
        graph.named++;
      }
    }
    this.#slotOfDangling[dangling] = slot;
    return slot;
  }
}

function duplicate({ rank, file, idLow, idHigh, frameOffset }: RankTrace, node: number): Error {
  const id = formatId(idLow[node], idHigh[node]);
  const byteOffset = frameOffset[node];
  const message = `rank ${rank}: node ${id} at byte ${byteOffset} of ${file} has the id of an earlier node`;
  const facts = { rank, file, byteOffset, nodes: [idForJson(idLow[node], idHigh[node])] };
  return traceError(
    'DUPLICATE_ID',
    message,
    [finding('DUPLICATE_ID', message, facts)],
    'give every node an id of its own',
  );
}
