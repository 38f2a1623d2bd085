import type { NodeTimes, ReplayOutcome } from '../../replay/outcome.js';
import { collectiveName } from '../../trace/collective-type.js';
import { indicesById } from '../../trace/id-order.js';
import { nodeId } from '../../trace/listed-ids.js';
import { nodeName } from '../../trace/node-label.js';
import { isTransfer, nodeTypeName, NodeType } from '../../trace/node-type.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { microsText, type EventText } from './event-text.js';
import { lanesOf, MOST_LANES, NO_LANE, type LeftOut } from './lanes.js';
import { memberSlices } from './member-slices.js';
import { processMetadata, nameThreads, Track, TRACKS, trackOf } from './tracks.js';

/** Where the transfers of a rank are drawn, for the arrows between them. */
export interface RankTransfers {
  /** [nodes] thread of a send or receive by its place among the rank's nodes in ascending id; 0 where it is not drawn. */
  readonly thread: Int32Array;
  /** Receives that started, by sender, then tag, then start, then place. */
  readonly receives: readonly ReceiveSlice[];
}

export interface ReceiveSlice {
  readonly sender: number;
  readonly tag: number;
  readonly startPs: number;
  readonly endPs: number;
  /** 0 where it is not drawn. */
  readonly thread: number;
}

/** Writes the process, the threads and the slices of one rank. */
export function writeRankSlices(
  trace: RankTrace,
  times: NodeTimes,
  outcome: ReplayOutcome,
  out: EventText,
  leftOut: LeftOut,
): RankTransfers {
  const { rank, length } = trace;
  const end = endsOf(trace, times, lastInstant(outcome));
  const order = byId(trace);
  const place = new Int32Array(length);
  order.forEach((node, at) => (place[node] = at));
  out.add(processMetadata(rank, 0, 'process_name', `"name":"rank ${rank}"`));
  out.add(processMetadata(rank, 0, 'process_sort_index', `"sort_index":${rank}`));
  memberSlices(trace, times.start, end, out, leftOut);
  const thread = new Int32Array(length);
  for (let track = Track.npu; track < TRACKS.length; track++) {
    const nodes = nodesOf(trace, times.start, order, track, leftOut);
    const { lane, used } = lanesOf(nodes, times.start, end, MOST_LANES);
    nameThreads(rank, track, used, out);
    nodes.forEach((node, at) => {
      if (lane[at] === NO_LANE) {
        leftOut.overlapping++;
        return;
      }
      thread[place[node]] = TRACKS[track].firstThread + lane[at];
      out.add(slice(trace, node, thread[place[node]], times, end[node]));
    });
  }
  return { thread, receives: receivesOf(trace, times.start, end, order, thread) };
}

/** When the run reached its stop or, where it finished or stalled, the last thing happened: a stalled run is not drawn to its stop. */
export function lastInstant({ status, stopPs, ranks }: ReplayOutcome): number {
  if (status === 'limit') return stopPs;
  return ranks.reduce((latest, { endPs }) => Math.max(latest, endPs), 0);
}

/** A node that waits for ever from the last instant on is still to be seen, ps. */
const SHORTEST_UNFINISHED_PS = 1000;

/** Ends of nodes, ps; of one that did not finish the last instant of the run, NaN of one that did not start. */
function endsOf({ length }: RankTrace, { start, finish }: NodeTimes, lastPs: number): Float64Array {
  const end = new Float64Array(length);
  for (let node = 0; node < length; node++) {
    const isFinished = finish[node] < Infinity;
    end[node] = isFinished ? finish[node] : Math.max(start[node] + SHORTEST_UNFINISHED_PS, lastPs);
  }
  return end;
}

function byId(trace: RankTrace): Int32Array {
  return indicesById(trace) ?? Int32Array.from({ length: trace.length }, (_, node) => node);
}

/** Nodes of a track that started, by start, then id. */
function nodesOf(trace: RankTrace, start: Float64Array, order: Int32Array, track: number, leftOut: LeftOut): number[] {
  const nodes: number[] = [];
  for (const node of order) {
    if (trackOf(trace, node) !== track) continue;
    if (Number.isNaN(start[node])) leftOut.notStarted++;
    else nodes.push(node);
  }
  return nodes.sort((a, b) => start[a] - start[b]); // stable: ties stay in the order of ids
}

function slice(trace: RankTrace, node: number, thread: number, times: NodeTimes, endPs: number): string {
  const { rank, type } = trace;
  const id = nodeId(trace, node);
  const name = nodeName(trace, node);
  const shown = name === '' ? `${nodeTypeName(type[node])} ${id}` : name;
  const startPs = times.start[node];
  const args = [`"id":${JSON.stringify(id)}`, `"type":"${nodeTypeName(type[node])}"`];
  if (isTransfer(type[node])) args.push(...transferArguments(trace, node, times));
  else if (trace.durationMicros[node] !== 0) args.push(`"durationMicros":${trace.durationMicros[node]}`);
  const isFinished = times.finish[node] < Infinity;
  if (!isFinished) args.push('"unfinished":true');
  const color = isFinished ? '' : ',"cname":"terrible"';
  return (
    `{"ph":"X","pid":${rank},"tid":${thread},"ts":${microsText(startPs)},"dur":${microsText(Math.round(endPs) - Math.round(startPs))},` +
    `"name":${JSON.stringify(shown)},"cat":"${TRACKS[trackOf(trace, node)].name}"${color},"args":{${args.join(',')}}}`
  );
}

function transferArguments(trace: RankTrace, node: number, { acknowledged }: NodeTimes): string[] {
  const { type, peer, commSize, commTag, collective, collectives } = trace;
  const isSend = type[node] === NodeType.send;
  const args = [`"${isSend ? 'to' : 'from'}":${peer[node]}`];
  if (!Number.isNaN(commSize[node])) args.push(`"bytes":${commSize[node]}`);
  if (!Number.isNaN(commTag[node])) args.push(`"tag":${commTag[node]}`);
  if (isSend && acknowledged[node] < Infinity) args.push(`"acknowledgedMicros":${microsText(acknowledged[node])}`);
  if (collective[node] >= 0) {
    const { group, type: collectiveType, instance } = collectives[collective[node]];
    args.push(`"collective":${JSON.stringify(`${collectiveName(collectiveType)} ${instance} of ${group}`)}`);
  }
  return args;
}

function receivesOf(
  trace: RankTrace,
  start: Float64Array,
  end: Float64Array,
  order: Int32Array,
  thread: Int32Array,
): ReceiveSlice[] {
  const receives: ReceiveSlice[] = [];
  order.forEach((node, place) => {
    if (trace.type[node] !== NodeType.receive || Number.isNaN(start[node])) return;
    const tag = Number.isNaN(trace.commTag[node]) ? 0 : trace.commTag[node]; // R-021
    const when = { startPs: start[node], endPs: end[node] };
    receives.push({ sender: trace.peer[node], tag, ...when, thread: thread[place] });
  });
  return receives.sort((a, b) => a.sender - b.sender || a.tag - b.tag || a.startPs - b.startPs);
}
