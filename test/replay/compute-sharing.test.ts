import fc from 'fast-check';
import { ComputeSharing } from '../../src/replay/compute-sharing.js';
import { distanceFromHalf, exactSharing, roundedHalfUp, type SharedNode } from '../support/exact-sharing.js';
import { compute, memory, micros, receive, run, send, traces } from '../support/jobs.js';

/** Nodes of 10 µs … that start at the given times, each behind a memory node of that length. */
function finishes(nodes: [start: number, duration: number][], family: 'synthesized' | 'collected'): number[] {
  const job = traces(
    nodes.flatMap(([start, duration], at) => [memory(10 + at, start), compute(100 + at, duration, [10 + at])]),
  );
  const times = micros(run(job, { family }), job);
  return nodes.map((_, at) => times[100 + at][1]);
}

describe('compute', () => {
  test.each<[string, [number, number][], 'synthesized' | 'collected', number[]]>([
    [
      'R-051 A(0,10), B(0,10)',
      [
        [0, 10],
        [0, 10],
      ],
      'synthesized',
      [20, 20],
    ],
    [
      'R-052 the same, collected',
      [
        [0, 10],
        [0, 10],
      ],
      'collected',
      [10, 10],
    ],
    [
      'R-051 A(0,10), B(5,10)',
      [
        [0, 10],
        [5, 10],
      ],
      'synthesized',
      [15, 20],
    ],
    [
      'R-051 A(0,10), B(1,10), C(2,10)',
      [
        [0, 10],
        [1, 10],
        [2, 10],
      ],
      'synthesized',
      [27.5, 29.5, 30],
    ],
    [
      'R-051 A(0,1), B(0,2), C(0,3)',
      [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
      'synthesized',
      [3, 5, 6],
    ],
    [
      'R-051 A,B,C(0,10), D(7,1)',
      [
        [0, 10],
        [0, 10],
        [0, 10],
        [7, 1],
      ],
      'synthesized',
      [31, 31, 31, 11],
    ],
    [
      'R-054 A(0,10), Z(3,0)',
      [
        [0, 10],
        [3, 0],
      ],
      'synthesized',
      [10, 3],
    ],
  ])('%s', (_name, nodes, family, expected) => {
    expect(finishes(nodes, family)).toEqual(expected);
  });

  test('R-052 compiled traces share as synthesized ones do', () => {
    const job = traces([compute(1, 10), compute(2, 10)]);
    const times = micros(run(job, { family: 'compiled' }), job);
    expect([times[1][1], times[2][1]]).toEqual([20, 20]);
  });

  test('R-052 collected: a node that starts later takes its duration too', () => {
    expect(
      finishes(
        [
          [0, 10],
          [5, 10],
          [7, 1],
        ],
        'collected',
      ),
    ).toEqual([10, 15, 8]);
  });

  test('R-053 CPU and memory nodes never share: NPU A(0,10), CPU B(0,10), memory C(0,4)', () => {
    const job = traces([compute(1, 10), compute(2, 10, [], true), memory(3, 4)]);
    const times = micros(run(job), job);
    expect([times[1][1], times[2][1], times[3][1]]).toEqual([10, 10, 4]);
  });

  test('R-053 CPU nodes do not share among themselves, nor memory nodes', () => {
    const job = traces([compute(1, 10, [], true), compute(2, 10, [], true), memory(3, 4), memory(4, 4)]);
    const times = micros(run(job), job);
    expect([times[1][1], times[2][1], times[3][1], times[4][1]]).toEqual([10, 10, 4, 4]);
  });

  test('R-055 computation time sums durations: 20 µs for two nodes of 10', () => {
    const outcome = run(traces([compute(1, 10), compute(2, 10)]));
    expect(outcome.ranks[0]).toMatchObject({ computations: 2, computationMicros: 20, computePs: 20e6 });
  });

  test('R-055 A(0,1), B(0,2), C(0,3): 6 µs of durations, however long they ran', () => {
    const outcome = run(traces([compute(1, 1), compute(2, 2), compute(3, 3)]));
    expect(outcome.ranks[0]).toMatchObject({ computations: 3, computationMicros: 6, computePs: 6e6, endPs: 6e6 });
  });

  test('R-050 communication does not slow compute', () => {
    // The send of 5,000 B leaves until 5 µs, while the node computes from 0 to 10.
    const job = traces([compute(1, 10), send(2, 1, 5000, 0)], [receive(1, 0, 5000, 0)]);
    const times = micros(run(job), job);
    expect([times[1], times[2]]).toEqual([
      [0, 10],
      [0, 5],
    ]);
  });

  test('R-050 sharing never crosses ranks', () => {
    const job = traces([compute(1, 10)], [compute(1, 10)]);
    expect(run(job).ranks.map((rank) => rank.endPs)).toEqual([10e6, 10e6]);
  });

  /** Starts at odd ps, as behind a network; works of whole µs up to hours, or odd. Some starts and works are equal. */
  const startPs = fc.oneof(fc.constantFrom(0, 1, 7_000_000), fc.nat(50), fc.nat(5_000_000), fc.nat(2 ** 41));
  const workPs = fc.oneof(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(1_000_000, 10_000_000),
    fc.integer({ min: 1, max: 2_000 }).map((micros) => micros * 1_000_000),
    fc.integer({ min: 1, max: 2 ** 41 + 1 }),
    fc.integer({ min: 1, max: 6 }).map((tenths) => tenths * 36e13), // 6 to 36 minutes
  );
  const job = fc
    .array(fc.record({ startPs, workPs }), { minLength: 1, maxLength: 40 })
    .filter((nodes) => nodes.reduce((sum, node) => sum + node.startPs + node.workPs, 0) < Number.MAX_SAFE_INTEGER);

  test('R-051 finishes are the exact ones, rounded half up', () => {
    fc.assert(
      fc.property(job, (nodes) => {
        const { finishes: exact } = exactSharing(nodes, 'reported');
        // Closer to a half than any arithmetic of ours can tell; a half itself is no such case.
        fc.pre(exact.every((finish) => distanceFromHalf(finish) === 0 || distanceFromHalf(finish) > 2 ** -35));
        expect(reportedFinishes(nodes)).toEqual(exact.map(roundedHalfUp));
      }),
      { numRuns: 500 },
    );
  });

  test('R-051 finishes are those of processor sharing in exact time, where no node starts within their rounding', () => {
    let compared = 0;
    fc.assert(
      fc.property(job, (nodes) => {
        const reported = exactSharing(nodes, 'reported');
        if (reported.startedAhead) return;
        compared++;
        const got = reportedFinishes(nodes);
        for (const [at, finish] of exactSharing(nodes, 'exact').finishes.entries()) {
          expect(Math.abs(got[at] - roundedHalfUp(finish))).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test('R-007 R-051 a finish comes before a start at the ps at which it is reported; no capacity is lost by it', () => {
    // A, B, C from 0, D from 2 ps (V = 2/3). A ends at V = 1: 2 + 1/3 × 4 = 3 1/3, reported at 3, where E starts: V = 1 − 1/9.
    // B and C end at V = 9: 3 + 73/9 × 4 = 35 4/9. D at 9 2/3: 35 4/9 + 2/3 × 2 = 36 7/9. E at 9 8/9: 37, the sum of all work.
    const nodes = [1, 9, 9].map((workPs) => ({ startPs: 0, workPs }));
    expect(reportedFinishes([...nodes, { startPs: 2, workPs: 9 }, { startPs: 3, workPs: 9 }])).toEqual([
      3, 35, 35, 37, 37,
    ]);
  });

  test('R-051 halves round up, also those that thirds add up to', () => {
    // A, B, C from 0, three more from 1 ps (V = 1/3), a seventh from 2 ps (V = 1/3 + 1/6). A ends at V = 1: 2 + 1/2 × 7 = 5.5.
    const three = [1, 20, 20].map((workPs) => ({ startPs: 0, workPs }));
    const later = [20, 20, 20].map((workPs) => ({ startPs: 1, workPs }));
    const times = reportedFinishes([...three, ...later, { startPs: 2, workPs: 20 }]);
    expect(times[0]).toBe(6);
  });

  test.each([3, 7])(
    'R-051 ten thousand starts and finishes with %d nodes running, over an hour and a half',
    (running) => {
      const sharing = new ComputeSharing();
      const twin = new FixedPointSharing();
      const random = randomWhole(running);
      let now = 0;
      let undecided = 0;
      for (let node = 0; node < running; node++) start(node, random(1e12));
      for (let node = running; node < 10_000;) {
        now = sharing.nextFinish();
        if (now !== twin.nextFinish()) {
          // Only on the verge of a half, which the fractions come close to now and then, and by 1 ps.
          expect(twin.distanceFromHalf()).toBeLessThan(2 ** -35);
          expect(Math.abs(now - twin.nextFinish())).toBe(1);
          undecided++;
        }
        const finished: number[] = [];
        sharing.finishNext(finished);
        const expected = twin.finishNext(now);
        if (String(finished) !== String(expected)) expect(finished).toEqual(expected);
        // Half of the followers start a while later, so that n changes and V gets thirds and sevenths.
        for (let follower = 0; follower < finished.length; follower++) {
          const next = sharing.nextFinish();
          if (node % 2 === 0 && next < Infinity) now += Math.floor((next - now) / 3);
          start(node++, random(1.4e12));
        }
      }
      expect(undecided).toBeLessThanOrEqual(3);
      expect(now).toBeGreaterThan(5400e12);

      function start(node: number, workPs: number): void {
        sharing.start(node, workPs, now);
        twin.start(node, workPs, now);
      }
    },
  );

  test('R-051 a rank that goes idle begins anew', () => {
    const sharing = new ComputeSharing();
    const finished: number[] = [];
    for (let round = 0; round < 50; round++) {
      const begin = 1 + round * 2 ** 45;
      sharing.start(0, 3, begin);
      sharing.start(1, 4, begin + 1);
      sharing.start(2, 2 ** 43, begin + 2);
      // V: 1 at +1, 3/2 at +2. Node 0 ends at 3: +2 + 3/2 × 3 = 6.5, node 1 at 5: + 2 × 2 = 10.5, node 2 with the sum.
      const times: number[] = [];
      while (sharing.nextFinish() < Infinity) {
        times.push(sharing.nextFinish() - begin);
        sharing.finishNext(finished);
      }
      expect(times).toEqual([7, 11, 7 + 2 ** 43]);
    }
    expect(finished.slice(-3)).toEqual([0, 1, 2]);
  });

  test('R-051 virtual time far beyond 2^40 ps keeps its fractions', () => {
    const sharing = new ComputeSharing();
    const finished: number[] = [];
    sharing.start(0, 2 ** 44, 0);
    sharing.start(1, 2 ** 43 + 1, 0);
    // A third node beside them from 2^43 on: V is 2^42 there.
    sharing.start(2, 3, 2 ** 43);
    expect(sharing.nextFinish()).toBe(2 ** 43 + 9);
    sharing.finishNext(finished);
    // Node 1 has 2^43 + 1 − 2^42 − 3 left, at half speed.
    expect(sharing.nextFinish()).toBe(2 ** 43 + 9 + 2 * (2 ** 42 - 2));
    sharing.finishNext(finished);
    expect(finished).toEqual([2, 1]);
  });

  test('R-051 a replay whose rank never idles ends with the sum of all work', () => {
    // 30 chains side by side of 20 nodes each, of 1 to 97 µs: 600 nodes.
    const work = (at: number): number => 1 + ((at * 61) % 97);
    const nodes = Array.from({ length: 600 }, (_, at) => compute(at, work(at), at < 30 ? [] : [at - 30]));
    const sum = nodes.reduce((total, _, at) => total + work(at), 0);
    expect(run(traces(nodes))).toMatchObject({ status: 'finished', endPs: sum * 1e6 });
  });

  test('R-051 a thousand equal nodes finish at once', () => {
    const sharing = new ComputeSharing();
    for (let node = 0; node < 1000; node++) sharing.start(node, 1_000_003, 5);
    expect(sharing.nextFinish()).toBe(5 + 1_000_003_000);
    const finished: number[] = [];
    sharing.finishNext(finished);
    expect(finished.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, node) => node));
    expect(sharing.nextFinish()).toBe(Infinity);
  });
});

/** The finishes that {@link ComputeSharing} reports, driven as the engine drives it: finishes of a ps before its starts. */
function reportedFinishes(nodes: readonly SharedNode[]): number[] {
  const sharing = new ComputeSharing();
  const times: number[] = [];
  const starts = nodes.map((_, at) => at).sort((a, b) => nodes[a].startPs - nodes[b].startPs);
  for (;;) {
    const next = sharing.nextFinish();
    const start = starts.length > 0 ? nodes[starts[0]].startPs : Infinity;
    if (next === Infinity && start === Infinity) return times;
    if (next <= start) {
      const finished: number[] = [];
      sharing.finishNext(finished);
      for (const at of finished) times[at] = next;
    } else {
      const at = starts.shift()!;
      sharing.start(at, nodes[at].workPs, start);
    }
  }
}

/** Whole numbers from 1 to `most`, the same in every run. */
function randomWhole(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * most);
  };
}

/** A twin for long runs, where fractions grow without end: work left in units of 2^-200 ps. */
class FixedPointSharing {
  static readonly #UNIT = 2n ** 200n;
  readonly #left = new Map<number, bigint>();
  #now = 0n;

  start(node: number, workPs: number, now: number): void {
    this.#advance(BigInt(now) * FixedPointSharing.#UNIT);
    this.#left.set(node, BigInt(workPs) * FixedPointSharing.#UNIT);
  }

  nextFinish(): number {
    const unit = FixedPointSharing.#UNIT;
    // A half may have lost a few units to divisions: 2^60 of them are 2^-140 ps.
    return Number((2n * (this.#finish() + 2n ** 60n) + unit) / (2n * unit));
  }

  distanceFromHalf(): number {
    return distanceFromHalf({ top: this.#finish(), bottom: FixedPointSharing.#UNIT });
  }

  /** The nodes that finish up to a reported time, at least one. */
  finishNext(timePs: number): number[] {
    const finished: number[] = [];
    while (this.#left.size > 0 && (finished.length === 0 || this.nextFinish() <= timePs)) {
      const [first] = [...this.#left].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))[0];
      this.#advance(this.#finish());
      this.#left.delete(first);
      finished.push(first);
    }
    return finished;
  }

  #finish(): bigint {
    const least = [...this.#left.values()].reduce((a, b) => (b < a ? b : a));
    return this.#now + least * BigInt(this.#left.size);
  }

  #advance(then: bigint): void {
    if (this.#left.size > 0) {
      const share = (then - this.#now) / BigInt(this.#left.size);
      for (const [node, work] of this.#left) this.#left.set(node, work - share);
    }
    this.#now = then;
  }
}
