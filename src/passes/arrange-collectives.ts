import type { CollectiveShape } from '../collectives/algorithm.js';
import { SYNC_BARRIER } from '../collectives/catalogue.js';
import { instanceShape } from '../collectives/instance-shape.js';
import type { CollectiveInstance } from '../collectives/plan.js';
import { collectiveName } from '../trace/collective-type.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTraceBuilder } from '../trace/rank-trace-builder.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { expansionOf, type Balance } from './balance.js';
import { findBoundaries, type Boundary } from './boundaries.js';
import { emitTransfers, type TransferFacts } from './emit-transfers.js';
import { IdSource } from './id-source.js';
import type { PreparationPlan } from './preparation-plan.js';
import { copyRenumbered, RankRewrite, type Insertion } from './rank-rewrite.js';
import { chainEdges } from './serialize.js';
import { ShareSource, type ShareCounts } from './share-source.js';

const NO_EDGES = new Int32Array(0);

/** Shares of the lists and of the barriers of one plan; kept from rank to rank. */
interface ShareSources {
  readonly shares: ShareSource;
  readonly barriers: ShareSource;
}

const sourcesOfPlan = new WeakMap<PreparationPlan, ShareSources>();

function sourcesOf(plan: PreparationPlan): ShareSources {
  let sources = sourcesOfPlan.get(plan);
  if (sources === undefined) {
    sources = { shares: new ShareSource(), barriers: new ShareSource() };
    sourcesOfPlan.set(plan, sources);
  }
  return sources;
}

/**
 * Expansion, synchronization and serialization of one rank in one rewrite, each where the
 * plan asks for it. What ran before is found by the identity of the nodes, so the three give one result in any order.
 *
 * New ids follow the rank's largest: by ascending collective id, its barrier first, then its share (design 2.3).
 */
export function arrangeCollectives(trace: RankTrace, plan: PreparationPlan, balance: Balance): RankTrace {
  const arrangement = new Arrangement(trace, plan, balance);
  const { node } = plan.collectives.ranks[trace.rank];
  for (let place = 0; place < node.length; place++) arrangement.arrange(place);
  arrangement.chainSends();
  return arrangement.finish();
}

/** What stands of one collective and what is to be added. */
interface Site {
  readonly node: number;
  readonly instance: CollectiveInstance;
  readonly position: number;
  /** Nodes that carry its entry: all with the same dependencies. */
  readonly entries: readonly number[];
  readonly boundary: Boundary | undefined;
  /** What the entry has to wait for besides, and does not yet. */
  readonly chain: readonly number[];
  readonly synced: boolean;
  /** New barrier. */
  readonly barrier: ShareCounts | undefined;
  /** New share. */
  readonly share: ShareCounts | undefined;
}

class Arrangement {
  readonly #trace: RankTrace;
  readonly #plan: PreparationPlan;
  readonly #balance: Balance;
  readonly #rewrite: RankRewrite;
  readonly #ids: IdSource;
  readonly #shares: ShareSource;
  readonly #barriers: ShareSource;
  readonly #boundaries: readonly Boundary[];
  readonly #chains: ReadonlyMap<number, readonly number[]>;

