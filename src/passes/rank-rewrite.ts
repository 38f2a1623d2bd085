import { RankTraceBuilder } from '../trace/rank-trace-builder.js';
import { NodeFlag, type CollectiveIdentity, type RankTrace, type TraceMetadata } from '../trace/rank-trace.js';

/** A run of new nodes. */
export interface Insertion {
  /** Index, in the trace that is rewritten, of the node the new ones stand before. */
  readonly anchor: number;
  readonly nodes: number;
  readonly dataEdges: number;
  readonly controlEdges: number;
  /** Index of its first node in the new trace; set when the rewrite is laid out. */
  at: number;
  /** Writes the nodes into `out` from `at` on. `newIndex` gives the new index of an old node. */
  write(out: RankTraceBuilder, newIndex: Int32Array): void;
}

/** A change to a node that stays. One a node. */
export interface Patch {
  readonly node: number;
  /** Its dependencies of both kinds give way to data dependencies on these new nodes. */
  readonly replace?: { readonly insertion: Insertion; readonly from: number; readonly count: number };
  /** Old nodes it depends on besides, as data. */
  readonly append?: readonly number[];
  readonly type?: number;
  /** Index of a collective identity given by {@link RankRewrite.internCollective}. */
  readonly collective?: number;
}

/** Below this many nodes one loop over all columns is quicker than a block copy of each. */
const SHORT_RUN = 24;

/**
 * A new trace from an old one: nodes inserted, dependencies of some nodes changed, everything else copied. Node indices
 * in dependencies follow their nodes. The old trace is left alone.
 */
export class RankRewrite {
  readonly #trace: RankTrace;
  readonly #out: RankTraceBuilder;
  readonly #insertions: Insertion[] = [];
  readonly #patches: Patch[] = [];

  constructor(trace: RankTrace) {
    this.#trace = trace;
    this.#out = new RankTraceBuilder(trace.rank, trace.file);
    for (const name of trace.groupNames) this.#out.internGroup(name);
    for (const identity of trace.collectives) this.#out.internCollective(identity);
  }

  get isEmpty(): boolean {
    return this.#insertions.length === 0 && this.#patches.length === 0;
  }

  insert(insertion: Insertion): void {
    this.#insertions.push(insertion);
  }

  patch(patch: Patch): void {
    this.#patches.push(patch);
  }

  internCollective(identity: CollectiveIdentity): number {
    return this.#out.internCollective(identity);
  }

  finish(metadata: TraceMetadata): RankTrace {
    const trace = this.#trace;
    const out = this.#out;
    this.#insertions.sort((a, b) => a.anchor - b.anchor);
    this.#patches.sort((a, b) => a.node - b.node);
    const newIndex = this.#layOut();
    this.#reserve();
    const copier = new NodeCopier(trace, out, newIndex);
    let insertion = 0;
    let patch = 0;
    let next = 0; // first old node not yet written
    while (next < trace.length || insertion < this.#insertions.length) {
      const anchor = this.#insertions[insertion]?.anchor ?? trace.length;
      const patched = this.#patches[patch]?.node ?? trace.length;
      copier.copy(next, Math.min(anchor, patched));
      next = Math.min(anchor, patched);
      if (insertion < this.#insertions.length && anchor === next) this.#insertions[insertion++].write(out, newIndex);
      if (next < trace.length && patched === next) {
        copier.copyPatched(this.#patches[patch++]);
        next++;
      }
    }
    for (const [node, root] of trace.root) out.root.set(newIndex[node], root);
    for (const [node, order] of trace.issueOrder) out.issueOrder.set(newIndex[node], order);
    for (const [node, splits] of trace.splits) out.splits.set(newIndex[node], splits);
    for (const [node, splits] of trace.receiveSplits) out.receiveSplits.set(newIndex[node], splits);
    const { danglingLow, danglingHigh } = trace;
    return { ...out.finish(metadata, trace.kept), danglingLow, danglingHigh };
  }

  /** Places the insertions and gives the new index of every old node. */
  #layOut(): Int32Array {
    const { length } = this.#trace;
    const newIndex = new Int32Array(length);
    let shift = 0;
    let node = 0;
    for (const insertion of this.#insertions) {
      for (; node < insertion.anchor; node++) newIndex[node] = node + shift;
      insertion.at = insertion.anchor + shift;
      shift += insertion.nodes;
    }
    for (; node < length; node++) newIndex[node] = node + shift;
    return newIndex;
  }

  /** Makes exactly the room the new trace needs. */
  #reserve(): void {
    const { length, dataStart, dataTarget, controlStart, controlTarget } = this.#trace;
    let nodes = length;
    let dataEdges = dataTarget.length;
    let controlEdges = controlTarget.length;
    for (const insertion of this.#insertions) {
      nodes += insertion.nodes;
      dataEdges += insertion.dataEdges;
      controlEdges += insertion.controlEdges;
    }
    for (const { node, replace, append } of this.#patches) {
      if (replace) {
        dataEdges += replace.count - (dataStart[node + 1] - dataStart[node]);
        controlEdges -= controlStart[node + 1] - controlStart[node];
      }
      if (append) dataEdges += append.length;
    }
    this.#out.reserve(nodes);
    this.#out.data.reserve(dataEdges);
    this.#out.control.reserve(controlEdges);
  }
}

