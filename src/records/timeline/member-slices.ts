import { collectiveName } from '../../trace/collective-type.js';
import { isTransfer } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { microsText, type EventText } from './event-text.js';
import { lanesOf, MOST_LANES, NO_LANE, type LeftOut } from './lanes.js';
import { nameThreads, Track, TRACKS } from './tracks.js';

/**
 * A slice for the rank's share of each collective: from the start of its first transfer to the end of its last. Barriers that
 * `sync` added are told apart by their name.
 */
export function memberSlices(
  trace: RankTrace,
  start: Float64Array,
  end: Float64Array,
  out: EventText,
  leftOut: LeftOut,
): void {
  const shares = sharesOf(trace, start, end);
  const from = Float64Array.from(shares, ({ startPs }) => startPs);
  const to = Float64Array.from(shares, ({ endPs }) => endPs);
  const { lane, used } = lanesOf(
    shares.map((_, place) => place),
    from,
    to,
    MOST_LANES,
  );
  nameThreads(trace.rank, Track.collectives, used, out);
  shares.forEach((share, place) => {
    if (lane[place] === NO_LANE) leftOut.overlapping++;
    else out.add(sliceOf(trace, share, TRACKS[Track.collectives].firstThread + lane[place]));
  });
}

interface Share {
  readonly collective: number;
  readonly isBarrier: boolean;
  startPs: number;
  endPs: number;
  transfers: number;
}

/** Shares that started, by start. */
function sharesOf(trace: RankTrace, start: Float64Array, end: Float64Array): Share[] {
  const { length, type, collective, flags } = trace;
  const shares = new Map<number, Share>();
  for (let node = 0; node < length; node++) {
    if (!isTransfer(type[node]) || collective[node] < 0 || Number.isNaN(start[node])) continue;
    const isBarrier = (flags[node] & NodeFlag.addedSync) !== 0;
    const key = 2 * collective[node] + Number(isBarrier);
    const share = shares.get(key);
    if (share === undefined) {
      const first = { startPs: start[node], endPs: end[node], transfers: 1 };
      shares.set(key, { collective: collective[node], isBarrier, ...first });
    } else {
      share.startPs = Math.min(share.startPs, start[node]);
      share.endPs = Math.max(share.endPs, end[node]);
      share.transfers++;
    }
  }
  return [...shares.values()].sort((a, b) => a.startPs - b.startPs);
}

function sliceOf({ rank, collectives }: RankTrace, share: Share, thread: number): string {
  const { group, type, instance, size, algorithm } = collectives[share.collective];
  const name = collectiveName(type);
  const label = share.isBarrier ? `barrier before ${name}` : name;
  const args = [`"group":${JSON.stringify(group)}`, `"instance":${instance}`, `"bytes":${size}`];
  if (algorithm !== undefined) args.push(`"algorithm":${JSON.stringify(algorithm)}`);
  args.push(`"transfers":${share.transfers}`);
  return (
    `{"ph":"X","pid":${rank},"tid":${thread},"ts":${microsText(share.startPs)},` +
    `"dur":${microsText(Math.round(share.endPs) - Math.round(share.startPs))},"name":"${label}","cat":"collectives","args":{${args.join(',')}}}`
  );
}
