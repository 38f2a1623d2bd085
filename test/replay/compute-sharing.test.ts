import fc from 'fast-check';
import { ComputeSharing } from '../../src/replay/compute-sharing.js';
import { compute, memory, micros, run, traces } from '../support/jobs.js';

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

  test('R-053 CPU and memory nodes never share: NPU A(0,10), CPU B(0,10), memory C(0,4)', () => {
    const job = traces([compute(1, 10), compute(2, 10, [], true), memory(3, 4)]);
    const times = micros(run(job), job);
    expect([times[1][1], times[2][1], times[3][1]]).toEqual([10, 10, 4]);
  });

  test('R-055 computation time sums durations: 20 µs for two nodes of 10', () => {
    const outcome = run(traces([compute(1, 10), compute(2, 10)]));
    expect(outcome.ranks[0]).toMatchObject({ computations: 2, computationMicros: 20, computePs: 20e6 });
  });

  test('R-050 sharing never crosses ranks', () => {
    const job = traces([compute(1, 10)], [compute(1, 10)]);
    expect(run(job).ranks.map((rank) => rank.endPs)).toEqual([10e6, 10e6]);
  });

  test('R-051 equals exact fractions within 1 ps', () => {
    const node = fc.record({ startPs: fc.nat(40_000), workPs: fc.integer({ min: 1, max: 20_000 }) });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 12 }), (nodes) => {
        const expected = exactFinishes(nodes);
        const got = virtualFinishes(nodes);
        for (const [at, finish] of expected.entries()) {
          const difference = got[at] - Number(finish.top) / Number(finish.bottom);
          expect(Math.abs(difference)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('R-051 virtual time far beyond 2^40 ps keeps its fractions', () => {
    const sharing = new ComputeSharing();
    const finished: number[] = [];
    sharing.start(0, 2 ** 44, 0);
    sharing.start(1, 2 ** 43 + 1, 0);
    // A third node beside them from 2^43 on: V is 2^42 there, which is set back to 0.
    sharing.start(2, 3, 2 ** 43);
    expect(sharing.nextFinish()).toBe(2 ** 43 + 9);
    sharing.finishNext(finished);
    // Node 1 has 2^43 + 1 − 2^42 − 3 left, at half speed.
    expect(sharing.nextFinish()).toBe(2 ** 43 + 9 + 2 * (2 ** 42 - 2));
    sharing.finishNext(finished);
    expect(finished).toEqual([2, 1]);
  });
});

interface Fraction {
  top: bigint;
  bottom: bigint;
}

/** The slow twin: remaining work of every running node, reduced at 1/n from event to event, in exact fractions. */
function exactFinishes(nodes: { startPs: number; workPs: number }[]): Fraction[] {
  const finishes: Fraction[] = nodes.map(() => ({ top: 0n, bottom: 1n }));
  const remaining = new Map<number, Fraction>();
  const arrivals = nodes.map((_, at) => at).sort((a, b) => nodes[a].startPs - nodes[b].startPs);
  let now: Fraction = { top: 0n, bottom: 1n };
  while (arrivals.length > 0 || remaining.size > 0) {
    const running = BigInt(remaining.size);
    let next: Fraction | undefined;
    for (const left of remaining.values()) {
      const finish = plus(now, { top: left.top * running, bottom: left.bottom });
      if (next === undefined || less(finish, next)) next = finish;
    }
    const arrival = arrivals.length > 0 ? { top: BigInt(nodes[arrivals[0]].startPs), bottom: 1n } : undefined;
    const arrives = arrival !== undefined && (next === undefined || less(arrival, next));
    const then = arrives ? arrival : next!;
    const served = { top: then.top * now.bottom - now.top * then.bottom, bottom: then.bottom * now.bottom };
    for (const [at, left] of remaining) {
      const rest = plus(left, { top: -served.top, bottom: served.bottom * running });
      if (rest.top <= 0n) {
        finishes[at] = then;
        remaining.delete(at);
      } else {
        remaining.set(at, rest);
      }
    }
    if (arrives) {
      const at = arrivals.shift()!;
      remaining.set(at, { top: BigInt(nodes[at].workPs), bottom: 1n });
    }
    now = then;
  }
  return finishes;
}

/** The finishes that {@link ComputeSharing} reports, driven as the engine drives it: finishes of an instant first. */
function virtualFinishes(nodes: { startPs: number; workPs: number }[]): number[] {
  const sharing = new ComputeSharing();
  const finishes: number[] = [];
  const arrivals = nodes.map((_, at) => at).sort((a, b) => nodes[a].startPs - nodes[b].startPs);
  for (;;) {
    const next = sharing.nextFinish();
    const arrival = arrivals.length > 0 ? nodes[arrivals[0]].startPs : Infinity;
    if (next === Infinity && arrival === Infinity) return finishes;
    if (next <= arrival) {
      const finished: number[] = [];
      sharing.finishNext(finished);
      for (const at of finished) finishes[at] = next;
    } else {
      const at = arrivals.shift()!;
      sharing.start(at, nodes[at].workPs, arrival);
    }
  }
}

function plus(a: Fraction, b: Fraction): Fraction {
  return reduced({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom });
}

function less(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom < b.top * a.bottom;
}

function reduced({ top, bottom }: Fraction): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  return a > 1n ? { top: top / a, bottom: bottom / a } : { top, bottom };
}
