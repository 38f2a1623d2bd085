import type { HostTrace } from '../formats/pytorch/host-trace.js';
import { AlignmentTarget, type Alignment } from './align-sequences.js';
import { lowerBound } from './lower-bound.js';
import type { Spans, StartOrder } from './start-order.js';

/** Host nodes and host events brought together without ids. */
export interface NameMatch {
  readonly hostEvent: Int32Array; // [host.length] −1 where there is none
  readonly pairs: number;
  /** Which thread of the host trace is which of the device trace, with how many nodes have their event there. */
  readonly threads: readonly {
    readonly host: number;
    readonly device: number;
    readonly pairs: number;
    readonly nodes: number;
  }[];
  /** Places in the device trace that fit as well as the one that was taken, itself among them; 64 stands for more. */
  readonly equallyGood: number;
}

/** Threads of the device trace that a thread of the host trace is laid along. */
const THREADS_TRIED = 3;
/** Part of a thread's runs that have to occur in another for it to be tried. */
const LEAST_RESEMBLANCE = 0.25;
/** Ways of the longest thread that are weighed against those of the others. */
export const WAYS_WEIGHED = 64;
/** Nodes of a thread whose order against the longest thread is looked at. */
const ORDER_SAMPLES = 128;

interface HostThread {
  readonly thread: number;
  readonly nodes: Int32Array; // in the order in which they started
  readonly names: Int32Array;
}

interface Way extends Alignment {
  readonly device: number; // place in starts.threads
}

/**
 * Matches by name and order: each thread of the host trace is laid along the thread of the device trace whose names run alike.
 * The host trace covers some iterations of the device trace, or the other way round; threads are numbered differently.
 *
 * The longest thread is laid first. Where several ways match as many nodes, as equal iterations do, the ways of the other threads
 * decide: nodes are numbered over all threads in the order in which they started, so a way is the better the more of its
 * events lie between those of the nodes around it in the longest thread. What is equal even then is settled for the earliest.
 * @param started nodes that may have an event, ascending in the order in which they started; @param order their place in it
 */
export function matchByName(
  host: HostTrace,
  hostName: Int32Array,
  started: Int32Array,
  order: Float64Array,
  events: Spans,
  eventName: Int32Array,
  starts: StartOrder,
): NameMatch {
  const targets = Array.from(
    starts.threads,
    (_, t) =>
      new AlignmentTarget(
        starts.order.slice(starts.threadStart[t], starts.threadStart[t + 1]).map((event) => eventName[event]),
      ),
  );
  const threads = hostThreads(host, hostName, started);
  const waysOf = threads.map(({ names }) => waysAlong(names, targets));
  const eventAt = (way: Way, place: number): number =>
    starts.order[starts.threadStart[way.device] + way.partner[place]];

  const [first, ...others] = waysOf;
  let best: { total: number; inOrder: number; chosen: (Way | undefined)[] } | undefined;
  let equallyGood = 0;
  const most = first?.[0]?.matched ?? 0;
  for (const way of (first ?? []).filter(({ matched }) => matched === most).slice(0, WAYS_WEIGHED)) {
    const clock = clockOf(threads[0].nodes, order, events, (place) =>
      way.partner[place] < 0 ? -1 : eventAt(way, place),
    );
    const taken = new Set([way.device]);
    const chosen: (Way | undefined)[] = [way];
    let total = way.matched;
    let inOrder = way.matched;
    others.forEach((ways, i) => {
      let choice: { way: Way; inOrder: number } | undefined;
      for (const other of ways) {
        if (taken.has(other.device)) continue;
        const place = partInOrder(
          threads[i + 1].nodes,
          order,
          clock,
          other,
          events,
          (at) => eventAt(other, at),
          starts.roundingNs,
        );
        const weighed = place * other.matched;
        if (choice === undefined || weighed > choice.inOrder) choice = { way: other, inOrder: weighed };
      }
      chosen.push(choice?.way);
      if (choice === undefined) return;
      taken.add(choice.way.device);
      total += choice.way.matched;
      inOrder += choice.inOrder;
    });
    if (best === undefined || inOrder > best.inOrder) {
      best = { total, inOrder, chosen };
      equallyGood = 1;
    } else if (inOrder === best.inOrder) equallyGood++;
  }

  const hostEvent = new Int32Array(host.length).fill(-1);
  const found: { host: number; device: number; pairs: number; nodes: number }[] = [];
  best?.chosen.forEach((way, i) => {
    if (way === undefined) return;
    const { nodes, thread } = threads[i];
    for (let place = 0; place < nodes.length; place++) {
      if (way.partner[place] >= 0) hostEvent[nodes[place]] = eventAt(way, place);
    }
    found.push({ host: thread, device: starts.threads[way.device], pairs: way.matched, nodes: nodes.length });
  });
  return { hostEvent, pairs: best?.total ?? 0, threads: found, equallyGood };
}

