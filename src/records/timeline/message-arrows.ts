import type { TransferLog } from '../../replay/transfer-log.js';
import { microsText, type EventText } from './event-text.js';
import type { LeftOut } from './lanes.js';
import type { RankTransfers, ReceiveSlice } from './rank-slices.js';

/** 1 ns: the trace processor of Perfetto counts in whole ns, and an arrow must end inside its slice. */
const INSIDE_PS = 1000;

/**
 * An arrow from the slice of each send to the slice of the receive that takes its transfer. Sends and receives of one pair of
 * ranks and one tag belong together as the replay matches them: the k-th transfer to complete and the k-th receive to start.
 *
 * @param ranks by rank; undefined for a rank that is not drawn
 */
export function messageArrows(
  log: TransferLog,
  ranks: readonly (RankTransfers | undefined)[],
  out: EventText,
  leftOut: LeftOut,
): void {
  const rows = startedRows(log);
  let at = 0;
  while (at < rows.length) {
    const receiver = log.receiver[rows[at]];
    const receives = ranks[receiver]?.receives ?? [];
    let next = 0;
    for (; at < rows.length && log.receiver[rows[at]] === receiver; at++) {
      const row = rows[at];
      while (next < receives.length && isBefore(receives[next], log.sender[row], log.tag[row])) next++;
      const receive = receives[next];
      const isTaken = receive !== undefined && receive.sender === log.sender[row] && receive.tag === log.tag[row];
      if (isTaken) next++;
      const from = ranks[log.sender[row]]?.thread[log.sendPlace[row]] ?? 0;
      if (!isTaken || receive.thread === 0 || from === 0) leftOut.arrows++;
      else arrow(log, row, from, receive, out);
    }
  }
}

/** Rows whose transfer started, by receiver, sender, tag, completion; those that did not complete last, by start. */
function startedRows({ length, receiver, sender, tag, start, received }: TransferLog): Int32Array {
  const done = (row: number): number => (received[row] < Infinity ? received[row] : Number.MAX_VALUE);
  let count = 0;
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) if (!Number.isNaN(start[row])) rows[count++] = row;
  return rows
    .subarray(0, count)
    .sort(
      (a, b) =>
        receiver[a] - receiver[b] ||
        sender[a] - sender[b] ||
        tag[a] - tag[b] ||
        done(a) - done(b) ||
        start[a] - start[b],
    );
}

function isBefore(receive: ReceiveSlice, sender: number, tag: number): boolean {
  return receive.sender < sender || (receive.sender === sender && receive.tag < tag);
}

function arrow(log: TransferLog, row: number, from: number, receive: ReceiveSlice, out: EventText): void {
  const { sender, receiver, start, received } = log;
  const ends = received[row] < Infinity ? received[row] : receive.endPs;
  const endPs = Math.max(receive.startPs, Math.min(ends, receive.endPs - INSIDE_PS));
  const shared = `"id":${row + 1},"name":"message","cat":"message"`;
  out.add(`{"ph":"s",${shared},"pid":${sender[row]},"tid":${from},"ts":${microsText(start[row])}}`);
  out.add(`{"ph":"f","bp":"e",${shared},"pid":${receiver[row]},"tid":${receive.thread},"ts":${microsText(endPs)}}`);
}
