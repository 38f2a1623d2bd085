import { requestError, traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN } from '../trace/collective-type.js';
import { NodeFlag } from '../trace/rank-trace.js';
import type { OpenGraph } from './open-graph.js';
import { compareIds, SlotState } from './slot-table.js';

/**
 * A node that the feeder holds. What the trace does not say is `undefined`, never 0. Values are read when asked for; the
 * rarer ones (name, numOps, tensorSize, commPriority, commSrc, commDst, commSrcOff, commDstOff) from the file.
 *
 * Every accessor but `id` throws PrepError `FEEDER_NODE_ABSENT` once the node was removed, and `FEEDER_CLOSED` once the
 * feeder is closed.
 */
export class FeederNode {
  readonly #graph: OpenGraph;
  readonly #slot: number;
  readonly #idLow: number;
  readonly #idHigh: number;

  /** @internal Nodes come from a feeder. */
  constructor(graph: OpenGraph, slot: number) {
    this.#graph = graph;
    this.#slot = slot;
    this.#idLow = graph.slots.idLow[slot];
    this.#idHigh = graph.slots.idHigh[slot];
  }

  /** @internal Slot of a node that is still in this graph. */
  static slotOf(node: FeederNode, graph: OpenGraph): number {
    if (node.#graph !== graph) {
      throw requestError('FEEDER_NODE_ABSENT', `node ${node.#idText} is of another feeder`);
    }
    return node.#place();
  }

  /** The id, exact to 64 bits. */
  get id(): bigint {
    return (BigInt(this.#idHigh) << 32n) | BigInt(this.#idLow);
  }

  /** The name, '' when it has none. */
  get name(): string {
    const slot = this.#place();
    const { kept, slots } = this.#graph;
    return kept === undefined ? '' : kept.name(slots.frameOffset[slot], slots.frameLength[slot]);
  }

  /** A `NodeType` number; 255 for a number above 254. */
  get type(): number {
    return this.#graph.slots.type[this.#place()];
  }

  /** Whether it is marked as an operation of the CPU. Readers take `undefined` for an operation of the device. */
  get isCpuOp(): boolean | undefined {
    const flags = this.#graph.slots.flags[this.#place()];
    return (flags & NodeFlag.cpuGiven) === 0 ? undefined : (flags & NodeFlag.cpu) !== 0;
  }

  /** Duration in whole µs; the `runtime` of feeder JSON. */
  get durationMicros(): number | undefined {
    const slot = this.#place();
    const { kept, slots } = this.#graph;
    const micros = slots.durationMicros[slot];
    if (micros > 0) return micros;
    return kept?.givesDuration(slots.frameOffset[slot], slots.frameLength[slot]) === true ? 0 : undefined;
  }

  /** `num_ops`, floating point operations. */
  get numOps(): number | undefined {
    return this.integerAttribute('num_ops');
  }

  /** `tensor_size`, bytes. */
  get tensorSize(): number | undefined {
    return this.integerAttribute('tensor_size');
  }

  /** `comm_type`, a `CollectiveType` number or whatever number the trace has. */
  get commType(): number | undefined {
    const type = this.#graph.slots.commType[this.#place()];
    if (type === COMM_TYPE_UNKNOWN) return this.integerAttribute('comm_type');
    return type === COMM_TYPE_ABSENT ? undefined : type;
  }

  /** `comm_priority`. */
  get commPriority(): number | undefined {
    return this.integerAttribute('comm_priority');
  }

  /** `comm_size`, bytes. */
  get commSize(): number | undefined {
    return unlessNaN(this.#graph.slots.commSize[this.#place()]);
  }

  /** `comm_src`, rank. */
  get commSrc(): number | undefined {
    return this.integerAttribute('comm_src');
  }

  /** `comm_dst`, rank. */
  get commDst(): number | undefined {
    return this.integerAttribute('comm_dst');
  }

  /** `comm_tag`. */
  get commTag(): number | undefined {
    return unlessNaN(this.#graph.slots.commTag[this.#place()]);
  }

  /** The attribute `comm_src_off`, which no public producer writes. */
  get commSrcOff(): number | undefined {
    return this.integerAttribute('comm_src_off');
  }

  /** The attribute `comm_dst_off`, which no public producer writes. */
  get commDstOff(): number | undefined {
    return this.integerAttribute('comm_dst_off');
  }

  /** `pg_name`, the process group's name. */
  get groupName(): string | undefined {
    const group = this.#graph.slots.group[this.#place()];
    return group < 0 ? undefined : this.#graph.groupNames[group];
  }

  /**
   * Any integer attribute by its name in the trace, in whichever integer arm it is; of equal names the first counts.
   * @throws PrepError `NUMBER_TOO_LARGE` (exit status 1) for one beyond ±(2^53 − 1)
   */
  integerAttribute(name: string): number | undefined {
    const slot = this.#place();
    const { kept, slots, rank } = this.#graph;
    let found: number | undefined;
    let seen = false;
    kept?.forEachAttribute(slots.frameOffset[slot], slots.frameLength[slot], (attribute, arm, integer) => {
      if (seen || attribute !== name) return;
      seen = true;
      if (arm !== 'bool_val') found = integer;
    });
    if (found !== undefined && !Number.isSafeInteger(found)) {
      throw traceError('NUMBER_TOO_LARGE', `rank ${rank}, node ${this.#idText}: ${name} cannot be read exactly`);
    }
    return found;
  }

  /** Whether the node can be issued, was issued, or has finished; before that it waits for other nodes. */
  get state(): 'waiting' | 'ready' | 'issued' | 'freed' {
    const state = this.#graph.slots.state[this.#place()];
    if (state === SlotState.waiting) return 'waiting';
    if (state === SlotState.ready) return 'ready';
    return state === SlotState.issued ? 'issued' : 'freed';
  }

  /** How many of its parents have not finished. */
  get unfinishedParents(): number {
    return this.#graph.slots.waiting[this.#place()];
  }

  /** The nodes read so far that wait for this one, each once, in ascending id; none once it was freed. */
  children(): FeederNode[] {
    const slot = this.#place();
    const { slots, edges } = this.#graph;
    const children: number[] = [];
    edges.forEach(slots.firstChild[slot], (child) => children.push(child));
    children.sort((one, other) => compareIds(slots, one, other));
    return children.map((child) => new FeederNode(this.#graph, child));
  }

  get #idText(): string {
    return formatId(this.#idLow, this.#idHigh);
  }

  /** The slot, which must still be this node's. */
  #place(): number {
    const { slots, isOpen } = this.#graph;
    const slot = this.#slot;
    if (!isOpen) throw requestError('FEEDER_CLOSED', `node ${this.#idText} was asked for after the feeder was closed`);
    if (
      slots.idLow[slot] !== this.#idLow ||
      slots.idHigh[slot] !== this.#idHigh ||
      slots.state[slot] < SlotState.waiting
    ) {
      throw requestError('FEEDER_NODE_ABSENT', `node ${this.#idText} was removed`);
    }
    return slot;
  }
}

function unlessNaN(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
