import { counted, grouped } from '../base/counts.js';
import { rankList } from '../base/rank-runs.js';
import { collectiveName } from '../trace/collective-type.js';
import { WORLD } from '../trace/process-group.js';
import { circularWaits } from './circular-waits.js';
import type { CollectivePlan } from './collective-plan.js';
import type { CollectiveRow } from './collective-rows.js';
import type { NodePlace } from './node-place.js';
import type { SystemStalledNode, SystemStallReason } from './outcome.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { placesOf } from './places-of.js';
import type { RanSystem } from './ran-system.js';
import type { SystemEngine } from './system-engine.js';
import { NodeState, Role, type SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';
import { byEnds, undelivered, type Undelivered } from './undelivered.js';

/** What holds a node up for good. */
export type WaitCause = Extract<
  SystemStallReason['code'],
  'crossed-collectives' | 'missing-participant' | 'unmatched-receive' | 'size-mismatch'
>;

const MEMBERS_NAMED = 8;

/** What nodes in flight wait for, and what there is instead. */
export class StalledWaits {
  readonly #run: SystemRun;
  readonly #nodes: SystemNodes;
  readonly #catalogue: PlanCatalogue;
  readonly #engine: SystemEngine;
  /** Messages that nobody has received, by sender, receiver and tag. */
  readonly #messages: readonly Undelivered[];
  /** Sends that have not started, by what they send: the first. */
  readonly #sends = new Map<string, number>();
  /** Collectives in flight, by node. */
  readonly #rows = new Map<number, CollectiveRow>();
  /** Collectives in flight, by rank: their nodes. */
  readonly #heldBy = new Map<number, number[]>();
  /** Members that have not begun a collective. */
  readonly #absent = new Map<CollectiveRow, readonly number[]>();
  /** Collectives in flight that wait for each other's members: they began them in different orders. */
  readonly circular: ReadonlySet<CollectiveRow>;

  constructor({ run, nodes, catalogue, engine }: RanSystem) {
    this.#run = run;
    this.#nodes = nodes;
    this.#catalogue = catalogue;
    this.#engine = engine;
    this.#messages = undelivered(engine.transport);
    engine.forEachCollective((node, row) => this.#rows.set(node, row));
    const { offset, role, waiting, partner, tag, amount } = nodes;
    for (let rank = 0; rank < nodes.rankCount; rank++) {
      const held: number[] = [];
      this.#heldBy.set(rank, held);
      for (let node = offset[rank]; node < offset[rank + 1]; node++) {
        if (this.#rows.has(node)) held.push(node);
        if (role[node] !== Role.send || waiting[node] === NodeState.finished) continue;
        const key = `${rank} ${partner[node]} ${tag[node]} ${amount[node]}`;
        if (!this.#sends.has(key)) this.#sends.set(key, node);
      }
    }
    this.circular = this.#findCircular();
  }

  /** `rank 1 has not begun AllReduce 0 of group "1" (8 bytes, ring), it is in AllReduce 0 over all ranks (8 bytes, ring)`, of the first that is circular. */
  circularText(): string {
    for (const [node, row] of this.#rows) {
      if (!this.circular.has(row)) continue;
      for (const rank of this.#missing(node)) {
        const held = this.#heldBy.get(rank)?.find((other) => this.circular.has(this.#rows.get(other)!));
        if (held !== undefined) return `rank ${rank} has not begun ${this.#named(node)}, it is in ${this.#named(held)}`;
      }
    }
    return '';
  }

  causeOf(node: number): WaitCause | undefined {
    const { role } = this.#nodes;
    if (role[node] === Role.collective) {
      if (this.circular.has(this.#rows.get(node)!)) return 'crossed-collectives';
      return this.#missing(node).length > 0 ? 'missing-participant' : undefined;
    }
    if (role[node] !== Role.receive || this.#sendOf(node) !== undefined) return undefined;
    return this.#insteadOf(node)?.tag === this.#nodes.tag[node] ? 'size-mismatch' : 'unmatched-receive';
  }

  report(node: number, place: NodePlace): SystemStalledNode {
    const { role, tag, partner } = this.#nodes;
    const { rank, id, name } = place;
    const common = { node: id, name, state: 'running' } as const;
    const text = (what: string): string => `node ${place.short} ${what}`;
    if (role[node] === Role.receive) {
      const transfer = { tag: tag[node], sender: partner[node], receiver: rank };
      return { ...common, type: 'COMM_RECV_NODE', waitsFor: 'transfer', transfer, text: text(this.#receiveText(node)) };
    }
    if (role[node] === Role.send) {
      const transfer = { tag: tag[node], sender: rank, receiver: partner[node] };
      return { ...common, type: 'COMM_SEND_NODE', waitsFor: 'transfer', transfer, text: text(this.#sendText(node)) };
    }
    if (role[node] === Role.collective) {
      const plan = this.#plan(node);
      const collective = {
        group: this.#engine.rows.groupName(plan.group),
        type: collectiveName(plan.type),
        instance: this.#instance(node),
        missing: this.#missing(node).slice(0, MEMBERS_NAMED),
      };
      const what = this.#collectiveText(node, rank);
      return { ...common, type: 'COMM_COLL_NODE', waitsFor: 'collective', collective, text: text(what) };
    }
    const isMemory = role[node] === Role.memory;
    const what = isMemory ? 'waits for remote memory' : 'was running';
    return { ...common, type: place.type, waitsFor: 'time', text: text(what) };
  }

  #receiveText(node: number): string {
    const { partner, tag, amount } = this.#nodes;
    const from = partner[node];
    const waits = `waits for ${counted(amount[node], 'byte')} with tag ${tag[node]} from rank ${from}`;
    if (this.#engine.cutOff) return waits;
    const send = this.#sendOf(node);
    if (send !== undefined) {
      const [{ short }] = placesOf(this.#run, this.#nodes, from, [send]);
      const state = this.#nodes.waiting[send] === NodeState.inFlight ? 'is under way' : 'has not started';
      return `${waits}; node ${short} there, which sends it, ${state}`;
    }
    const instead = this.#insteadOf(node);
    if (instead === undefined) return `${waits}; ${this.#soFar(from)}`;
    const which = instead.tag === tag[node] ? 'that tag' : `tag ${instead.tag}`;
    return `${waits}; it sent ${counted(instead.bytes, 'byte')} with ${which}, which nobody received`;
  }

  #sendText(node: number): string {
    const { partner, tag, amount } = this.#nodes;
    const what = `sends ${counted(amount[node], 'byte')} with tag ${tag[node]} to rank ${partner[node]}`;
    return this.#run.options.rendezvous && !this.#engine.cutOff ? `${what}, which does not ask for it` : what;
  }

  #collectiveText(node: number, rank: number): string {
    const { streams, custom } = this.#engine;
    const plan = this.#plan(node);
    const waits = `waits in ${this.#named(node)}`;
    const missing = this.#missing(node);
    const absent = missing.length === 0 ? '' : `; ${this.#absentText(missing)}`;
    if (plan.custom !== undefined) {
      return `${waits}, ${counted(custom.left(rank), 'node')} of its trace left${this.#customReceives(rank)}${absent}`;
    }
    let messages = 0;
    let first = '';
    let from = -1;
    streams.forEachWaiting(rank, (chunk, source, bytes, phase, of) => {
      if (of !== node || messages++ > 0) return;
      const where = `chunk ${chunk + 1} of ${plan.chunks}, phase ${phase + 1} of ${plan.orders[0].length}`;
      first = ` for ${counted(bytes, 'byte')} from rank ${source} (${where})`;
      from = source;
    });
    const more = messages > 1 ? ` and ${counted(messages - 1, 'more message')}` : '';
    const isTold = absent !== '' || from < 0 || this.#engine.cutOff;
    const other = isTold ? absent : `; ${this.#stateIn(from, node)}`;
    return `${waits}${first}${more}${other}`;
  }

  /** `ranks 2, 3 have not begun it, rank 2 is in AllReduce 0 over all ranks (8 bytes, ring)` */
  #absentText(missing: readonly number[]): string {
    const text = `${rankList(missing)} ${missing.length === 1 ? 'has' : 'have'} not begun it`;
    for (const rank of missing) {
      const [held] = this.#heldBy.get(rank) ?? [];
      if (held === undefined) continue;
      return `${text}, ${missing.length === 1 ? 'it' : `rank ${rank}`} is in ${this.#named(held)}`;
    }
    return text;
  }

  /** What a member does that a node waits for, and that has begun the collective. */
  #stateIn(rank: number, node: number): string {
    const row = this.#rows.get(node);
    let other = -1;
    for (const [held, theirs] of this.#rows) {
      if (this.#nodes.rankOf(held) !== rank) continue;
      if (theirs === row && this.#plan(held) === this.#plan(node)) return `rank ${rank} waits in it too`;
      other = held;
    }
    return other < 0 ? `rank ${rank} is through with it` : `rank ${rank} is in ${this.#named(other)}`;
  }

  #customReceives(rank: number): string {
    let first = '';
    let keys = 0;
    const { matching, sizes } = this.#engine.transport;
    matching.forEach((source, destination, tag, size, arrived) => {
      if (destination !== rank || arrived >= 0) return;
      if (keys++ === 0)
        first = `, among them a receive of ${counted(sizes.bytes(size), 'byte')} with tag ${tag} from rank ${source}`;
    });
    return keys > 1 ? `${first} and ${grouped(keys - 1)} more` : first;
  }

  /** `AllReduce 0 of group "1" (8 bytes, ring)` */
  #named(node: number): string {
    const { type, group, bytes, algorithm } = this.#plan(node);
    const name = this.#engine.rows.groupName(group);
    const of = name === WORLD ? 'over all ranks' : `of group ${JSON.stringify(name)}`;
    return `${collectiveName(type)} ${this.#instance(node)} ${of} (${counted(bytes, 'byte')}, ${algorithm})`;
  }

  /** `it has sent 3 messages and has finished` */
  #soFar(rank: number): string {
    const { transport, workload } = this.#engine;
    const { offset } = this.#nodes;
    const isFinished = workload.nodesFinished[rank] === offset[rank + 1] - offset[rank];
    const sent = transport.messagesSent[rank];
    const messages = sent === 0 ? 'nothing' : counted(sent, 'message');
    return `it has sent ${messages} and has ${isFinished ? 'finished' : 'no such send left'}`;
  }

  /** Members that have not begun the collective in flight at a node; none at a stop, where they may still. */
  #missing(node: number): readonly number[] {
    const row = this.#rows.get(node);
    if (row === undefined || this.#engine.cutOff) return [];
    let missing = this.#absent.get(row);
    if (missing === undefined) {
      const { group, isInGroup } = this.#plan(node);
      const members = isInGroup ? this.#run.groups.get(this.#catalogue.groups[group])!.ranks : undefined;
      const ranks = members ?? Array.from({ length: this.#run.rankCount }, (_, rank) => rank);
      missing = ranks.filter((rank) => !this.#engine.rows.hasBegun(rank, group, row.instance));
      this.#absent.set(row, missing);
    }
    return missing;
  }

  #findCircular(): ReadonlySet<CollectiveRow> {
    const waitsFor = new Map<CollectiveRow, Set<CollectiveRow>>();
    for (const [node, row] of this.#rows) {
      if (waitsFor.has(row)) continue;
      const held = this.#missing(node).flatMap((rank) => this.#heldBy.get(rank) ?? []);
      waitsFor.set(row, new Set(held.map((other) => this.#rows.get(other)!)));
    }
    return circularWaits(waitsFor);
  }

  #instance(node: number): number {
    return this.#rows.get(node)?.instance ?? this.#nodes.amount[node];
  }

  #sendOf(node: number): number | undefined {
    const { partner, tag, amount } = this.#nodes;
    return this.#sends.get(`${partner[node]} ${this.#nodes.rankOf(node)} ${tag[node]} ${amount[node]}`);
  }

  /** A message from the same rank that nobody has received, rather of the same tag. */
  #insteadOf(node: number): Undelivered | undefined {
    const { partner, tag } = this.#nodes;
    const ends = { source: partner[node], destination: this.#nodes.rankOf(node) };
    const ofTag = this.#firstFrom({ ...ends, tag: tag[node] });
    return ofTag?.tag === tag[node] ? ofTag : this.#firstFrom({ ...ends, tag: 0 });
  }

  /** The first message between two ranks with a tag or a higher one. */
  #firstFrom(wanted: Parameters<typeof byEnds>[0]): Undelivered | undefined {
    const messages = this.#messages;
    let low = 0;
    let high = messages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byEnds(messages[middle], wanted) < 0) low = middle + 1;
      else high = middle;
    }
    const found = messages.at(low);
    return found?.source === wanted.source && found.destination === wanted.destination ? found : undefined;
  }

  #plan(node: number): CollectivePlan {
    return this.#catalogue.plans[this.#nodes.partner[node]];
  }
}
