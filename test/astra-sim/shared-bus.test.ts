import fc from 'fast-check';
import { BusEnd, SharedBus } from '../../src/astra-sim/shared-bus.js';
import type { SharedBusConfiguration } from '../../src/astra-sim/system-configuration.js';
import { busRun, type BusCollective, type BusNetwork } from '../support/bus-run.js';
import { SortedEvents } from '../support/sorted-events.js';

interface Request {
  readonly name: string;
  readonly at?: number;
  readonly rank?: number;
  readonly end: BusEnd;
  readonly bytes: number;
  readonly process?: boolean;
  readonly returns?: boolean;
}

/** When each request is done, in that order: `name time`. */
function doneTimes(configuration: SharedBusConfiguration, requests: readonly Request[], ranks = 1): string[] {
  const events = new SortedEvents();
  const done: string[] = [];
  const bus = new SharedBus(configuration, ranks, events, (reference) =>
    done.push(`${requests[reference].name} ${events.nowNs}`),
  );
  events.fire = (rank, code, reference) => bus.fire(rank, code, reference);
  requests.forEach(({ at = 0, rank = 0, end, bytes, process = false, returns = false }, reference) =>
    events.schedule(at, () => bus.request(rank, end, bytes, process, returns, reference)),
  );
  events.run();
  return done;
}

/**
 * 101 bytes leave an end after 2 + 100 × 0.5 = 52 ns and reach the other after 10 + 2 more, 64 ns. On the second bus they
 * leave after ⌊2 + 100 × 0.0038⌋ = 2 ns and arrive after ⌊2.38 + 10 + 2⌋ = 14 ns. Their reduction takes 1 × 3 + 50 = 53 ns.
 */
const BUS = { latencyNs: 10, overheadNs: 2, gapNs: 0, gapPerByteNs: 0.5, reductionDelayNs: 3 };
const { A, M } = BusEnd;

describe('one request, alone (section 15)', () => {
  test.each([
    ['from A: M2 → A2, then to M', A, false, false, 14 + 64],
    ['from A, marked return: back to A, then A2 → M2', A, false, true, 14 + 64 + 64 + 14],
    ['from A, marked process: reduced at M', A, true, false, 14 + 64 + 53],
    ['from A, marked process and return: reduced at M first', A, true, true, 14 + 64 + 53 + 64 + 14],
    ['from M: to A, then A2 → M2', M, false, false, 64 + 14],
    ['from M, marked return: to A, A2 → M2 → A2, back to M', M, false, true, 64 + 28 + 64],
    ['from M, marked process: A2 → M2 → A2 before the reduction, A2 → M2 after', M, true, false, 64 + 28 + 53 + 14],
    ['from M, marked both: there and back before and after the reduction', M, true, true, 64 + 28 + 53 + 28 + 64],
  ])('%s', (_name, end, process, returns, doneNs) => {
    expect(doneTimes(BUS, [{ name: 'x', end, bytes: 101, process, returns }])).toEqual([`x ${doneNs}`]);
  });

  test('every timer is truncated by itself: 6 B at 0.25 ns arrive at ⌊1.25 + 14⌋, 15, and leave A2 at ⌊0.019 + 14⌋', () => {
    expect(doneTimes({ ...BUS, gapPerByteNs: 0.25 }, [{ name: 'x', end: M, bytes: 6 }])).toEqual(['x 29']);
  });

  test('G is the single-precision number: 100 × 0.01 is below 1 ns', () => {
    const bus = { ...BUS, gapPerByteNs: Math.fround(0.01) };
    // ⌊2 + 0.99999998 + 10 + 2⌋ = 14, and 14 on the second bus.
    expect(doneTimes(bus, [{ name: 'x', end: M, bytes: 101 }])).toEqual(['x 28']);
  });

  test('the second bus takes 0.0038 ns a byte, whatever G is', () => {
    // 0 × 10,000 + 14 to A; ⌊2 + 38 + 12⌋ = 52 from A2 to M2.
    expect(doneTimes({ ...BUS, gapPerByteNs: 0 }, [{ name: 'x', end: M, bytes: 10_001 }])).toEqual(['x 66']);
  });

  test('a reduction counts whole hundreds of bytes', () => {
    const bus = { ...BUS, gapPerByteNs: 0 };
    // M2 → A2 ⌊2 + 298 × 0.0038 + 12⌋ = 15, to M 14, reduction 2 × 3 + 50.
    expect(doneTimes(bus, [{ name: 'x', end: A, bytes: 299, process: true }])).toEqual(['x 85']);
  });
});

