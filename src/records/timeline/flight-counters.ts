import type { TransferLog } from '../../replay/transfer-log.js';
import { microsText, type EventText } from './event-text.js';

/**
 * Bytes in flight over time: what a rank has sent and is not received yet, from the start of the transfer to the arrival of
 * its last byte. One counter a rank, and one of all ranks on the process of the job.
 *
 * @param drawn ranks that have a counter of their own
 * @param jobProcess process of the job
 * @param stopPs transfers that arrive later were still on their way when the run stopped
 */
export function flightCounters(
  log: TransferLog,
  drawn: readonly number[],
  jobProcess: number,
  stopPs: number,
  out: EventText,
): void {
  const bySender = new Map<number, number[]>(drawn.map((rank) => [rank, []]));
  const all: number[] = [];
  for (let row = 0; row < log.length; row++) {
    if (Number.isNaN(log.start[row]) || log.bytes[row] === 0) continue;
    all.push(row);
    bySender.get(log.sender[row])?.push(row);
  }
  counter(log, all, jobProcess, stopPs, out);
  for (const [rank, rows] of bySender) counter(log, rows, rank, stopPs, out);
}

function counter(
  { start, received, bytes }: TransferLog,
  rows: readonly number[],
  process: number,
  stopPs: number,
  out: EventText,
): void {
  const starts = Int32Array.from(rows).sort((a, b) => start[a] - start[b]);
  const arrivals = Int32Array.from(rows.filter((row) => received[row] <= stopPs && received[row] < Infinity)).sort(
    (a, b) => received[a] - received[b],
  );
  let inFlight = 0;
  let begun = 0;
  let arrived = 0;
  while (begun < starts.length || arrived < arrivals.length) {
    const nextStart = begun < starts.length ? start[starts[begun]] : Infinity;
    const nextArrival = arrived < arrivals.length ? received[arrivals[arrived]] : Infinity;
    const now = Math.min(nextStart, nextArrival);
    // All of an instant is one step of the counter.
    for (; begun < starts.length && start[starts[begun]] === now; begun++) inFlight += bytes[starts[begun]];
    for (; arrived < arrivals.length && received[arrivals[arrived]] === now; arrived++) {
      inFlight -= bytes[arrivals[arrived]];
    }
    out.add(
      `{"ph":"C","pid":${process},"name":"bytes in flight","ts":${microsText(now)},"args":{"bytes":${inFlight}}}`,
    );
  }
}
