import { BusyTime, placesByStart } from '../../base/busy-time.js';
import type { Span, StopwatchReading } from '../../base/stopwatch.js';
import { timingReport, type MeasuredExecutor, type MeasuredTransfer, type TimingReport } from './timing-report.js';

const NS_PER_MS = 1e6;
const PS_PER_NS = 1000;

/**
 * The wall-clock report of a command: an executor for each kind of work, in the order in which they first began, a line for
 * each span. A span within another of the same executor is a part of it: it comes behind it, one deeper, and its bytes
 * count in the outer one. Spans that still run are unfinished.
 */
export function timingOfSpans(name: string, reading: StopwatchReading): TimingReport {
  const { spans, endMs } = reading;
  const all = new BusyTime();
  const executors = new Map<string, { busy: BusyTime; places: number[] }>();
  // Whole ns, which add up exactly; no clock of ours is finer.
  const sinceStart = (timeMs: number): number => Math.round((timeMs - reading.startMs) * NS_PER_MS);
  for (const place of placesByStart(spans.map((span) => span.startMs))) {
    const span = spans[place];
    const startNs = sinceStart(span.startMs);
    const endNs = sinceStart(span.endMs ?? endMs);
    all.add(startNs, endNs);
    let executor = executors.get(span.executor);
    if (executor === undefined) executors.set(span.executor, (executor = { busy: new BusyTime(), places: [] }));
    executor.busy.add(startNs, endNs);
    executor.places.push(place);
  }
  const bytes = bytesWithParts(spans);
  const timePs = sinceStart(endMs) * PS_PER_NS;
  return timingReport(
    { name, clock: 'wall', timePs, outsidePs: timePs - all.length * PS_PER_NS },
    Array.from(executors, ([executor, { busy, places }]): MeasuredExecutor => {
      const lines = outermostFirst(spans, places);
      return {
        name: executor,
        timePs: busy.length * PS_PER_NS,
        transfers: lines.map((place) => line(spans, place, bytes[place])),
      };
    }),
  );
}

function line(spans: readonly Span[], place: number, bytes: number | null): MeasuredTransfer {
  const span = spans[place];
  const around = enclosing(spans, place);
  return {
    name: span.name,
    path: span.path === '' ? [span.executor, ...around, span.name].join(' -> ') : span.path,
    count: 1,
    bytes,
    timePs: span.endMs === null ? null : Math.round((span.endMs - span.startMs) * NS_PER_MS) * PS_PER_NS,
    unfinished: span.endMs === null ? 1 : 0,
    unfinishedBytes: 0,
    depth: around.length,
  };
}

/** Names of the spans around one, the outermost first. */
function enclosing(spans: readonly Span[], place: number): string[] {
  const names: string[] = [];
  for (let at = spans[place].within; at >= 0; at = spans[at].within) names.unshift(spans[at].name);
  return names;
}

/** By place: bytes of a span and of all spans within it. */
function bytesWithParts(spans: readonly Span[]): (number | null)[] {
  const bytes = spans.map((span) => span.bytes);
  // A span begins after the one around it, so that it has all its parts when it is added to that one.
  for (let place = spans.length - 1; place >= 0; place--) {
    const { within } = spans[place];
    const part = bytes[place];
    if (within >= 0 && part !== null) bytes[within] = (bytes[within] ?? 0) + part;
  }
  return bytes;
}

/** Places in ascending start such that each span comes directly before its parts. */
function outermostFirst(spans: readonly Span[], places: readonly number[]): number[] {
  const parts = new Map<number, number[]>();
  for (const place of places) {
    const { within } = spans[place];
    const siblings = parts.get(within);
    if (siblings) siblings.push(place);
    else parts.set(within, [place]);
  }
  const ordered: number[] = [];
  const visit = (within: number): void => {
    for (const place of parts.get(within) ?? []) {
      ordered.push(place);
      visit(place);
    }
  };
  visit(-1);
  return ordered;
}
