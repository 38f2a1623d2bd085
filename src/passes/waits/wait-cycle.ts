import { counted, grouped } from '../../base/counts.js';
import type { CollectivePairing } from '../../collectives/build-plan.js';
import { collectiveName } from '../../trace/collective-type.js';
import { idOfPlace, SkeletonKind } from '../transfer-columns.js';
import { UntimedGraph, type AddedOrder } from './untimed-graph.js';
import { UntimedRun } from './untimed-run.js';
import { waitCircle } from './wait-circle.js';
import type { WaitSurvey } from './wait-survey.js';

/** One link of a wait cycle: what a node waits for is the node of the next link, and of the last link the first. */
export interface WaitStep {
  readonly rank: number;
  readonly id: number | string;
  /** What the node is: `AllReduce 0 of tp`, `receive from rank 1, tag 5`, `send to rank 1, tag 5`. */
  readonly what: string;
  /**
   * `members`: it has started and the next link's rank has not done its part of the collective. `send`: it has started and
   * the next link is a send that has not. `dependency`: it has not started and depends on the next link. `order`: the
   * same, by the order of issue that `serialize` would add.
   */
  readonly waitsFor: 'members' | 'send' | 'dependency' | 'order';
  /** Group of a collective. */
  readonly group?: string;
}

/** Ranks that wait for each other in a circle. */
export interface WaitCycle {
  readonly steps: readonly WaitStep[];
  /** The circle in one line; of a long one the first few links. */
  readonly text: string;
}

/** Waits of a circle that its text tells. */
const WAITS_TOLD = 8;

/**
 * Searches for ranks that wait for each other in a circle in every run of the traceset, see {@link UntimedRun}. Time and
 * memory are linear in the surveys.
 *
 * @param surveys one for every rank of the plan, by rank
 * @param added what passes would add to the order; default: nothing
 */
export function findWaitCycle(
  surveys: readonly WaitSurvey[],
  plan: CollectivePairing,
  added: AddedOrder = { sync: false },
): WaitCycle | undefined {
  const run = new UntimedRun(new UntimedGraph(surveys, plan, added), 'earliest');
  const circle = run.hasFinished ? undefined : waitCircle(run);
  return circle && describeCircle(run, circle);
}

/** A circle of vertices as links and as text. */
export function describeCircle(run: UntimedRun, circle: readonly number[]): WaitCycle {
  const steps = circle.map((vertex, place) => stepOf(run, vertex, circle[(place + 1) % circle.length]));
  return { steps, text: `${orderText(steps)}${chainText(steps)}` };
}

function stepOf(run: UntimedRun, vertex: number, next: number): WaitStep {
  const { graph } = run;
  const nodes = graph.offset[graph.surveys.length];
  const at = graph.rankOf(vertex);
  const isBarrier = vertex >= nodes;
  const place = (isBarrier ? graph.barriers[vertex - nodes].exit : vertex) - graph.offset[at];
  const { skeleton } = graph.surveys[at];
  const instance = graph.plan.instances[graph.instance[vertex]];
  let what: string;
  if (instance !== undefined) {
    what = `${collectiveName(instance.type)} ${instance.instance} of ${instance.group.name}`;
    if (isBarrier) what = `barrier before ${what}`;
  } else {
    const end = `rank ${skeleton.peer[place]}, tag ${skeleton.tag[place]}`;
    if (skeleton.kind[place] === SkeletonKind.receive) what = `receive from ${end}`;
    else if (skeleton.kind[place] === SkeletonKind.send) what = `send to ${end}`;
    else what = skeleton.kind[place] === SkeletonKind.collective ? 'collective that takes no time' : '';
  }
  const waitsFor = !run.hasStarted(vertex)
    ? isChained(graph, vertex, next)
      ? 'order'
      : 'dependency'
    : instance === undefined
      ? 'send'
      : 'members';
  const group = instance === undefined ? {} : { group: instance.group.name };
  return { rank: skeleton.rank, id: idOfPlace(skeleton, place), what, waitsFor, ...group };
}

/** Whether a vertex waits for another one by an added chain alone. */
function isChained(graph: UntimedGraph, vertex: number, next: number): boolean {
  const nodes = graph.offset[graph.surveys.length];
  if (next >= nodes) return false;
  const at = graph.rankOf(vertex);
  const { beforeStart, before } = graph.surveys[at].skeleton;
  const place = (vertex >= nodes ? graph.barriers[vertex - nodes].first[0] : vertex) - graph.offset[at];
  return !before.subarray(beforeStart[place], beforeStart[place + 1]).includes(next - graph.offset[at]);
}

const hasStarted = ({ waitsFor }: WaitStep): boolean => waitsFor === 'members' || waitsFor === 'send';

/** `groups "G" and "H" are issued in opposite orders on rank 0 and rank 1: `, where collectives alone make the circle. */
function orderText(steps: readonly WaitStep[]): string {
  const waits = steps.filter(hasStarted);
  if (waits.length < 2 || waits.some(({ group }) => group === undefined)) return '';
  const groups = [...new Set(waits.map(({ group }) => JSON.stringify(group)))];
  const what = groups.length === 1 ? `collectives of group ${groups[0]}` : `groups ${listed(groups)}`;
  if (waits.length > 2) return `${what} are issued in orders that contradict each other: `;
  return `${what} are issued in opposite orders on rank ${waits[0].rank} and rank ${waits[1].rank}: `;
}

function listed(names: readonly string[]): string {
  if (names.length > WAITS_TOLD) {
    return `${names.slice(0, WAITS_TOLD).join(', ')} and ${grouped(names.length - WAITS_TOLD)} more`;
  }
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** `rank 0 node 7 (AllReduce 0 of G) waits for rank 1 (node 5), which first has to finish node 4 (AllReduce 0 of H), which …`. */
function chainText(steps: readonly WaitStep[]): string {
  const label = ({ id, what }: WaitStep): string => `node ${id}${what === '' ? '' : ` (${what})`}`;
  const nodesOf = steps.filter(hasStarted).length;
  let text = `rank ${steps[0].rank} ${label(steps[0])}`;
  let told = 0;
  let byOrder = false;
  for (let place = 0; place < steps.length; place++) {
    const step = steps[place];
    const isLast = place === steps.length - 1;
    const next = steps[isLast ? 0 : place + 1];
    const named = isLast ? `node ${next.id}` : label(next);
    if (hasStarted(step)) {
      if (told++ === WAITS_TOLD)
        return `${text} waits …, ${counted(nodesOf - told + 1, 'more wait')} round to rank ${steps[0].rank}`;
      text += ` waits for rank ${next.rank} (node ${next.id})`;
      if (hasStarted(next) && !isLast) text += ', which';
      continue;
    }
    // Of a way through one rank its end alone is told.
    byOrder ||= step.waitsFor === 'order';
    if (!hasStarted(next) && !isLast && place > 0 && nodesOf > 0) continue;
    text += `${place === 0 ? '' : ', which'}${byOrder ? ' by the order of issue' : ''} first has to finish ${named}`;
    byOrder = false;
    if (!isLast && hasStarted(next)) text += ', which';
  }
  return text;
}
