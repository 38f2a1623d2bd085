import type { EventText } from './event-text.js';
import { isMemory, isTransfer, NodeType } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';

/** What a rank's nodes run on, one group of threads each; the number of a group's first thread. */
export const TRACKS = [
  { name: 'collectives', firstThread: 1 },
  { name: 'NPU', firstThread: 101 },
  { name: 'CPU', firstThread: 201 },
  { name: 'memory', firstThread: 301 },
  { name: 'sends', firstThread: 401 },
  { name: 'receives', firstThread: 501 },
] as const;

export const Track = { collectives: 0, npu: 1, cpu: 2, memory: 3, sends: 4, receives: 5 } as const;

/** Track of a node; −1 for one that takes no time and is on none: metadata, the exit of a collective. */
export function trackOf(trace: RankTrace, node: number): number {
  const type = trace.type[node];
  if (isTransfer(type)) return type === NodeType.send ? Track.sends : Track.receives;
  if (type === NodeType.compute) return (trace.flags[node] & NodeFlag.cpu) !== 0 ? Track.cpu : Track.npu;
  if (isMemory(type)) return Track.memory;
  return -1;
}

/** Names the threads of a track that are used, in the order of the tracks. */
export function nameThreads(rank: number, track: number, used: number, out: EventText): void {
  const { name, firstThread } = TRACKS[track];
  for (let lane = 0; lane < used; lane++) {
    const label = lane === 0 ? name : `${name} ${lane + 1}`;
    out.add(processMetadata(rank, firstThread + lane, 'thread_name', `"name":"${label}"`));
    out.add(processMetadata(rank, firstThread + lane, 'thread_sort_index', `"sort_index":${firstThread + lane}`));
  }
}

/** A metadata event of a process or of one of its threads. */
export function processMetadata(process: number, thread: number, name: string, args: string): string {
  return `{"ph":"M","pid":${process},"tid":${thread},"name":"${name}","args":{${args}}}`;
}
