import fc from 'fast-check';
import { HTSIM_MATRIX } from '../../src/exchange/htsim/connection-matrix.js';
import { SIMGRID_TI } from '../../src/exchange/simgrid/time-independent.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { writtenAs } from '../support/goal.js';
import { compute, receive, send, traces } from '../support/jobs.js';
import type { NodeObject } from '../support/traces.js';

const RANKS = 4;

interface Step {
  readonly from: number;
  readonly to: number;
  readonly micros: number;
  readonly sendDeps: readonly number[];
  readonly receiveDeps: readonly number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  from: fc.nat(RANKS - 1),
  to: fc.nat(RANKS - 1),
  micros: fc.nat(3),
  sendDeps: fc.array(fc.nat(10), { maxLength: 2 }),
  receiveDeps: fc.array(fc.nat(10), { maxLength: 2 }),
});

/**
 * Jobs that end: messages one after the other, each with a tag of its own, so that no receive takes the message of another, and with a
 * computation behind its receive; every node depends on earlier nodes of its rank only. Ids are turned round on some ranks, so that their order is not the one of time.
 */
const job: fc.Arbitrary<RankTrace[]> = fc
  .tuple(
    fc.array(step, { minLength: 1, maxLength: 14 }),
    fc.array(fc.boolean(), { minLength: RANKS, maxLength: RANKS }),
  )
  .map(([steps, turned]) => {
    const ranks: NodeObject[][] = Array.from({ length: RANKS }, () => []);
    const add = (rank: number, deps: readonly number[], make: (id: number, deps: number[]) => NodeObject): void => {
      const nodes = ranks[rank];
      const earlier = nodes.length === 0 ? [] : [...new Set(deps.map((at) => nodes[at % nodes.length].id as number))];
      nodes.push(make(turned[rank] ? 1000 - nodes.length : nodes.length + 1, earlier));
    };
    steps.forEach(({ from, to, micros, sendDeps, receiveDeps }, tag) => {
      if (from === to) return;
      add(from, sendDeps, (id, deps) => send(id, to, 8, tag, deps));
      add(to, receiveDeps, (id, deps) => receive(id, from, 8, tag, deps));
      add(to, [ranks[to].length - 1], (id, deps) => compute(id, micros, deps));
    });
    return traces(...ranks);
  });

/** Runs the actions of all ranks, in which every send waits for its receive to be posted; gives the actions never reached. */
function stuckActions(files: Readonly<Record<string, string>>): string[] {
  const actions = Array.from({ length: RANKS }, (_, rank) => files[`job.${rank}.ti`].trimEnd().split('\n'));
  const next = actions.map(() => 0);
  /** Sends and receives posted, and how many of each were waited for, by source, destination and tag. */
  const posted = new Map<string, { send: number; receive: number; sendWaits: number; receiveWaits: number }>();
  const of = (key: string) => {
    let counts = posted.get(key);
    if (counts === undefined) posted.set(key, (counts = { send: 0, receive: 0, sendWaits: 0, receiveWaits: 0 }));
    return counts;
  };
  const canGoOn = (rank: number, words: string[]): boolean => {
    const [, action, ...rest] = words;
    if (action === 'isend') of(`${rank} ${rest[0]} ${rest[1]}`).send++;
    else if (action === 'irecv') of(`${rest[0]} ${rank} ${rest[1]}`).receive++;
    else if (action === 'wait') {
      const counts = of(rest.join(' '));
      const isSend = rest[0] === String(rank);
      const done = isSend ? counts.sendWaits : counts.receiveWaits;
      if (done >= Math.min(counts.send, counts.receive)) return false;
      if (isSend) counts.sendWaits++;
      else counts.receiveWaits++;
    } else if (action === 'waitall') {
      for (const [key, { send: sends, receive: receives }] of posted) {
        const [source, destination] = key.split(' ');
        if (source === String(rank) && sends > receives) return false;
        if (destination === String(rank) && receives > sends) return false;
      }
    }
    return true;
  };
  for (let moved = true; moved;) {
    moved = false;
    for (let rank = 0; rank < RANKS; rank++) {
      while (next[rank] < actions[rank].length && canGoOn(rank, actions[rank][next[rank]].split(' '))) {
        next[rank]++;
        moved = true;
      }
    }
  }
  return actions.flatMap((lines, rank) => lines.slice(next[rank]));
}

test('time-independent traces of a job that ends do not deadlock, not even where every send waits for its receive', () => {
  fc.assert(
    fc.property(job, (ranks) => {
      expect(stuckActions(writtenAs(SIMGRID_TI, ranks).files)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('all connections of a matrix start, and every trigger fires as often as it may', () => {
  fc.assert(
    fc.property(job, (ranks) => {
      const lines = writtenAs(HTSIM_MATRIX, ranks).files['job.cm'].trimEnd().split('\n');
      const [, connections, triggers] = lines.map((line) => Number(line.split(' ')[1]));
      const field = (line: string, name: string): number => Number(new RegExp(` ${name} (\\d+)`).exec(line)?.[1] ?? -1);
      const rows = lines.slice(4, 4 + connections);
      const left = new Map(
        lines.slice(4 + connections).map((line) => [field(line, 'id'), Math.max(1, field(line, 'count'))]),
      );
      expect(left.size).toBe(triggers);
      let ready = rows.filter((line) => field(line, 'start') >= 0);
      let started = 0;
      while (ready.length > 0) {
        const row = ready.shift()!;
        started++;
        const fired = field(row, 'send_done_trigger');
        if (fired < 0) continue;
        left.set(fired, left.get(fired)! - 1);
        if (left.get(fired) === 0) ready = ready.concat(rows.filter((line) => field(line, 'trigger') === fired));
      }
      expect(started).toBe(connections);
      expect([...left.values()].every((count) => count === 0)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