describe('several requests (section 15)', () => {
  test('two alternate: M sends while A has nothing yet, A sends when it has received', () => {
    // `fresh` is at A at 14 and waits until 64.
    expect(
      doneTimes(BUS, [
        { name: 'received', end: M, bytes: 101 },
        { name: 'fresh', end: A, bytes: 101 },
      ]),
    ).toEqual(['received 78', 'fresh 128']);
  });

  test('an end is not free while two receptions are outstanding', () => {
    // M sends at 0 and 52, so that the first arrives at A at 64 with the second on its way (116): `fresh` starts at 116.
    expect(
      doneTimes(BUS, [
        { name: 'first', end: M, bytes: 101 },
        { name: 'second', end: M, bytes: 101 },
        { name: 'fresh', end: A, bytes: 101 },
      ]),
    ).toEqual(['first 78', 'second 130', 'fresh 180']);
  });

  test('above 8 sends in a row an end lets its partner go first, and counts anew', () => {
    const received = Array.from({ length: 12 }, (_, index) => ({ name: `r${index + 1}`, end: M, bytes: 101 }));
    // M sends at 0, 52 … 416. At 468 its run is 9 and `fresh` waits at A, which is receiving until 480; A sends then, and
    // M has received at 544 and goes on: 608, 660, 712 at A.
    expect(doneTimes(BUS, [...received, { name: 'fresh', end: A, bytes: 101 }])).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `r${index + 1} ${78 + 52 * index}`),
      ...['fresh 544', 'r10 622', 'r11 674', 'r12 726'],
    ]);
  });

  test('a reception ends the run', () => {
    const received = Array.from({ length: 12 }, (_, index) => ({ name: `r${index + 1}`, end: M, bytes: 101 }));
    // As before, and `late` is at A at 628. At 648 M has sent 2 since `fresh`: it starts r12, and A sends at 712.
    expect(
      doneTimes(BUS, [
        ...received,
        { name: 'fresh', end: A, bytes: 101 },
        { name: 'late', at: 614, end: A, bytes: 101 },
      ]).slice(-4),
    ).toEqual(['r10 622', 'r11 674', 'r12 726', 'late 776']);
  });

  test('without anybody waiting at the partner the run goes on', () => {
    const received = Array.from({ length: 12 }, (_, index) => ({ name: `r${index + 1}`, end: M, bytes: 101 }));
    expect(doneTimes(BUS, received).at(-1)).toBe(`r12 ${78 + 52 * 11}`);
  });

  describe('the gap: a send right after a send starts no sooner than g after the end of the last', () => {
    const bus = { ...BUS, gapNs: 20 };

    test('waiting when the last ends, 52: the whole gap, 20 ns for the 2 of o', () => {
      // 52 + 20 + 50 + 12 = 134 at A, then 14.
      expect(
        doneTimes(bus, [
          { name: 'first', end: M, bytes: 101 },
          { name: 'second', end: M, bytes: 101 },
        ]),
      ).toEqual(['first 78', 'second 148']);
    });

    test.each([
      ['5 ns after it: the 15 left', 57, 57 + 15 + 50 + 12 + 14],
      ['18 ns after it: o is as long as what is left', 70, 70 + 2 + 50 + 12 + 14],
      ['20 ns after it: o', 72, 72 + 2 + 50 + 12 + 14],
    ])('coming %s', (_name, at, doneNs) => {
      expect(
        doneTimes(bus, [
          { name: 'first', end: M, bytes: 101 },
          { name: 'second', at, end: M, bytes: 101 },
        ]),
      ).toEqual(['first 78', `second ${doneNs}`]);
    });

    test('not after a reception', () => {
      // M has received `fresh` at 78 and sends `received` at once, with o: 78 + 64 at A, then 14.
      expect(
        doneTimes(bus, [
          { name: 'fresh', end: A, bytes: 101 },
          { name: 'received', at: 20, end: M, bytes: 101 },
        ]),
      ).toEqual(['fresh 78', 'received 156']);
    });
  });

  test('an end reduces one after another', () => {
    const bus = { ...BUS, gapPerByteNs: 0 };
    const fresh = (name: string) => ({ name, end: A, bytes: 101, process: true });
    // The second bus sends at 0, 2, 4, so they are at A at 14, 16, 18 and at M at 28, 30, 32.
    expect(doneTimes(bus, [fresh('a'), fresh('b'), fresh('c')])).toEqual(['a 81', 'b 134', 'c 187']);
  });

  test('what goes back from M holds its end like what enters there', () => {
    expect(
      doneTimes(BUS, [
        { name: 'relay', end: A, bytes: 101, process: true, returns: true },
        { name: 'later', at: 132, end: M, bytes: 101 },
      ]),
    ).toEqual(['relay 209', 'later 261']);
  });

  test('ranks have buses of their own', () => {
    // The timer that ends `c` is set at 14, those of the others at 64.
    expect(
      doneTimes(
        BUS,
        [
          { name: 'a', rank: 0, end: M, bytes: 101 },
          { name: 'b', rank: 1, end: M, bytes: 101 },
          { name: 'c', rank: 2, end: A, bytes: 101 },
        ],
        3,
      ),
    ).toEqual(['c 78', 'a 78', 'b 78']);
  });

  test('the reception of the partner is registered before the end of the send', () => {
    const registered: string[] = [];
    const timers = {
      nowNs: 7,
      register: (rank: number, delayNs: number) => registered.push(`rank ${rank} +${delayNs}`),
    };
    new SharedBus(BUS, 2, timers, () => {}).request(1, M, 101, false, false, 0);
    expect(registered).toEqual(['rank 1 +64', 'rank 1 +52']);
  });

  test('a request made while another is reported done starts at once', () => {
    const events = new SortedEvents();
    const done: string[] = [];
    const bus: SharedBus = new SharedBus(BUS, 1, events, (reference) => {
      done.push(`${reference} ${events.nowNs}`);
      if (reference < 200) bus.request(0, A, 101, false, false, reference + 1);
    });
    events.fire = (rank, code, reference) => bus.fire(rank, code, reference);
    bus.request(0, A, 101, false, false, 0);
    events.run();
    expect(done).toEqual(Array.from({ length: 201 }, (_, index) => `${index} ${78 * (index + 1)}`));
  });
});

