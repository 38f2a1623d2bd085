import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { assumptionFindings, AssumptionTally, doneFinding } from './assumption-findings.js';
import { SizeChange, withoutAssumptions, type Assumptions } from './assumptions.js';
import { SIZE_CONVENTION, type ConventionName } from './conventions.js';
import { nodeId } from './listed-ids.js';
import { isTransfer, NodeType } from './node-type.js';
import { WORLD } from './process-group.js';
import { NodeFlag, type RankTrace, type TraceMetadata } from './rank-trace.js';

/** Picoseconds in the unit of the duration column. */
const MICRO = 1e6;

export interface AssumedTrace {
  readonly trace: RankTrace;
  /** What was changed, rounded, or cannot be read as assumed; `foldAssumptions` joins those of several ranks. */
  readonly findings: Finding[];
  /** Groups whose members are not known → collectives that kept their size or root for that. */
  readonly undeclared: ReadonlyMap<string, number>;
}

/**
 * Turns a rank that was written in other conventions into one in the usual ones: sizes in bytes and as
 * replay-semantics 8.1 has them, durations in µs, roots and peers as ranks of the job. Changed nodes are marked
 * touched, so that writing gives them their new values and leaves every other byte. Nodes of an expanded collective
 * were made by this program and stay as they are. The metadata tells what was applied, and what they say was applied
 * before is not applied again. One walk; the input is left alone.
 *
 * @throws PrepError `NUMBER_TOO_LARGE` (exit status 1) for a value above 2^53 − 1
 */
export function applyAssumptions(trace: RankTrace, assumptions: Assumptions): AssumedTrace {
  const before = appliedBefore(trace.metadata);
  const done = [...assumptions.chosen].filter(([name]) => before.has(name));
  const findings = done.map(([name, value]) => doneFinding(trace, name, value, before.get(name)!));
  if (done.length === assumptions.chosen.size) return { trace, findings, undeclared: new Map() };
  const left = done.length === 0 ? assumptions : withoutAssumptions(assumptions, new Set(before.keys()));
  const applied = new Application(trace, left).run();
  return { ...applied, findings: [...applied.findings, ...findings] };
}

/** How the metadata names an assumption that was applied, beside the passes that ran: `assume root=position`. */
const APPLIED = 'assume ';

/** Convention → value, of those that were applied before the trace was written. */
function appliedBefore({ passes }: TraceMetadata): Map<string, string> {
  const applied = passes.filter((pass) => pass.startsWith(APPLIED)).map((pass) => pass.slice(APPLIED.length));
  return new Map(applied.map((text) => text.split('=') as [string, string]));
}

class Application {
  readonly #trace: RankTrace;
  readonly #assumptions: Assumptions;
  readonly #tallies = new Map<ConventionName, AssumptionTally>();
  /** [group + 1] members, the world's first; `undefined` where they are not known. */
  readonly #members: readonly (readonly number[] | undefined)[];
  readonly #commSize: Float64Array;
  readonly #durationMicros: Float64Array;
  readonly #peer: Int32Array;
  readonly #flags: Uint16Array;
  readonly #root: Map<number, number>;
  readonly #splits: Map<number, readonly number[]>;
  readonly #receiveSplits: Map<number, readonly number[]>;
  /** [group] sends and receives whose peer is a position in a group that nobody declares. */
  readonly #peersInUnknown = new Map<number, number>();
  readonly #undeclared = new Map<string, number>();

  constructor(trace: RankTrace, assumptions: Assumptions) {
    this.#trace = trace;
    this.#assumptions = assumptions;
    for (const name of assumptions.chosen.keys()) this.#tallies.set(name, new AssumptionTally());
    const { groups } = assumptions;
    this.#members = ['', ...trace.groupNames].map((name) => groups.get(name || WORLD));
    this.#commSize = trace.commSize.slice();
    this.#durationMicros = assumptions.durationUnitPs === MICRO ? trace.durationMicros : trace.durationMicros.slice();
    this.#peer = assumptions.peerIsPosition ? trace.peer.slice() : trace.peer;
    this.#flags = trace.flags.slice();
    this.#root = new Map(trace.root);
    this.#splits = new Map(trace.splits);
    this.#receiveSplits = new Map(trace.receiveSplits);
  }

