import { counted, grouped } from '../base/counts.js';
import type { SystemStall, SystemStalledNode, SystemStalledRank, SystemStallReason } from './outcome.js';
import { placesOf } from './places-of.js';
import type { RanSystem } from './ran-system.js';
import { crossedText } from './run-findings.js';
import type { SystemEngine } from './system-engine.js';
import { NodeState, type SystemNodes } from './system-nodes.js';
import { StalledWaits, type WaitCause } from './stalled-waits.js';

const RANKS_NAMED = 10;
const NODES_NAMED = 4;

/** The nodes of a rank that did not finish. */
interface LeftNodes {
  readonly rank: number;
  /** Issued and not over. */
  readonly inFlight: readonly number[];
  /** Without dependencies that are left, while what is in flight holds their slot. */
  readonly ready: number;
  /** Behind dependencies. */
  readonly behind: number;
}

/** Why ranks did not finish, from where the run stands. */
export function systemStall(ran: RanSystem): SystemStall {
  const { engine, nodes, standsFor } = ran;
  const left = leftNodes(nodes);
  const waits = new StalledWaits(ran);
  const reasons = engine.cutOff ? [stopReason(left, standsFor)] : stallReasons(left, waits, engine);
  const ranks = left.slice(0, RANKS_NAMED).map((each) => rankReport(ran, waits, each));
  const unfinished = standsFor * left.reduce((sum, each) => sum + unfinishedOf(each), 0);
  const stalled = standsFor * left.length;
  const where = `${counted(unfinished, 'node')} on ${counted(stalled, 'rank')}`;
  const more = stalled - ranks.length;
  return {
    reasons,
    ranks: ranks.map(({ rank }) => rank),
    lines: [
      engine.cutOff ? `stop reached: ${where} had not finished` : `stalled: ${where} cannot finish`,
      ...reasons.map(({ text }) => `  ${text}`),
      ...ranks.flatMap(({ lines }) => lines),
      ...(more > 0 ? [`… and ${counted(more, 'more rank')}`] : []),
    ],
  };
}

function leftNodes({ offset, waiting, rankCount }: SystemNodes): LeftNodes[] {
  const found: LeftNodes[] = [];
  for (let rank = 0; rank < rankCount; rank++) {
    const inFlight: number[] = [];
    let ready = 0;
    let behind = 0;
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (waiting[node] === NodeState.inFlight) inFlight.push(node);
      else if (waiting[node] === 0) ready++;
      else if (waiting[node] > 0) behind++;
    }
    if (inFlight.length + ready + behind > 0) found.push({ rank, inFlight, ready, behind });
  }
  return found;
}

function unfinishedOf({ inFlight, ready, behind }: LeftNodes): number {
  return inFlight.length + ready + behind;
}

function stopReason(left: readonly LeftNodes[], standsFor: number): SystemStallReason {
  const count = standsFor * left.reduce((sum, { inFlight }) => sum + inFlight.length, 0);
  return { code: 'stop-reached', count, text: `${counted(count, 'node')} ran or had a transfer under way` };
}

/** The crossed ones first: what else there is often follows from them. */
function stallReasons(left: readonly LeftNodes[], waits: StalledWaits, { rows }: SystemEngine): SystemStallReason[] {
  const reasons: SystemStallReason[] = [];
  const crossed = new Set(waits.circular);
  let first = '';
  rows.forEachCrossed((group, row, other) => {
    crossed.add(row);
    if (first === '') first = crossedText(group, row, other);
  });
  if (crossed.size > 0) {
    const text = `${counted(crossed.size, 'collective')} begun in different orders: ${first || waits.circularText()}`;
    reasons.push({ code: 'crossed-collectives', count: crossed.size, text });
  }
  const counts = new Map<WaitCause, number>();
  for (const { inFlight } of left) {
    for (const node of inFlight) {
      const cause = waits.causeOf(node);
      if (cause !== undefined) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
  }
  for (const [code, text] of CAUSES) {
    const count = counts.get(code);
    if (count !== undefined) reasons.push({ code, count, text: text(count) });
  }
  return reasons;
}

const CAUSES: readonly (readonly [WaitCause, (count: number) => string])[] = [
  ['missing-participant', (count) => `${counted(count, 'member')} in collectives that another member never begins`],
  ['unmatched-receive', (count) => `${counted(count, 'receive')} nobody sends to`],
  ['size-mismatch', (count) => `${counted(count, 'receive')} for which a message of another size came`],
];

function rankReport(
  { run, nodes }: RanSystem,
  waits: StalledWaits,
  left: LeftNodes,
): { rank: SystemStalledRank; lines: string[] } {
  const { rank, inFlight, ready, behind } = left;
  const named = inFlight.slice(0, NODES_NAMED);
  const places = placesOf(run, nodes, rank, named);
  const reports: SystemStalledNode[] = named.map((node, index) => waits.report(node, places[index]));
  const unfinished = unfinishedOf(left);
  const rest = [
    ...(inFlight.length > named.length ? [`${grouped(inFlight.length - named.length)} more under way`] : []),
    ...(ready > 0 ? [`${grouped(ready)} ready, for which there is no slot`] : []),
    ...(behind > 0 ? [`${grouped(behind)} behind dependencies`] : []),
  ];
  return {
    rank: { rank, unfinished, nodes: reports },
    lines: [
      `rank ${rank}: ${grouped(unfinished)} of ${counted(nodes.offset[rank + 1] - nodes.offset[rank], 'node')} not finished`,
      ...reports.map(({ text }) => `  ${text}`),
      ...(rest.length > 0 ? [`  … and ${rest.join(', ')}`] : []),
    ],
  };
}
