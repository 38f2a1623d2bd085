import { AwaitedSets } from '../awaited-sets.js';
import type { EarliestRun } from '../earliest-run.js';
import { Work, type JobGraph } from '../job-graph.js';
import type { NodeLosses } from '../node-losses.js';
import type { TagNumbers } from '../tag-numbers.js';
import type { TextOut } from '../text-out.js';
import { collectiveAction } from './actions.js';

const NANOSECONDS_PER_SECOND = 1e9;

/** The transfers of its own rank that each node waits for, directly or through nodes that do nothing. */
export function awaitedTransfers(graph: JobGraph): AwaitedSets {
  const { length, awaited, awaitedStart, work } = graph;
  const sets = new AwaitedSets(length);
  for (let node = 0; node < length; node++) {
    const first = awaitedStart[node];
    const end = awaitedStart[node + 1];
    if (end - first === 1 && work[awaited[first]] === Work.nothing) {
      sets.share(node, awaited[first]);
      continue;
    }
    sets.begin();
    for (let at = first; at < end; at++) {
      const other = awaited[at];
      if (work[other] === Work.send || work[other] === Work.receive) sets.add(other);
      else if (work[other] === Work.nothing) sets.addSet(other);
    }
    sets.end(node);
  }
  return sets;
}

/** A job with what is known of it, to be written rank by rank. */
export interface Linearised {
  readonly graph: JobGraph;
  readonly run: EarliestRun;
  readonly sets: AwaitedSets;
  readonly tags: TagNumbers;
  readonly flopsPerSecond: number;
  readonly losses: NodeLosses;
}

/**
 * Writes the actions of a rank (exchange-formats section 11), one after the other in the order of the earliest run: sends and
 * receives are posted when they can start, and waited for where something depends on them. A wait for a send is left out
 * where its receive is posted only later: an action before that receive may need what comes behind the wait.
 * @param nodes of the rank in that order
 */
export function writeRankActions(job: Linearised, rank: number, nodes: Uint32Array, out: TextOut): void {
  new RankActions(job, rank, out).write(nodes);
}

class RankActions {
  readonly #job: Linearised;
  readonly #out: TextOut;
  readonly #rank: number;
  /** Transfers under way by source, destination and tag, in the order in which they were posted: a wait takes the first. */
  readonly #pending = new Map<string, { readonly posted: number[]; waitedFor: number }>();
  /** Transfers that were posted and not waited for. */
  readonly #underway = new Set<number>();
  /** When computations before have ended in the earliest run. */
  #computedNs = 0;

  constructor(job: Linearised, rank: number, out: TextOut) {
    this.#job = job;
    this.#rank = rank;
    this.#out = out;
  }

  write(nodes: Uint32Array): void {
    const { work } = this.#job.graph;
    this.#action('init');
    for (const node of nodes) {
      if (work[node] === Work.nothing) continue;
      this.#wait(node);
      if (work[node] === Work.compute) this.#compute(node);
      else if (work[node] === Work.collective) this.#collective(node);
      else this.#post(node);
    }
    if (this.#underway.size > 0) this.#action('waitall');
    this.#action('finalize');
  }

  #action(text: string): void {
    this.#out.text(`${this.#rank} ${text}\n`);
  }

  #compute(node: number): void {
    const { graph, run, flopsPerSecond, losses } = this.#job;
    const nanoseconds = graph.amount[node];
    if (nanoseconds === 0) return;
    if (run.startNs[node] < this.#computedNs) {
      losses.add('computations beside others of the rank', node, 'a rank does one thing after the other');
    }
    this.#computedNs = Math.max(this.#computedNs, run.endNs[node]);
    this.#action(`compute ${(nanoseconds * flopsPerSecond) / NANOSECONDS_PER_SECOND}`);
  }

  #collective(node: number): void {
    const { collectives, rankCount } = this.#job.graph;
    const member = collectives.instances[collectives.instance(node)][this.#rank];
    this.#action(collectiveAction(member, rankCount));
  }

  #post(node: number): void {
    const { graph, run, tags, losses } = this.#job;
    const { work, peer, amount, tag } = graph;
    if (peer[node] === this.#rank) {
      losses.add('transfers of a rank to itself', node, 'they use no network');
      return;
    }
    if (run.partner[node] < 0) {
      losses.add('sends that nobody receives', node, 'they would never end');
      return;
    }
    const kind = work[node] === Work.send ? 'isend' : 'irecv';
    this.#action(`${kind} ${peer[node]} ${tags.number(tag[node])} ${amount[node]}`);
    const key = this.#key(node);
    const pending = this.#pending.get(key);
    if (pending === undefined) this.#pending.set(key, { posted: [node], waitedFor: 0 });
    else pending.posted.push(node);
    this.#underway.add(node);
  }

  /** Waits for the transfers that a node waits for, and for those posted before them with the same source, destination and tag. */
  #wait(node: number): void {
    const { graph, run, sets, losses } = this.#job;
    for (let at = sets.from[node]; at < sets.to[node]; at++) {
      const transfer = sets.members[at];
      if (!this.#underway.has(transfer)) continue;
      if (graph.work[transfer] === Work.send && run.position[run.partner[transfer]] > run.position[node]) {
        losses.add('waits for a send whose receive is posted later', node, 'what depends on it goes on at once');
        continue;
      }
      const key = this.#key(transfer);
      const pending = this.#pending.get(key)!;
      while (this.#underway.has(transfer)) {
        this.#underway.delete(pending.posted[pending.waitedFor++]);
        this.#action(`wait ${key}`);
      }
    }
  }

  /** Source, destination and tag, as `wait` names them. */
  #key(node: number): string {
    const { graph, tags } = this.#job;
    const { work, peer, tag } = graph;
    const [source, destination] = work[node] === Work.send ? [this.#rank, peer[node]] : [peer[node], this.#rank];
    return `${source} ${destination} ${tags.number(tag[node])}`;
  }
}