/** Copies nodes of one trace to the end of another, with their dependencies renumbered. */
class NodeCopier {
  readonly #trace: RankTrace;
  readonly #out: RankTraceBuilder;
  readonly #newIndex: Int32Array;

  constructor(trace: RankTrace, out: RankTraceBuilder, newIndex: Int32Array) {
    this.#trace = trace;
    this.#out = out;
    this.#newIndex = newIndex;
  }

  /** Copies the old nodes [from, to). */
  copy(from: number, to: number): void {
    if (from >= to) return;
    const trace = this.#trace;
    const out = this.#out;
    const at = out.length;
    if (to - from < SHORT_RUN) {
      for (let node = from; node < to; node++) this.#copyColumns(node, at + node - from);
    } else {
      out.idLow.set(trace.idLow.subarray(from, to), at);
      out.idHigh.set(trace.idHigh.subarray(from, to), at);
      out.type.set(trace.type.subarray(from, to), at);
      out.flags.set(trace.flags.subarray(from, to), at);
      out.durationMicros.set(trace.durationMicros.subarray(from, to), at);
      out.commType.set(trace.commType.subarray(from, to), at);
      out.commSize.set(trace.commSize.subarray(from, to), at);
      out.commTag.set(trace.commTag.subarray(from, to), at);
      out.peer.set(trace.peer.subarray(from, to), at);
      out.group.set(trace.group.subarray(from, to), at);
      out.collective.set(trace.collective.subarray(from, to), at);
      out.step.set(trace.step.subarray(from, to), at);
      out.frameOffset.set(trace.frameOffset.subarray(from, to), at);
      out.frameLength.set(trace.frameLength.subarray(from, to), at);
    }
    this.#copyData(from, to, at);
    this.#copyControl(from, to, at);
    out.length = at + to - from;
  }

  /** Copies one old node and changes it. */
  copyPatched({ node, replace, append, type, collective }: Patch): void {
    const out = this.#out;
    const { data, control } = out;
    const at = out.length;
    this.#copyColumns(node, at);
    out.flags[at] |= NodeFlag.touched;
    if (type !== undefined) out.type[at] = type;
    if (collective !== undefined) out.collective[at] = collective;
    if (replace) {
      const first = replace.insertion.at + replace.from;
      out.dataStart[at] = data.length;
      out.controlStart[at] = control.length;
      for (let place = 0; place < replace.count; place++) data.target[data.length++] = first + place;
    } else {
      this.#copyData(node, node + 1, at);
      this.#copyControl(node, node + 1, at);
    }
    if (append) for (const before of append) data.target[data.length++] = this.#newIndex[before];
    out.length = at + 1;
  }

  #copyColumns(node: number, at: number): void {
    const trace = this.#trace;
    const out = this.#out;
    out.idLow[at] = trace.idLow[node];
    out.idHigh[at] = trace.idHigh[node];
    out.type[at] = trace.type[node];
    out.flags[at] = trace.flags[node];
    out.durationMicros[at] = trace.durationMicros[node];
    out.commType[at] = trace.commType[node];
    out.commSize[at] = trace.commSize[node];
    out.commTag[at] = trace.commTag[node];
    out.peer[at] = trace.peer[node];
    out.group[at] = trace.group[node];
    out.collective[at] = trace.collective[node];
    out.step[at] = trace.step[node];
    out.frameOffset[at] = trace.frameOffset[node];
    out.frameLength[at] = trace.frameLength[node];
  }

  #copyData(from: number, to: number, at: number): void {
    const { dataStart, dataTarget } = this.#trace;
    const { data, dataStart: outStart } = this.#out;
    const shift = data.length - dataStart[from];
    for (let node = from; node < to; node++) outStart[at + node - from] = dataStart[node] + shift;
    copyRenumbered(dataTarget, dataStart[from], dataStart[to], data.target, this.#newIndex, data.length);
    data.length += dataStart[to] - dataStart[from];
  }

  #copyControl(from: number, to: number, at: number): void {
    const { controlStart, controlTarget } = this.#trace;
    const { control, controlStart: outStart } = this.#out;
    const shift = control.length - controlStart[from];
    for (let node = from; node < to; node++) outStart[at + node - from] = controlStart[node] + shift;
    copyRenumbered(controlTarget, controlStart[from], controlStart[to], control.target, this.#newIndex, control.length);
    control.length += controlStart[to] - controlStart[from];
  }
}

/** Copies the edges [from, to) of `source` into `target` with new indices; a dangling one stays as it is. */
export function copyRenumbered(
  source: Int32Array,
  from: number,
  to: number,
  target: Int32Array,
  newIndex: Int32Array,
  at = 0,
): void {
  for (let edge = from; edge < to; edge++) {
    const before = source[edge];
    target[at + edge - from] = before < 0 ? before : newIndex[before];
  }
}
