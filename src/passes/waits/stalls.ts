import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import type { CollectivePairing } from '../../collectives/build-plan.js';
import { idOfPlace } from '../transfer-columns.js';
import { UntimedGraph, type AddedOrder } from './untimed-graph.js';
import { UntimedRun } from './untimed-run.js';
import { waitCircle } from './wait-circle.js';
import { describeCircle, type WaitCycle } from './wait-cycle.js';
import type { WaitSurvey } from './wait-survey.js';

/** Links that a finding lists. */
const LINKS_LISTED = 100;
/** Receives that a finding lists. */
const RECEIVES_LISTED = 8;

/** What closes a circle that the traces alone do not have. */
type Closing = 'serialize' | 'sync' | 'serialize and sync';

/**
 * Whether a traceset whose other findings hold no error can stall, on whatever network, as it is and with what passes
 * would add to its order: `WAIT_CYCLE` where it does in every run, `STALL_POSSIBLE` where that depends on which receive of a
 * key gets which message. No finding means that every run finishes. Of several circles one is named.
 *
 * An order that is added only holds back more, so a traceset that finishes with all of it finishes without; the search
 * for what is to blame is made only where it does not.
 *
 * @param surveys one for every rank of the plan, by rank
 */
export function findStalls(surveys: readonly WaitSurvey[], plan: CollectivePairing, added: AddedOrder): Finding[] {
  const chain = added.chain?.some(({ to }) => to.length > 0) ? { chain: added.chain } : {};
  const run = new UntimedRun(new UntimedGraph(surveys, plan, { ...chain, sync: added.sync }), 'latest');
  if (run.hasFinished) return [];
  const parts: [Closing | undefined, AddedOrder][] = [[undefined, { sync: false }]];
  if ('chain' in chain) parts.push(['serialize', { ...chain, sync: false }]);
  if (added.sync) parts.push(['sync', { sync: true }]);
  if ('chain' in chain && added.sync) parts.push(['serialize and sync', { ...chain, sync: true }]);
  for (const [closing, order] of parts) {
    const found = stallOf(new UntimedGraph(surveys, plan, order), closing);
    if (found !== undefined) return [found];
  }
  return [];
}

function stallOf(graph: UntimedGraph, closing: Closing | undefined): Finding | undefined {
  const latest = new UntimedRun(graph, 'latest');
  if (latest.hasFinished) return undefined;
  const earliest = new UntimedRun(graph, 'earliest');
  const certain = earliest.hasFinished ? undefined : waitCircle(earliest);
  if (certain !== undefined) return waitCycleFinding(describeCircle(earliest, certain), closing);
  const possible = waitCircle(latest);
  return possible && stallPossible(latest, possible, closing);
}

/** The finding that names a wait cycle. */
export function waitCycleFinding(cycle: WaitCycle, closing?: Closing): Finding {
  return finding('WAIT_CYCLE', `${closingText(closing)}${cycle.text}`, factsOf(cycle, closing));
}

function stallPossible(run: UntimedRun, circle: readonly number[], closing: Closing | undefined): Finding | undefined {
  const { keys, graph } = run;
  const cycle = describeCircle(run, circle);
  const contested = (vertex: number): boolean =>
    run.hasStarted(vertex) &&
    !run.isFinished(vertex) &&
    keys.isReceive(vertex) &&
    keys.receives(keys.of[vertex]).length > 1;
  let receive = circle.find(contested) ?? -1;
  for (let vertex = 0; vertex < keys.of.length && receive < 0; vertex++) if (contested(vertex)) receive = vertex;
  if (receive < 0) return waitCycleFinding(cycle, closing);
  const at = graph.rankOf(receive);
  const { skeleton } = graph.surveys[at];
  const place = receive - graph.offset[at];
  const [tag, sender] = [skeleton.tag[place], skeleton.peer[place]];
  const receives = [...keys.receives(keys.of[receive])].sort((left, right) => left - right);
  const ids = receives.slice(0, RECEIVES_LISTED).map((vertex) => idOfPlace(skeleton, vertex - graph.offset[at]));
  const more = receives.length > ids.length ? ` and ${receives.length - ids.length} more` : '';
  const message =
    `${closingText(closing)}rank ${skeleton.rank} has ${receives.length} receives from rank ${sender} with tag ${tag} ` +
    `(nodes ${ids.join(', ')}${more}) that may start in more than one order, and in some order ${cycle.text}`;
  return finding('STALL_POSSIBLE', message, {
    rank: skeleton.rank,
    nodes: ids,
    tag,
    sender,
    receiver: skeleton.rank,
    ...factsOf(cycle, closing, 'STALL_POSSIBLE'),
  });
}

function factsOf(cycle: WaitCycle, closing: Closing | undefined, code = 'WAIT_CYCLE'): Partial<Finding> {
  const advice = adviceFor(cycle, closing, code);
  return {
    cycle: cycle.steps
      .slice(0, LINKS_LISTED)
      .map(({ rank, id, what, waitsFor }) => ({ rank, node: id, what, waitsFor })),
    cycleLength: cycle.steps.length,
    ...(closing === undefined ? {} : { closedBy: closing }),
    ...(advice === undefined ? {} : { advice }),
  };
}

function closingText(closing: Closing | undefined): string {
  switch (closing) {
    case undefined:
      return '';
    case 'serialize':
      return 'once collectives are chained in their order of issue, as simulate does by default: ';
    case 'sync':
      return 'once barriers stand before the collectives, as simulate does by default: ';
    case 'serialize and sync':
      return 'once collectives are chained in their order of issue and get barriers, as simulate does by default: ';
  }
}

function adviceFor({ steps }: WaitCycle, closing: Closing | undefined, code: string): string | undefined {
  const flags = { serialize: '--no-serialize', sync: '--no-sync', 'serialize and sync': '--no-serialize or --no-sync' };
  const mend = code === 'WAIT_CYCLE' ? mendingText(steps) : 'give every message a tag of its own';
  return closing === undefined ? mend : `${mend}, or use ${flags[closing]}`;
}

function mendingText(steps: WaitCycle['steps']): string {
  const waits = steps.filter(({ waitsFor }) => waitsFor === 'members' || waitsFor === 'send');
  if (waits.every(({ group }) => group !== undefined)) return 'issue the collectives in one order on all ranks';
  if (waits.every(({ group }) => group === undefined)) return 'let one of the ranks send before it receives';
  return 'issue collectives and messages in one order on all ranks';
}
