import { RandomStream } from '../../../../src/kernel/random.js';
import { explorationWindow, RepsSpraying } from '../../../../src/network/packet/spraying/reps.js';

const US = 1e6;
const BASE = 6 * US;

/** Counts its draws. */
class CountedStream extends RandomStream {
  draws = 0;

  override uint32(): number {
    this.draws++;
    return super.uint32();
  }
}

interface Run {
  readonly reps: RepsSpraying;
  readonly random: CountedStream;
  readonly next: (nowPs?: number) => number;
}

function reps(explorationPackets = 71): Run {
  const spraying = new RepsSpraying(explorationPackets);
  const random = new CountedStream(7, 3, 'reps');
  random.draws = 0;
  return { reps: spraying, random, next: (nowPs = 0) => spraying.next(nowPs, BASE, random) };
}

/** Values 1 … count come back clean. */
function cache(run: Run, count: number): void {
  for (let value = 1; value <= count; value++) run.reps.acked(value, false, 0);
}

describe('REPS', () => {
  test('explores while the cache is empty: the upper 16 bits of each draw, uniform in 0 … 65,535', () => {
    const run = reps();
    const stream = new RandomStream(7, 3, 'reps');
    for (let packet = 0; packet < 20; packet++) expect(run.next()).toBe(Math.floor(stream.uniform() * 65_536));
  });

  test('recycles what came back clean, the first first and each once', () => {
    const run = reps();
    cache(run, 3);
    expect([run.next(), run.next(), run.next(), run.random.draws]).toEqual([1, 2, 3, 0]);
    run.next();
    expect(run.random.draws).toBe(1);
  });

  test('keeps 8 values: the ninth takes the place of the oldest', () => {
    const run = reps();
    cache(run, 9);
    expect(Array.from({ length: 8 }, () => run.next())).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    run.next();
    expect(run.random.draws).toBe(1);
  });

  test('a value that came back marked is discarded', () => {
    const run = reps();
    run.reps.acked(5, true, 0);
    run.reps.acked(6, false, 0);
    expect([run.next(), run.random.draws]).toEqual([6, 0]);
  });

  test('trimmed on the way it is discarded, at the last hop recycled', () => {
    const run = reps();
    run.reps.trimmed(5, false);
    run.reps.trimmed(6, true);
    expect([run.next(), run.random.draws]).toEqual([6, 0]);
  });

  test('exploration window: floor(300,000 / 4,184) = 71 packets', () => {
    expect(explorationWindow(300_000, 4184)).toBe(71);
  });
});

describe('REPS frozen', () => {
  test('a timeout freezes: cached values around and around, also stale ones, and no exploring', () => {
    const run = reps();
    cache(run, 3);
    run.next();
    run.reps.timedOut(1, 0);
    expect(run.reps.isFrozen).toBe(true);
    expect(Array.from({ length: 7 }, () => run.next())).toEqual([1, 2, 3, 1, 2, 3, 1]);
    expect(run.random.draws).toBe(0);
  });

  test('where nothing was ever cached there is nothing but exploring', () => {
    const run = reps();
    run.reps.timedOut(1, 0);
    run.next();
    expect(run.random.draws).toBe(1);
  });

  test('left at a clean ACK after 100 µs, not before and not at a marked one', () => {
    const run = reps();
    cache(run, 1);
    run.reps.timedOut(1, 0);
    run.reps.acked(2, false, 100 * US - 1);
    expect(run.reps.isFrozen).toBe(true);
    run.reps.acked(3, true, 150 * US);
    run.reps.trimmed(4, true);
    expect(run.reps.isFrozen).toBe(true);
    run.reps.acked(5, false, 150 * US);
    expect(run.reps.isFrozen).toBe(false);
  });

  test('a later timeout starts the 100 µs again', () => {
    const run = reps();
    run.reps.timedOut(1, 0);
    run.reps.timedOut(1, 50 * US);
    run.reps.acked(1, false, 150 * US - 1);
    expect(run.reps.isFrozen).toBe(true);
    run.reps.acked(1, false, 150 * US);
    expect(run.reps.isFrozen).toBe(false);
  });

  test('then the last of 71 packets and every 8th before it explore: 7, 15, … 71', () => {
    const run = reps();
    run.reps.timedOut(1, 0);
    run.reps.acked(1, false, 100 * US);
    const exploring: number[] = [];
    for (let packet = 1; packet <= 200; packet++) {
      run.reps.acked(2, false, 100 * US);
      const before = run.random.draws;
      run.next(100 * US);
      if (run.random.draws > before) exploring.push(packet);
    }
    expect(exploring).toEqual([7, 15, 23, 31, 39, 47, 55, 63, 71]);
  });

  test('values used while frozen are not used again after it', () => {
    const run = reps(0);
    cache(run, 3);
    run.reps.timedOut(1, 0);
    expect([run.next(), run.next()]).toEqual([1, 2]);
    run.reps.acked(9, false, 100 * US);
    expect([run.next(100 * US), run.next(100 * US), run.random.draws]).toEqual([3, 9, 0]);
    run.next(100 * US);
    expect(run.random.draws).toBe(1);
  });
});

describe('REPS early failure report', () => {
  test('more than 3 × base RTT without an ACK freezes', () => {
    const run = reps();
    run.next(5 * US);
    run.next(23 * US);
    expect(run.reps.isFrozen).toBe(false);
    run.next(23 * US + 1);
    expect(run.reps.isFrozen).toBe(true);
  });

  test.each([false, true])('an ACK, marked %s, ends the wait; it begins at the next packet', (isMarked) => {
    const run = reps();
    run.next(0);
    run.reps.acked(1, isMarked, 10 * US);
    run.next(100 * US);
    run.next(118 * US);
    expect(run.reps.isFrozen).toBe(false);
    run.next(118 * US + 1);
    expect(run.reps.isFrozen).toBe(true);
  });

  test('a trim NACK is no ACK', () => {
    const run = reps();
    run.next(0);
    run.reps.trimmed(1, true);
    run.next(18 * US + 1);
    expect(run.reps.isFrozen).toBe(true);
  });
});