  constructor(trace: RankTrace, plan: PreparationPlan, balance: Balance) {
    this.#trace = trace;
    this.#plan = plan;
    this.#balance = balance;
    this.#rewrite = new RankRewrite(trace);
    this.#ids = new IdSource(trace);
    ({ shares: this.#shares, barriers: this.#barriers } = sourcesOf(plan));
    this.#boundaries = plan.sync || plan.serialize ? findBoundaries(trace) : [];
    this.#chains = plan.serialize ? chains(trace, plan) : new Map();
  }

  arrange(place: number): void {
    const site = this.#site(place);
    const { node, barrier, share, entries, chain } = site;
    const collective = barrier || share ? this.#identity(site) : undefined;
    const insertion = this.#insertion(site, collective ?? -1);
    if (insertion && insertion.nodes > 0) this.#rewrite.insert(insertion);

    if (share) {
      const exit = { node, type: NodeType.metadata, collective: collective! };
      const replace = { insertion: insertion!, from: barrier?.nodes ?? 0, count: share.nodes };
      this.#rewrite.patch(share.nodes > 0 ? { ...exit, replace } : { ...exit, append: chain });
    }
    for (const entry of entries) {
      if (share && entry === node) continue;
      if (barrier) {
        const replace = { insertion: insertion!, from: 0, count: barrier.nodes };
        this.#rewrite.patch(entry === node ? { node, collective: collective!, replace } : { node: entry, replace });
      } else if (chain.length > 0) {
        this.#rewrite.patch({ node: entry, append: chain });
      }
    }
    this.#balance.chainDependencies += chain.length;
    if (barrier) this.#balance.syncTransfers += barrier.sends;
    if (share) this.#countExpansion(site, share);
  }

  /** Chains the point-to-point sends of recorded groups. */
  chainSends(): void {
    const trace = this.#trace;
    for (const [node, befores] of this.#chains) {
      if (trace.type[node] !== NodeType.send) continue;
      const append = befores.filter((before) => !waitsFor(trace, node, before));
      if (append.length === 0) continue;
      this.#rewrite.patch({ node, append });
      this.#balance.chainDependencies += append.length;
    }
  }

  finish(): RankTrace {
    return this.#rewrite.isEmpty ? this.#trace : this.#rewrite.finish(this.#trace.metadata);
  }

  #site(place: number): Site {
    const trace = this.#trace;
    const { sync, expand, collectives } = this.#plan;
    const ranked = collectives.ranks[trace.rank];
    const node = ranked.node[place];
    const position = ranked.position[place];
    const instance = collectives.instances[ranked.instance[place]];
    const boundary = trace.collective[node] < 0 ? undefined : this.#boundaries[trace.collective[node]];
    const synced = boundary !== undefined && boundary.barrierEntries.length > 0;
    let entries: readonly number[] = [node];
    if (synced) entries = boundary.barrierEntries;
    else if (boundary && boundary.shareEntries.length > 0) entries = boundary.shareEntries;
    const addBarrier = sync && !synced && instance.group.ranks.length > 1;
    const addShare = expand && ranked.expanded[place] === 0;
    const chain = (this.#chains.get(node) ?? []).filter((before) => !waitsFor(trace, entries[0], before));
    return {
      node,
      instance,
      position,
      entries,
      boundary,
      chain,
      synced,
      barrier: addBarrier ? this.#barriers.counts(SYNC_BARRIER, barrierShape(instance), position) : undefined,
      share: addShare ? this.#shares.counts(instance.algorithm, instanceShape(instance), position) : undefined,
    };
  }

  /** Identity of the collective in the new trace; an exit keeps its own. */
  #identity({ node, instance, share }: Site): number {
    const { type, collective } = this.#trace;
    if (type[node] !== NodeType.collective) return collective[node];
    const { group, type: commType, instance: index, size, algorithm } = instance;
    const identity = { group: group.name, type: commType, instance: index, size };
    return this.#rewrite.internCollective(share ? { ...identity, algorithm: algorithm.name } : identity);
  }

  /** The new nodes of a collective: its barrier, which takes its entry over, then its share. */
  #insertion(site: Site, collective: number): Insertion | undefined {
    const { node, boundary, barrier, share, entries, chain, synced } = site;
    if (!barrier && !share) return undefined;
    const { dataStart, controlStart } = this.#trace;
    // A share behind a barrier that stands already takes what the collective node waits for: the barrier.
    const holder = barrier || !synced ? entries[0] : node;
    const entryChain = barrier || !synced ? chain : [];
    const data = dataStart[holder + 1] - dataStart[holder] + entryChain.length;
    const control = controlStart[holder + 1] - controlStart[holder];
    let dataEdges = 0;
    let controlEdges = 0;
    if (barrier) {
      dataEdges += barrier.dependencies + barrier.entries * data;
      controlEdges += barrier.entries * control;
    }
    if (share) {
      dataEdges += share.dependencies + share.entries * (barrier ? barrier.nodes : data);
      controlEdges += share.entries * (barrier ? 0 : control);
    }
    const nodes = (barrier?.nodes ?? 0) + (share?.nodes ?? 0);
    const ids = this.#ids.take(nodes);
    return {
      anchor: boundary && boundary.firstTransfer >= 0 ? Math.min(boundary.firstTransfer, node) : node,
      nodes,
      dataEdges,
      controlEdges,
      at: -1,
      write: (out, newIndex) =>
        this.#write(out, site, {
          ranks: site.instance.group.ranks,
          ...ids,
          tag: 0,
          flags: NodeFlag.cpuGiven,
          commType: site.instance.type,
          group: this.#trace.group[node],
          collective,
          entryData: this.#entryData(holder, entryChain, newIndex),
          entryControl: this.#entryControl(holder, newIndex),
        }),
    };
  }

  #write(out: RankTraceBuilder, { barrier, share, instance, position }: Site, facts: TransferFacts): void {
    const { tagBase, tagStride, instances } = this.#plan.collectives;
    let shareFacts = facts;
    if (barrier) {
      const place = instance.place + (this.#plan.expand ? instances.length : 0);
      const at = out.length;
      emitTransfers(out, this.#barriers.share(SYNC_BARRIER, barrierShape(instance), position), {
        ...facts,
        tag: tagBase + place * tagStride,
        flags: facts.flags | NodeFlag.addedSync,
      });
      const low = facts.idLow + barrier.nodes;
      shareFacts = {
        ...facts,
        idLow: low % 0x100000000,
        idHigh: facts.idHigh + (low > 0xffffffff ? 1 : 0),
        entryData: Int32Array.from({ length: barrier.nodes }, (_, added) => at + added),
        entryControl: NO_EDGES,
      };
    }
    if (!share) return;
    const tag = tagBase + instance.place * tagStride;
    const written = this.#shares.share(instance.algorithm, instanceShape(instance), position);
    const bytes = emitTransfers(out, written, { ...shareFacts, tag });
    expansionOf(this.#balance, expansionName(instance)).bytesOut += bytes;
  }

  #countExpansion({ node, instance, position }: Site, share: ShareCounts): void {
    const expansion = expansionOf(this.#balance, expansionName(instance));
    const size = this.#trace.commSize[node];
    expansion.nodes++;
    if (position === 0) expansion.collectives++;
    if (!Number.isNaN(size)) expansion.bytesIn += size;
    const { bytesInChunks } = instance.algorithm;
    if (bytesInChunks !== undefined) expansion.bytesInChunks = (expansion.bytesInChunks ?? 0) + bytesInChunks;
    expansion.transfers += share.sends;
  }

  #entryData(holder: number, chain: readonly number[], newIndex: Int32Array): Int32Array {
    const { dataStart, dataTarget } = this.#trace;
    const own = dataStart[holder + 1] - dataStart[holder];
    const entry = new Int32Array(own + chain.length);
    copyRenumbered(dataTarget, dataStart[holder], dataStart[holder + 1], entry, newIndex);
    for (let place = 0; place < chain.length; place++) entry[own + place] = newIndex[chain[place]];
    return entry;
  }

  #entryControl(holder: number, newIndex: Int32Array): Int32Array {
    const { controlStart, controlTarget } = this.#trace;
    const own = controlStart[holder + 1] - controlStart[holder];
    if (own === 0) return NO_EDGES;
    const entry = new Int32Array(own);
    copyRenumbered(controlTarget, controlStart[holder], controlStart[holder + 1], entry, newIndex);
    return entry;
  }
}

/** What each chained node has to wait for. */
function chains(trace: RankTrace, { collectives, order }: PreparationPlan): Map<number, readonly number[]> {
  const { from, to } = chainEdges(trace, collectives, order);
  const byNode = new Map<number, number[]>();
  for (let edge = 0; edge < from.length; edge++) {
    const before = byNode.get(to[edge]);
    if (before) before.push(from[edge]);
    else byNode.set(to[edge], [from[edge]]);
  }
  return byNode;
}

/** Whether a node waits for another one as data already. */
function waitsFor({ dataStart, dataTarget }: RankTrace, node: number, before: number): boolean {
  for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) if (dataTarget[edge] === before) return true;
  return false;
}

function barrierShape({ group }: CollectiveInstance): CollectiveShape {
  return { groupSize: group.ranks.length, bytes: 0, root: 0 };
}

function expansionName({ type, algorithm }: CollectiveInstance): string {
  return `${collectiveName(type)} ${algorithm.name}`;
}