  run(): AssumedTrace {
    const { length, type, collective } = this.#trace;
    const { durationUnitPs, peerIsPosition, rootIsPosition } = this.#assumptions;
    for (let node = 0; node < length; node++) {
      if (collective[node] >= 0) continue;
      if (durationUnitPs !== MICRO && this.#durationMicros[node] > 0) this.#changeDuration(node);
      const kind = type[node];
      if (kind === NodeType.collective) {
        this.#changeSize(node, true);
        if (rootIsPosition) this.#changeRoot(node);
      } else if (isTransfer(kind)) {
        this.#changeSize(node, false);
        if (peerIsPosition) this.#changePeer(node);
      }
    }
    const changed = {
      commSize: this.#commSize,
      durationMicros: this.#durationMicros,
      peer: this.#peer,
      flags: this.#flags,
      root: this.#root,
      splits: this.#splits,
      receiveSplits: this.#receiveSplits,
      metadata: this.#metadata(),
    };
    return { trace: { ...this.#trace, ...changed }, findings: this.#findings(), undeclared: this.#undeclared };
  }

  #changeSize(node: number, isCollective: boolean): void {
    const { elementBytes, sizeChange } = this.#assumptions;
    const stated = this.#commSize[node];
    let size = stated;
    if (elementBytes !== 1) {
      const tally = this.#tallies.get('element-bytes')!;
      size *= elementBytes;
      const splits = isCollective && this.#changeSplits(node);
      if (size >= 0 || splits) tally.add(node, size > stated || splits);
      if (size > Number.MAX_SAFE_INTEGER) this.#refuse(node, `comm_size ${stated} × ${elementBytes}`);
    }
    const type = isCollective ? this.#trace.commType[node] : -1;
    const change = type < 0 ? SizeChange.none : sizeChange[type];
    if (change !== SizeChange.none && size >= 0) size = this.#inGroup(node, size, change);
    if (Number.isNaN(size) || size === stated) return;
    this.#commSize[node] = size;
    this.#flags[node] |= NodeFlag.touched;
  }

  /** A size multiplied with, or divided by, the size of the node's group. */
  #inGroup(node: number, size: number, change: number): number {
    const { commType, group } = this.#trace;
    const tally = this.#tallies.get(SIZE_CONVENTION[commType[node]])!;
    const members = this.#members[group[node] + 1];
    if (members === undefined) this.#countUndeclared(node);
    const count = members?.length ?? 1;
    if (change === SizeChange.timesGroup) {
      const total = size * count;
      if (total > Number.MAX_SAFE_INTEGER) this.#refuse(node, `comm_size ${size} × ${count} ranks of its group`);
      tally.add(node, total !== size);
      return total;
    }
    const left = size % Math.max(1, count);
    const share = (size - left) / Math.max(1, count) + (left > 0 ? 1 : 0);
    tally.add(node, share !== size);
    if (left > 0) tally.addInexact(node, false);
    return share;
  }

  #changeSplits(node: number): boolean {
    const { elementBytes } = this.#assumptions;
    let changed = false;
    for (const lists of [this.#splits, this.#receiveSplits]) {
      const list = lists.get(node);
      if (list === undefined) continue;
      const bytes = list.map((elements) => elements * elementBytes);
      const large = bytes.findIndex((entry) => entry > Number.MAX_SAFE_INTEGER);
      if (large >= 0) this.#refuse(node, `split list entry ${list[large]} × ${elementBytes}`);
      lists.set(node, bytes);
      this.#flags[node] |= NodeFlag.touched;
      changed = true;
    }
    return changed;
  }

  /** Whole µs, halves up. */
  #changeDuration(node: number): void {
    const { durationUnitPs } = this.#assumptions;
    const tally = this.#tallies.get('duration-unit')!;
    const stated = this.#durationMicros[node];
    // Taken apart so that every product is exact: stated × unit may be far above 2^53.
    const rest = durationUnitPs % MICRO;
    const part = (stated % MICRO) * rest;
    const left = part % MICRO;
    const micros =
      stated * ((durationUnitPs - rest) / MICRO) +
      Math.floor(stated / MICRO) * rest +
      (part - left) / MICRO +
      (left >= MICRO / 2 ? 1 : 0);
    if (micros > Number.MAX_SAFE_INTEGER) this.#refuse(node, `duration_micros ${stated} × ${durationUnitPs / MICRO}`);
    tally.add(node, micros !== stated);
    if (left > 0) tally.addInexact(node, micros === 0);
    if (micros === stated) return;
    this.#durationMicros[node] = micros;
    this.#flags[node] |= NodeFlag.touched;
  }

