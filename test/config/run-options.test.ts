import { DEFAULT_RUN_OPTIONS, runOptions } from '../../src/config/run-options.js';
import { parseRunConfig } from '../../src/config/run-config.js';
import { runTimes } from '../../src/config/run-times.js';
import { timeText } from '../../src/base/units.js';

const SECOND = 1_000_000_000_000;

test('R-010 the defaults', () => {
  expect(DEFAULT_RUN_OPTIONS).toEqual({
    startPs: 0,
    stopPs: 10 * SECOND,
    beaconIntervalPs: 1_000_000_000,
    ndStatsIntervalPs: 1_000_000_000,
    useMapping: false,
    allowExtraServers: false,
    dropMissingDependencies: false,
    scaleUpHeaderBytes: 24,
    scaleUpMaxPayloadBytes: 4096,
    scaleUpStats: false,
    recordsFormat: 'csv',
    wallClock: false,
    seed: 1,
    maxWarnings: 30_000,
  });
});

test('R-010 what the configuration says arrives', () => {
  const { flags } = parseRunConfig(
    `out: records
mapping: ranks.map
AllowExtraServers: true
DropMissingDeps: true
ScaleUpHeaderSize: 0
ScaleUpMaxPayloadSize: 8KiB
ScaleUpStatsEnabled: true
ProfilingEnabled: true
WallClock: true
Seed: 0
MaxCountWarningsLoggedPerInstance: 0
records-format: parquet
StartTime: 1us
RunTime: 20us
BeaconReportInterval: 2us
NDStatsReportInterval: 3us
`,
    'run.yaml',
  );
  expect(runOptions(flags)).toEqual({
    options: {
      mapping: 'ranks.map',
      useMapping: true,
      startPs: 1_000_000,
      stopPs: 21_000_000,
      beaconIntervalPs: 2_000_000,
      ndStatsIntervalPs: 3_000_000,
      profilingIntervalPs: 1_000_000_000,
      allowExtraServers: true,
      dropMissingDependencies: true,
      scaleUpHeaderBytes: 0,
      scaleUpMaxPayloadBytes: 8192,
      scaleUpStats: true,
      recordsFormat: 'parquet',
      wallClock: true,
      seed: 0,
      maxWarnings: 0,
    },
    stoppedBy: 'StartTime 1 us + RunTime 20 us',
    findings: [],
  });
});

describe('R-010 UseMapping', () => {
  test('true without a mapping file is an error', () => {
    expect(() => runOptions({ useMapping: true })).toThrow('UseMapping is true, and no mapping file is named');
  });

  test('false with a mapping file leaves the file out and says so', () => {
    const { options, findings } = runOptions({ useMapping: false, mapping: 'ranks.map' });
    expect(options).toMatchObject({ mapping: 'ranks.map', useMapping: false });
    expect(findings).toMatchObject([
      {
        code: 'MAPPING_IGNORED',
        severity: 'note',
        message: 'ranks.map is not used: UseMapping is false, ranks are placed in order',
      },
    ]);
  });

  test.each([
    [{}, false],
    [{ useMapping: false }, false],
    [{ mapping: 'ranks.map' }, true],
    [{ mapping: 'ranks.map', useMapping: true }, true],
  ])('%j gives %s without a word', (flags, useMapping) => {
    expect(runOptions(flags)).toMatchObject({ options: { useMapping }, findings: [] });
  });
});

