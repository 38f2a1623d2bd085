import { counted, grouped } from '../base/counts.js';
import type { CollectivePlan } from '../collectives/plan.js';
import type { HeldUp } from '../network/network.js';
import { WaitDescriber, type StalledNode, type WaitStep } from './describe-waits.js';
import type { NodeGathering } from './gather-nodes.js';
import type { NodeLabels } from './node-label.js';
import type { NodeTable } from './node-table.js';
import { WaitGraph, type Wait } from './wait-graph.js';

const RANKS_NAMED = 16;
const NODES_NAMED = 4;

/** Why nodes did not finish; several reasons may hold at once. */
export type StallReasonCode =
  | 'unmatched-receive'
  | 'missing-participant'
  | 'dependency-cycle'
  | 'cross-rank-cycle'
  | 'stop-reached'
  | 'size-mismatch'
  | HeldUp['code'];

/** The one that a run on ASTRA-sim's system layer adds: members take each other's collectives for their own. */
export type SystemStallReasonCode = 'crossed-collectives';

export interface StallReason {
  readonly code: StallReasonCode | SystemStallReasonCode;
  /**
   * Nodes it is true of, with the ranks that only waited for acknowledgments; keys for a size mismatch; of what holds transfers up in
   * the network ports or packets.
   */
  readonly count: number;
  readonly text: string;
}

/** One rank that did not end. */
export interface StalledRank {
  readonly rank: number;
  /** Nodes that have not finished; none where only acknowledgments are missing. */
  readonly unfinished: number;
  /** A few of them: those that run, or where none runs those that wait. */
  readonly nodes: readonly StalledNode[];
}

/** Why a run came to a stop before it was done. */
export interface StallReport {
  readonly reasons: readonly StallReason[];
  /** Nodes of all ranks that have not finished. */
  readonly unfinished: number;
  /** Ranks that have not ended, in all. */
  readonly stalledRanks: number;
  /** Some of them, ascending: those where a cause lies, then those that wait. */
  readonly ranks: readonly StalledRank[];
  /** Nodes that wait for each other in a circle, where there is such a circle. */
  readonly cycle: readonly WaitStep[] | null;
  /** The same for a person. */
  readonly lines: readonly string[];
}

/** The run that is explained. */
export interface StoppedRun {
  readonly gathered: NodeGathering;
  readonly labels: NodeLabels;
  readonly plan: CollectivePlan | undefined;
  /** Whether it reached its stop; otherwise nothing was left to do. */
  readonly atStop: boolean;
  readonly endPs: number;
  /** Whether a rank has ended (R-140). */
  readonly hasEnded: (rank: number) => boolean;
  /** Nodes whose own rank keeps them from ever starting (R-043). */
  readonly inCycles: number;
  /** Keys whose two ends disagree on the size (R-068); they hold nothing up. */
  readonly sizeMismatches: number;
  /** What holds transfers up in the network. */
  readonly heldUpBy: readonly HeldUp[];
}

/** Explains a run that came to a stop, from the state it stopped in. */
export function stallReport(run: StoppedRun): StallReport {
  const { gathered, labels, plan, atStop, endPs } = run;
  const graph = new WaitGraph(gathered, plan, atStop ? endPs : Infinity);
  const describe = new WaitDescriber(gathered, graph, labels);
  const circle = graph.cycle();
  const state = stateOf(run, graph, new Set(circle?.map((node) => gathered.nodes.rank(node))));
  const cycle = circle?.map((node) => describe.step(node)) ?? null;
  const acrossRanks = cycle !== null && new Set(cycle.map(({ rank }) => rank)).size > 1;
  const reasons = reasonsOf(run, state, acrossRanks ? cycle.length : 0);
  const reports = state.named.map((rank) => rankReport(gathered.nodes, graph, describe, rank));
  const more = state.stalledRanks - reports.length;
  return {
    reasons,
    unfinished: state.unfinished,
    stalledRanks: state.stalledRanks,
    ranks: reports.map(({ rank }) => rank),
    cycle,
    lines: [
      headOf(run, state),
      ...reasons.map(({ text }) => `  ${text}`),
      ...reports.flatMap(({ lines }) => lines),
      ...(more > 0 ? [`… and ${counted(more, 'more rank')}`] : []),
      ...(circle ? describe.circle(circle) : []),
      ...run.heldUpBy.flatMap((held) => held.lines),
    ],
  };
}

/** What holds all ranks together. */
interface StalledState {
  unfinished: number;
  stalledRanks: number;
  /** Receives without a send, members of collectives that nobody joins, nodes that run. */
  receives: number;
  participants: number;
  running: number;
  /** Ranks whose nodes have finished and whose transfers are not all acknowledged (R-140). */
  unacknowledged: number;
  /** The ranks to tell of, ascending: those where a cause lies before those that wait for it. */
  named: number[];
}