  #changeRoot(node: number): void {
    const position = this.#root.get(node);
    if (position === undefined || position < 0) return;
    const members = this.#members[this.#trace.group[node] + 1];
    if (members === undefined) this.#countUndeclared(node);
    const root = this.#rankAt(node, position, members, this.#tallies.get('root')!);
    if (root !== position) this.#root.set(node, root);
  }

  #countUndeclared(node: number): void {
    const { group, groupNames } = this.#trace;
    const name = (group[node] < 0 ? '' : groupNames[group[node]]) || WORLD;
    this.#undeclared.set(name, (this.#undeclared.get(name) ?? 0) + 1);
  }

  #changePeer(node: number): void {
    const { group, groupNames } = this.#trace;
    const position = this.#peer[node];
    const place = group[node];
    if (position < 0 || place < 0 || groupNames[place] === '') return;
    const members = this.#members[place + 1];
    if (members === undefined) this.#peersInUnknown.set(place, (this.#peersInUnknown.get(place) ?? 0) + 1);
    const peer = this.#rankAt(node, position, members, this.#tallies.get('peer')!);
    if (peer !== position) this.#peer[node] = peer;
  }

  /** The rank at a position of a group; the position itself where it cannot be told. */
  #rankAt(node: number, position: number, members: readonly number[] | undefined, tally: AssumptionTally): number {
    const rank = members?.[position];
    tally.add(node, rank !== undefined && rank !== position);
    if (rank === undefined) {
      if (members !== undefined) tally.addOutside(node);
      return position;
    }
    if (rank !== position) this.#flags[node] |= NodeFlag.touched;
    return rank;
  }

  #metadata(): TraceMetadata {
    const { metadata } = this.#trace;
    const met = [...this.#assumptions.chosen].filter(([name]) => this.#tallies.get(name)!.concerned > 0);
    if (met.length === 0) return metadata;
    return { ...metadata, passes: [...metadata.passes, ...met.map(([name, value]) => `${APPLIED}${name}=${value}`)] };
  }

  #findings(): Finding[] {
    const trace = this.#trace;
    const { rank, file, groupNames } = trace;
    const unknown = [...this.#peersInUnknown].map(([group, count]) => {
      const name = groupNames[group];
      const nodes = count === 1 ? 'one send or receive names' : `${count} sends and receives name`;
      const message = `rank ${rank}: ${nodes} a position in group ${JSON.stringify(name)}, which is not declared`;
      return finding('GROUP_UNDECLARED', message, { rank, file, group: name, count });
    });
    const found = [...this.#tallies].flatMap(([name, tally]) =>
      assumptionFindings(trace, name, this.#assumptions.chosen.get(name)!, tally),
    );
    return [...unknown, ...found];
  }

  #refuse(node: number, product: string): never {
    const { rank, file, frameOffset } = this.#trace;
    const id = nodeId(this.#trace, node);
    const message = `${product} is too large: at most 2^53 − 1 can be read exactly`;
    const facts = { rank, file, nodes: [id], byteOffset: frameOffset[node] };
    throw traceError('NUMBER_TOO_LARGE', `rank ${rank}, node ${id}: ${message}`, [
      finding('NUMBER_TOO_LARGE', message, facts),
    ]);
  }
}