describe('R-141 the stop time', () => {
  test('is StartTime + WarmUp + RunTime + CoolDown', () => {
    const { times, stoppedBy } = runTimes({ startTime: '1us', warmUp: 2_000_000, runTime: '20us', coolDown: '0.5us' });
    expect(times).toMatchObject({ startPs: 1_000_000, stopPs: 23_500_000 });
    expect(stoppedBy).toBe('StartTime 1 us + WarmUp 2 us + RunTime 20 us + CoolDown 500 ns');
  });

  test('is 10 s after the start where nothing is said', () => {
    expect(runTimes({})).toMatchObject({ times: { startPs: 0, stopPs: 10 * SECOND }, stoppedBy: 'RunTime 10 s' });
    expect(runTimes({ startTime: '1s' }).times.stopPs).toBe(11 * SECOND);
  });

  test('is that of until, which is absolute and wins, and what it leaves without effect is said', () => {
    const derived = runTimes({ startTime: '1ms', warmUp: '1us', runTime: 20_000_000, until: '5ms' });
    expect(derived).toMatchObject({
      times: { startPs: 1_000_000_000, stopPs: 5_000_000_000 },
      stoppedBy: '--until 5ms',
    });
    expect(derived.findings.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ['SETTING_UNUSED', 'note', 'WarmUp 1 us is not used: --until 5ms says when the run stops'],
      ['SETTING_UNUSED', 'note', 'RunTime 20 us is not used: --until 5ms says when the run stops'],
    ]);
    expect(runTimes({ until: '5ms' }).findings).toEqual([]);
  });

  test('may be the start, and not lie before it', () => {
    expect(runTimes({ startTime: '5ms', until: '5ms' }).times.stopPs).toBe(5_000_000_000);
    expect(() => runTimes({ startTime: '5ms', until: '1us' })).toThrow('--until 1us is before StartTime 5 ms');
  });

  test('R-001 above 2^53 ps is refused', () => {
    expect(runTimes({ startTime: 1, runTime: 2 ** 53 - 1 }).times.stopPs).toBe(2 ** 53);
    // 2^53 + 1 is no double: the sum must not be rounded down to what is allowed.
    expect(() => runTimes({ startTime: 1, runTime: 2 ** 53 })).toThrow(
      /^stop time StartTime 1 ps \+ RunTime 9007\.199254740992 s exceeds 2\^53 ps/,
    );
    expect(() => runTimes({ runTime: '9008s' })).toThrow('exceeds 2^53 ps');
    expect(() => runTimes({ until: '9008s' })).toThrow('exceeds 2^53 ps');
  });
});

describe('R-161 profiling', () => {
  test.each([
    [{}, undefined],
    [{ profilingEnabled: false }, undefined],
    [{ profilingInterval: 5 }, undefined],
    [{ profilingEnabled: true }, 1_000_000_000],
    [{ profilingEnabled: true, profilingInterval: 5 }, 5],
    [{ profiling: '10us' }, 10_000_000],
    // The command line wins over what the file says.
    [{ profiling: '10us', profilingEnabled: false, profilingInterval: 5 }, 10_000_000],
  ])('%j gives %s', (settings, intervalPs) => {
    expect(runTimes(settings).times.profilingIntervalPs).toBe(intervalPs);
  });

  test('an interval of 0 is an error', () => {
    expect(() => runTimes({ profiling: '0us' })).toThrow('--profiling 0us: expected more than 0');
  });
});

test.each([
  [10 * SECOND, '10 s'],
  [23_356_600, '23.3566 us'],
  [1_500_000_000, '1.5 ms'],
  [33_500, '33.5 ns'],
  [999, '999 ps'],
  [0, '0 s'],
  [2 ** 53, '9007.199254740992 s'],
])('%s ps is written %s', (picoseconds, text) => {
  expect(timeText(picoseconds)).toBe(text);
});

test('what only says how records are written is said to count for nothing where none are', () => {
  const flags = { 'records-format': 'parquet', profiling: '10us', wallClock: true, 'scale-up-stats': false };
  const said = (given: Record<string, unknown>): string[] => runOptions(given).findings.map(({ message }) => message);
  expect(said(flags)).toEqual([
    '--records-format is not used: no records are written without -o',
    '--profiling is not used: no records are written without -o',
    'WallClock is not used: no records are written without -o',
  ]);
  expect(said({ ...flags, o: 'records' })).toEqual([]);
});