/** @param inCircle ranks with a node in the circle */
function stateOf({ gathered, hasEnded }: StoppedRun, graph: WaitGraph, inCircle: ReadonlySet<number>): StalledState {
  const { nodes } = gathered;
  const state = { unfinished: 0, stalledRanks: 0, receives: 0, participants: 0, running: 0, unacknowledged: 0 };
  const causes: number[] = [];
  const others: number[] = [];
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    const unfinished = unfinishedNodes(nodes, graph, rank);
    if (unfinished.length === 0) {
      if (hasEnded(rank)) continue;
      state.unacknowledged++;
    }
    state.stalledRanks++;
    state.unfinished += unfinished.length;
    let isCause = inCircle.has(rank);
    for (const node of unfinished) {
      if (!graph.hasStarted(node)) continue;
      const wait = graph.waitOf(node);
      if (wait.kind === 'time') state.running++;
      else if (wait.kind === 'transfer' && wait.on.length === 0) state.receives++;
      else if (wait.kind === 'collective' && wait.absent.length > 0) state.participants++;
      isCause ||= waitsForNothing(wait);
    }
    (isCause ? causes : others).push(rank);
  }
  const named = [...causes, ...others].slice(0, RANKS_NAMED).sort((a, b) => a - b);
  return { ...state, named };
}

/** Whether what a node waits for does not exist. */
function waitsForNothing(wait: Wait): boolean {
  if (wait.kind === 'transfer') return wait.on.length === 0;
  return wait.kind === 'collective' && wait.absent.length > 0;
}

function headOf({ atStop }: StoppedRun, { unfinished, stalledRanks, unacknowledged }: StalledState): string {
  if (unfinished === 0) {
    const ranks = counted(unacknowledged, 'rank');
    return atStop
      ? `stop reached: all nodes had finished, ${ranks} waited for acknowledgments`
      : `stalled: all nodes have finished, ${ranks} cannot end without acknowledgments`;
  }
  const where = `${counted(unfinished, 'node')} on ${counted(stalledRanks - unacknowledged, 'rank')}`;
  return atStop ? `stop reached: ${where} had not finished` : `stalled: ${where} cannot finish`;
}

/** One rank, its causes first: nodes that run, or where none runs those that wait. */
function rankReport(
  nodes: NodeTable,
  graph: WaitGraph,
  describe: WaitDescriber,
  rank: number,
): { rank: StalledRank; lines: string[] } {
  const length = nodes.offset[rank + 1] - nodes.offset[rank];
  const unfinished = unfinishedNodes(nodes, graph, rank);
  if (unfinished.length === 0) {
    const text = `rank ${rank}: ${length === 1 ? 'its node has' : `all ${grouped(length)} nodes have`} finished`;
    return {
      rank: { rank, unfinished: 0, nodes: [] },
      lines: [`${text}, a transfer it sent or received is not acknowledged`],
    };
  }
  const running = unfinished.filter((node) => graph.hasStarted(node));
  const isCause = (node: number): boolean => waitsForNothing(graph.waitOf(node));
  const candidates =
    running.length > 0 ? [...running.filter(isCause), ...running.filter((node) => !isCause(node))] : unfinished;
  const named = candidates.slice(0, NODES_NAMED).map((node) => describe.node(node));
  const more = candidates.length - named.length;
  return {
    rank: { rank, unfinished: unfinished.length, nodes: named },
    lines: [
      `rank ${rank}: ${grouped(unfinished.length)} of ${counted(length, 'node')} not finished`,
      ...named.map(({ text }) => `  ${text}`),
      ...(more > 0 ? [`  … and ${grouped(more)} more`] : []),
    ],
  };
}

function reasonsOf(
  { atStop, inCycles, sizeMismatches, heldUpBy }: StoppedRun,
  { receives, participants, running, unacknowledged }: StalledState,
  acrossRanks: number,
): StallReason[] {
  const reasons: StallReason[] = [];
  const add = (code: StallReasonCode, count: number, text: string): void => {
    if (count > 0) reasons.push({ code, count, text });
  };
  if (atStop) {
    const underWay = running === 0 ? [] : [`${counted(running, 'node')} ran or had a transfer under way`];
    const waited = unacknowledged === 0 ? [] : [`${counted(unacknowledged, 'rank')} waited for acknowledgments only`];
    add('stop-reached', running + unacknowledged, [...underWay, ...waited].join(', '));
  }
  add('unmatched-receive', receives, `${counted(receives, 'receive')} nobody sends to`);
  const members = counted(participants, 'member');
  add('missing-participant', participants, `${members} in collectives that another member never joins`);
  add('dependency-cycle', inCycles, `${counted(inCycles, 'node')} behind a cycle of dependencies on one rank`);
  add('cross-rank-cycle', acrossRanks, `ranks that wait for each other, through ${counted(acrossRanks, 'node')}`);
  const keys = counted(sizeMismatches, 'pair');
  add('size-mismatch', sizeMismatches, `${keys} of send and receive with different sizes; that alone holds nothing up`);
  for (const { code, count, text } of heldUpBy) add(code, count, text);
  return reasons;
}

function unfinishedNodes(nodes: NodeTable, graph: WaitGraph, rank: number): number[] {
  const found: number[] = [];
  for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
    if (graph.isUnfinished(node)) found.push(node);
  }
  return found;
}
