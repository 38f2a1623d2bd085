import { ANY, GoalKind, type GoalRank } from '../../src/exchange/goal/schedule.js';

/** Parameters of exchange-formats 1.4, ns. */
const L = 2500;
const o = 1500;
const g = 1000;
const G = 6;
const O = 0;
const EAGER_LIMIT = 65535;

interface Event {
  readonly time: number;
  readonly rank: number;
  /** Index of an operation that may start, or of the send whose message arrives. */
  readonly operation: number;
  readonly from?: number;
}

/**
 * Ends of ranks in ns as a LogGOPS simulator has them (exchange-formats 1.4), for messages up to the eager limit: `original` is
 * LogGOPSim, `atlahs` the version inside ATLAHS. Slow and obvious: events in a list, of equal times in order of insertion.
 */
export function logGopsEnds(ranks: readonly GoalRank[], version: 'original' | 'atlahs'): number[] {
  const atlahs = version === 'atlahs';
  const events: Event[] = [];
  const cpus = ranks.map(() => new Array<number>(256).fill(0));
  const sending = ranks.map(() => new Array<number>(256).fill(0));
  const receiving = ranks.map(() => new Array<number>(256).fill(0));
  const posted: { rank: number; operation: number; time: number }[] = [];
  const arrived: Event[] = [];
  const waiting = ranks.map((rank) =>
    Array.from(
      { length: rank.length },
      (_, at) =>
        rank.requiresStart[at + 1] - rank.requiresStart[at] + rank.irequiresStart[at + 1] - rank.irequiresStart[at],
    ),
  );
  const earliest = ranks.map((rank) => new Array<number>(rank.length).fill(0));
  const ends = ranks.map(() => 0);

  const insert = (event: Event): void => {
    const after = events.findIndex(({ time }) => time > event.time);
    events.splice(after < 0 ? events.length : after, 0, event);
  };
  const release = (rank: number, operation: number): void => {
    const own = cpus[rank][ranks[rank].cpu[operation]];
    insert({ time: atlahs ? Math.max(own, earliest[rank][operation]) : own, rank, operation });
  };
  /** Tells those that wait for the end or the start of an operation. */
  const tell = (rank: number, operation: number, time: number, kind: 'requires' | 'irequires'): void => {
    const start = ranks[rank][`${kind}Start`];
    const others = ranks[rank][kind];
    for (let dependent = 0; dependent < ranks[rank].length; dependent++) {
      for (let at = start[dependent]; at < start[dependent + 1]; at++) {
        if (others[at] !== operation) continue;
        earliest[rank][dependent] = Math.max(earliest[rank][dependent], time);
        if (--waiting[rank][dependent] === 0) release(rank, dependent);
      }
    }
  };
  const finish = (rank: number, operation: number, time: number): void => {
    ends[rank] = Math.max(ends[rank], time);
    tell(rank, operation, time, 'requires');
  };
  const handle = (message: Event, operation: number, now: number): void => {
    const { rank } = message;
    const bytes = ranks[message.from!].amount[message.operation];
    const cpu = ranks[rank].cpu[operation];
    const nic = ranks[rank].nic[operation];
    const time = Math.max(now, cpus[rank][cpu], receiving[rank][nic]);
    if (atlahs) {
      receiving[rank][nic] = time + g;
      cpus[rank][cpu] = time + g + o + (bytes - 1) * O;
    } else {
      receiving[rank][nic] = time + g + (bytes - 1) * G;
      cpus[rank][cpu] = time + o + Math.max((bytes - 1) * O, (bytes - 1) * G);
    }
    finish(rank, operation, cpus[rank][cpu]);
  };
  const fits = (rank: number, operation: number, message: Event): boolean => {
    const { peer, tag } = ranks[rank];
    return (
      message.rank === rank &&
      (peer[operation] === ANY || peer[operation] === message.from) &&
      (tag[operation] === ANY || tag[operation] === ranks[message.from!].tag[message.operation])
    );
  };

  ranks.forEach((rank, number) => {
    for (let at = 0; at < rank.length; at++) if (waiting[number][at] === 0) release(number, at);
  });
  for (let event = events.shift(); event !== undefined; event = events.shift()) {
    const { time, rank, operation } = event;
    if (event.from !== undefined) {
      const message = event;
      const at = posted.findIndex((receive) => receive.rank === rank && fits(rank, receive.operation, message));
      if (at < 0) arrived.push(message);
      else handle(message, posted.splice(at, 1)[0].operation, time);
      continue;
    }
    const { kind, amount, cpu, nic, peer } = ranks[rank];
    const cpuFree = cpus[rank][cpu[operation]];
    if (kind[operation] === GoalKind.receive) {
      const at = arrived.findIndex((message) => fits(rank, operation, message));
      tell(rank, operation, time, 'irequires');
      if (at < 0) posted.push({ rank, operation, time });
      else handle(arrived.splice(at, 1)[0], operation, time);
      continue;
    }
    const free = kind[operation] === GoalKind.send ? Math.max(cpuFree, sending[rank][nic[operation]]) : cpuFree;
    if (free > time) {
      insert({ ...event, time: free });
      continue;
    }
    if (kind[operation] === GoalKind.calc) {
      cpus[rank][cpu[operation]] = time + amount[operation];
    } else {
      const bytes = amount[operation];
      if (bytes > EAGER_LIMIT) throw new Error(`${bytes} B are above the eager limit`);
      cpus[rank][cpu[operation]] = time + o + (bytes - 1) * O;
      sending[rank][nic[operation]] = time + g + (bytes - 1) * G;
      const onTheWire = atlahs ? (bytes - 1) * G : 0;
      insert({ time: time + o + L + onTheWire, rank: peer[operation], operation, from: rank });
    }
    tell(rank, operation, time, 'irequires');
    finish(rank, operation, cpus[rank][cpu[operation]]);
  }
  return ends;
}
