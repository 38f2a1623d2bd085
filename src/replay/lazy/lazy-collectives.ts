import { Share, type Algorithm, type CollectiveShape } from '../../collectives/algorithm.js';
import { SYNC_BARRIER } from '../../collectives/catalogue.js';
import { instanceShape } from '../../collectives/instance-shape.js';
import type { CollectivePlan } from '../../collectives/plan.js';
import type { ContentionFree } from '../../network/network.js';
import type { CollectiveReplay } from '../engine.js';
import { ChainedEvaluation } from './chained-evaluation.js';
import type { Evaluation, EvaluationContext } from './evaluation.js';
import { LazyAccount, type LazyRun } from './lazy-account.js';
import { LockstepEvaluation } from './lockstep-evaluation.js';
import { OpenLoopEvaluation } from './open-loop-evaluation.js';

/** Which collectives of a plan are replayed, and how. */
export interface HowCollectivesRun {
  /** By instance of the plan: 1 where some member has a collective node for it; the others were expanded before. */
  readonly raw: Uint8Array;
  /** Whether a barrier precedes each collective. */
  readonly sync: boolean;
  /** [ranks + 1] first node of each rank. */
  readonly offset: readonly number[];
}

/** A collective that at least one member has reached and not all have left. */
interface Running {
  readonly evaluation: Evaluation;
  readonly nodes: Int32Array; // [N] node of each position, −1 until its member has entered
  /** Members that have not left. */
  remaining: number;
}

/**
 * Replays the collectives of a plan without expanding them: on a network without contention the times of a collective
 * are a function of when its members enter, so it is evaluated apart and only the exits become events.
 */
export class LazyCollectives implements CollectiveReplay {
  readonly #plan: CollectivePlan;
  readonly #times: ContentionFree;
  readonly #run: LazyRun;
  readonly #sync: boolean;
  readonly #leave: (node: number, timePs: number) => void;
  readonly #numbers: Int32Array; // [instances] number in the run's collectives, −1 for one without transfers here
  readonly #instance: Int32Array; // [members] by member number, see NodeTable.pair
  readonly #position: Int32Array; // [members]
  readonly #running = new Map<number, Running>();
  readonly #firstPlaces: Map<number, FirstPlaces> | undefined;

  /** @param leave told when a member's node finishes, now or later */
  constructor(
    plan: CollectivePlan,
    times: ContentionFree,
    run: LazyRun,
    how: HowCollectivesRun,
    leave: (node: number, timePs: number) => void,
  ) {
    this.#plan = plan;
    this.#times = times;
    this.#run = run;
    this.#sync = how.sync;
    this.#leave = leave;
    this.#numbers = Int32Array.from(plan.instances, ({ group, type, instance, size, algorithm }, at) => {
      if (how.raw[at] === 0 || group.ranks.length === 1) return -1;
      const number = run.collectives.row(group.name, type, instance, size);
      run.collectives.rows[number].algorithm = algorithm.name;
      run.collectives.rows[number].groupSize = group.ranks.length;
      return number;
    });
    this.#instance = joined(plan.ranks.map((rank) => rank.instance));
    this.#position = joined(plan.ranks.map((rank) => rank.position));
    if (run.log) this.#firstPlaces = firstPlaces(plan, how);
  }

  enter(member: number, node: number, now: number): void {
    const instance = this.#instance[member];
    if (this.#numbers[instance] < 0) {
      this.#leave(node, now);
      return;
    }
    let running = this.#running.get(instance);
    if (running === undefined) this.#running.set(instance, (running = this.#start(instance)));
    running.nodes[this.#position[member]] = node;
    running.evaluation.enter(this.#position[member], now);
  }

  /** At the end of the run: counts what collectives did that not every member has reached. */
  stop(): void {
    for (const { evaluation } of this.#running.values()) evaluation.stop();
  }

  #start(number: number): Running {
    const instance = this.#plan.instances[number];
    const { ranks } = instance.group;
    const running: Running = {
      nodes: new Int32Array(ranks.length).fill(-1),
      remaining: ranks.length,
      evaluation: this.#evaluation(number, (position, timePs) => {
        this.#leave(running.nodes[position], timePs);
        if (--running.remaining === 0) this.#running.delete(number);
      }),
    };
    return running;
  }

  #evaluation(number: number, leave: (position: number, timePs: number) => void): Evaluation {
    const { group, place, algorithm } = this.#plan.instances[number];
    const shape = instanceShape(this.#plan.instances[number]);
    const places = this.#firstPlaces?.get(number);
    const tag = this.#plan.tagBase + place * this.#plan.tagStride;
    const context = (addedSync: boolean, of: CollectiveShape, exit: EvaluationContext['leave']): EvaluationContext => ({
      shape: of,
      ranks: group.ranks,
      times: this.#times,
      account: new LazyAccount(
        this.#run,
        group.ranks,
        this.#numbers[number],
        addedSync,
        addedSync ? tag + this.#plan.instances.length * this.#plan.tagStride : tag,
        addedSync ? places?.barrier : places?.collective,
      ),
      leave: exit,
    });
    const collective = evaluationOf(algorithm, context(false, shape, leave));
    if (!this.#sync) return collective;
    // a member enters the collective when it has passed the barrier.
    const barrier = evaluationOf(
      SYNC_BARRIER,
      context(true, { groupSize: shape.groupSize, bytes: 0, root: 0 }, (position, timePs) =>
        collective.enter(position, timePs),
      ),
    );
    return {
      enter: (position, timePs) => barrier.enter(position, timePs),
      stop: () => {
        barrier.stop();
        collective.stop();
      },
    };
  }
}

function evaluationOf(algorithm: Algorithm, context: EvaluationContext): Evaluation {
  if (algorithm.lockstep) return new LockstepEvaluation(algorithm.lockstep, context);
  return algorithm.family === 'open-loop'
    ? new OpenLoopEvaluation(algorithm, context)
    : new ChainedEvaluation(algorithm, context);
}

/** By position: where the entries of the barrier's and of the collective's share begin among the rank's nodes. */
interface FirstPlaces {
  readonly barrier: Float64Array;
  readonly collective: Float64Array;
}

/** Numbers the transfers of every rank as expansion would: behind its nodes, by ascending collective, barrier first. */
function firstPlaces(plan: CollectivePlan, { raw, sync, offset }: HowCollectivesRun): Map<number, FirstPlaces> {
  const places = new Map<number, FirstPlaces>();
  const share = new Share();
  for (const [rank, { node, instance, position }] of plan.ranks.entries()) {
    let next = offset[rank + 1] - offset[rank];
    for (let member = 0; member < node.length; member++) {
      if (raw[instance[member]] === 0) continue;
      const planned = plan.instances[instance[member]];
      const shape = instanceShape(planned);
      let of = places.get(instance[member]);
      if (of === undefined) {
        const size = shape.groupSize;
        of = { barrier: new Float64Array(size), collective: new Float64Array(size) };
        places.set(instance[member], of);
      }
      if (sync) {
        of.barrier[position[member]] = next;
        SYNC_BARRIER.share(position[member], shape, share);
        next += share.length;
      }
      of.collective[position[member]] = next;
      planned.algorithm.share(position[member], shape, share);
      next += share.length;
    }
  }
  return places;
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