/** Threads of the host trace, the longest first. */
function hostThreads(host: HostTrace, hostName: Int32Array, started: Int32Array): HostThread[] {
  const byThread = new Map<number, number[]>();
  for (const node of started) {
    const nodes = byThread.get(host.thread[node]);
    if (nodes === undefined) byThread.set(host.thread[node], [node]);
    else nodes.push(node);
  }
  return [...byThread]
    .map(([thread, nodes]) => ({
      thread,
      nodes: Int32Array.from(nodes),
      names: Int32Array.from(nodes, (node) => hostName[node]),
    }))
    .sort((a, b) => b.nodes.length - a.nodes.length || a.thread - b.thread);
}

/** Ways to lay names along the device threads that resemble them most, best first. */
function waysAlong(names: Int32Array, targets: readonly AlignmentTarget[]): Way[] {
  return targets
    .map((target, device) => ({ target, device, resemblance: target.resemblance(names) }))
    .filter(({ resemblance }) => resemblance >= LEAST_RESEMBLANCE)
    .sort((a, b) => b.resemblance - a.resemblance)
    .slice(0, THREADS_TRIED)
    .flatMap(({ target, device }) => target.alignments(names).map((way) => ({ ...way, device })))
    .sort((a, b) => b.matched - a.matched || a.start - b.start);
}

/** When nodes of the longest thread started, by their place in the order over all threads. */
interface Clock {
  readonly order: Float64Array; // ascending
  readonly startNs: Float64Array;
}

function clockOf(nodes: Int32Array, order: Float64Array, events: Spans, eventAt: (place: number) => number): Clock {
  const places = new Float64Array(nodes.length);
  const startNs = new Float64Array(nodes.length);
  let length = 0;
  for (let place = 0; place < nodes.length; place++) {
    const event = eventAt(place);
    if (event < 0) continue;
    places[length] = order[nodes[place]];
    startNs[length++] = events.startNs[event];
  }
  return { order: places.subarray(0, length), startNs: startNs.subarray(0, length) };
}

/** Part of a thread's nodes, of some evenly spaced ones, whose events lie between those of the clock's nodes around them. */
function partInOrder(
  nodes: Int32Array,
  order: Float64Array,
  clock: Clock,
  way: Way,
  events: Spans,
  eventAt: (place: number) => number,
  roundingNs: number,
): number {
  const samples = Math.min(ORDER_SAMPLES, nodes.length);
  let looked = 0;
  let inOrder = 0;
  for (let i = 0; i < samples; i++) {
    const place = Math.floor((i * nodes.length) / samples);
    if (way.partner[place] < 0) continue;
    looked++;
    const startNs = events.startNs[eventAt(place)];
    const next = lowerBound(clock.order, order[nodes[place]]);
    const afterBefore = next === 0 || startNs >= clock.startNs[next - 1] - roundingNs;
    const beforeAfter = next === clock.order.length || startNs <= clock.startNs[next] + roundingNs;
    if (afterBefore && beforeAfter) inOrder++;
  }
  return looked === 0 ? 0 : inOrder / looked;
}
