import { NO_STOPWATCH, Stopwatch } from '../../src/base/stopwatch.js';

/** A clock that shows the given times one after another. */
function clock(...times: number[]): () => number {
  return () => {
    const time = times.shift();
    if (time === undefined) throw new Error('the clock was asked more often than expected');
    return time;
  };
}

describe('stopwatch', () => {
  test('spans, spans within spans of the same executor, and what still runs', () => {
    const stopwatch = new Stopwatch(clock(100, 101, 102, 103, 104, 105, 106, 107));
    const run = stopwatch.begin('replay', 'run'); // 101
    const inner = stopwatch.begin('replay', 'settle'); // 102
    const other = stopwatch.begin('load', 'rank 0', 'job.0.et'); // 103
    stopwatch.end(other, 500); // 104
    stopwatch.end(inner); // 105
    stopwatch.begin('replay', 'tally'); // 106
    expect(stopwatch.read()).toEqual({
      startMs: 100,
      endMs: 107,
      spans: [
        { executor: 'replay', name: 'run', path: '', bytes: null, startMs: 101, endMs: null, within: -1 },
        { executor: 'replay', name: 'settle', path: '', bytes: null, startMs: 102, endMs: 105, within: 0 },
        { executor: 'load', name: 'rank 0', path: 'job.0.et', bytes: 500, startMs: 103, endMs: 104, within: -1 },
        { executor: 'replay', name: 'tally', path: '', bytes: null, startMs: 106, endMs: null, within: 0 },
      ],
    });
    expect(run).toBe(0);
  });

  test('the end of a span ends what an error left running within it', () => {
    const stopwatch = new Stopwatch(clock(0, 1, 2, 3, 4));
    const outer = stopwatch.begin('load', 'all');
    const inner = stopwatch.begin('load', 'rank 0');
    stopwatch.end(outer, 7);
    expect(stopwatch.read().spans).toMatchObject([
      { endMs: 3, bytes: 7 },
      { endMs: 3, bytes: null },
    ]);
    expect(() => stopwatch.end(inner)).toThrow(new RangeError('span 1 is not running'));
  });

  test('work timed by somebody else lies in no other span', () => {
    const stopwatch = new Stopwatch(clock(0, 1, 9));
    stopwatch.begin('load', 'all');
    stopwatch.add('load', 'rank 3', 'job.3.et', 12, 2, 5);
    expect(stopwatch.read().spans[1]).toEqual({
      executor: 'load',
      name: 'rank 3',
      path: 'job.3.et',
      bytes: 12,
      startMs: 2,
      endMs: 5,
      within: -1,
    });
  });

  test('one that is off keeps nothing', () => {
    const span = NO_STOPWATCH.begin('load', 'rank 0');
    NO_STOPWATCH.end(span, 5);
    NO_STOPWATCH.add('load', 'rank 1', '', 5, 0, 1);
    expect(NO_STOPWATCH.on).toBe(false);
    expect(new Stopwatch(() => 0).on).toBe(true);
    expect(NO_STOPWATCH.read()).toEqual({ spans: [], startMs: 0, endMs: 0 });
  });

  test('its own clock goes forward', () => {
    const stopwatch = new Stopwatch();
    stopwatch.end(stopwatch.begin('a', 'b'));
    const { spans, startMs, endMs } = stopwatch.read();
    expect(spans[0].startMs).toBeGreaterThanOrEqual(startMs);
    expect(spans[0].endMs).toBeGreaterThanOrEqual(spans[0].startMs);
    expect(endMs).toBeGreaterThanOrEqual(spans[0].endMs!);
  });
});