describe('laws', () => {
  const request = fc.record({
    at: fc.nat(300),
    rank: fc.nat(1),
    end: fc.constantFrom(A, M),
    bytes: fc.integer({ min: 1, max: 500 }),
    process: fc.boolean(),
    returns: fc.boolean(),
  });
  const configuration = fc.record({
    latencyNs: fc.nat(20),
    overheadNs: fc.nat(5),
    gapNs: fc.nat(40),
    gapPerByteNs: fc.constantFrom(0, 0.25, Math.fround(0.01), 2),
    reductionDelayNs: fc.nat(3),
  });

  test('each request is done once', () => {
    fc.assert(
      fc.property(configuration, fc.array(request, { maxLength: 200 }), (bus, requests) => {
        const named = requests.map((each, index) => ({ ...each, name: String(index) }));
        const names = doneTimes(bus, named, 2).map((line) => Number(line.split(' ')[0]));
        expect(names.toSorted((a, b) => a - b)).toEqual(named.map((_, index) => index));
      }),
    );
  });

  test('nobody is sooner than alone', () => {
    fc.assert(
      fc.property(configuration, fc.array(request, { maxLength: 60 }), (bus, requests) => {
        // Without L and o a reception ends with its send, and ends may send twice at once: as the program has it.
        fc.pre(bus.overheadNs > 0);
        const named = requests.map((each, index) => ({ ...each, name: String(index) }));
        for (const line of doneTimes(bus, named, 2)) {
          const [index, doneNs] = line.split(' ').map(Number);
          expect(doneNs).toBeGreaterThanOrEqual(named[index].at + aloneNs(bus, named[index]));
        }
      }),
    );
  });

  function aloneNs(bus: SharedBusConfiguration, { end, bytes, process, returns }: Request): number {
    const crossing = (perByte: number) => Math.trunc(2 * bus.overheadNs + bus.latencyNs + (bytes - 1) * perByte);
    const first = crossing(bus.gapPerByteNs);
    const second = crossing(0.0038);
    const reduction = process ? Math.floor(bytes / 100) * bus.reductionDelayNs + 50 : 0;
    if (end === A) return second + first + reduction + (returns ? first + second : 0);
    return first + reduction + (process ? 2 * second : 0) + (returns ? 2 * second + first : second);
  }
});

describe('whole runs of the reference table', () => {
  const bus = { latencyNs: 5, overheadNs: 2, gapNs: 1, gapPerByteNs: Math.fround(0.01), reductionDelayNs: 1 };
  const ring = {
    bus,
    network: { topology: 'Ring', bandwidth: 50, latencyNs: 500 },
    collective: {
      ...{ ranks: 4, algorithm: 'ring all-reduce', chunks: 4, chunkBytes: 2 ** 18, activeChunks: 2 },
      localMemoryGBps: 1600,
    } as BusCollective,
  };
  const direct = {
    bus: { ...bus, reductionDelayNs: 3 },
    network: { topology: 'Switch', bandwidth: 100, latencyNs: 250 },
    collective: {
      ...{ ranks: 8, algorithm: 'direct all-to-all', chunks: 1, chunkBytes: 2 ** 20, activeChunks: 1 },
      localMemoryGBps: 1600,
    } as BusCollective,
  };

  test.each([
    ['r201', 'unaware', ring, 50_679],
    ['r202', 'aware', ring, 53_035],
    ['r203', 'unaware', direct, 19_396],
    ['r204', 'aware', direct, 19_396],
  ])('%s, congestion-%s', (_row, backend, { bus, network, collective }, finishNs) => {
    expect(busRun(collective, { ...network, backend } as BusNetwork, bus)).toEqual(
      Array.from({ length: collective.ranks }, () => finishNs),
    );
  });
});
