import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';
import { runOptions } from '../../src/config/run-options.js';
import { parseRunConfig } from '../../src/config/run-config.js';
import { systemOptions } from '../../src/config/system-options.js';

const SYSTEM = { system: 'system.json' };

function refusal(flags: Record<string, unknown>, code: string): string {
  try {
    systemOptions(flags);
  } catch (error) {
    expect(error).toMatchObject({ code, exitStatus: 2 });
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(flags)}`);
}

function notes(flags: Record<string, unknown>): string[] {
  return systemOptions({ ...SYSTEM, ...flags })!.findings.map(
    ({ code, severity, message }) => `${severity} ${code}: ${message}`,
  );
}

test('without --system there are none', () => {
  expect(systemOptions({ network: 'n.yml', allreduce: 'tree', rendezvous: false })).toBeUndefined();
});

test('defaults, which say nothing', () => {
  expect(systemOptions(SYSTEM)).toEqual({
    options: {
      systemFile: 'system.json',
      queuesPerDimension: 1,
      injectionScale: 1,
      rendezvous: false,
      extensions: false,
      backend: 'analytical-unaware',
    },
    findings: [],
  });
});

test('every setting, as text of the command line or as value of the configuration', () => {
  const flags = {
    ...SYSTEM,
    memory: 'memory.json',
    rendezvous: true,
    'system-extensions': true,
    backend: 'analytical-aware',
  };
  const options = {
    systemFile: 'system.json',
    memoryFile: 'memory.json',
    queuesPerDimension: 4,
    injectionScale: 0.25,
    rendezvous: true,
    extensions: true,
    backend: 'analytical-aware',
  };
  const text = { 'num-queues-per-dim': '4', 'injection-scale': '0.25' };
  const values = { 'num-queues-per-dim': 4, 'injection-scale': 0.25 };
  expect(systemOptions({ ...flags, ...text })).toEqual({ options, findings: [] });
  expect(systemOptions({ ...flags, ...values })).toEqual({ options, findings: [] });
  const yaml = Object.entries({ ...flags, ...values }).map(([name, value]) => `${name}: ${String(value)}\n`);
  expect(systemOptions(parseRunConfig(yaml.join(''), 'run.yaml').flags)).toEqual({ options, findings: [] });
});

test.each([
  ['num-queues-per-dim', '0', 'a whole number from 1 to 1,024'],
  ['num-queues-per-dim', '1025', 'a whole number from 1 to 1,024'],
  ['num-queues-per-dim', '1.5', 'a whole number from 1 to 1,024'],
  ['num-queues-per-dim', 'two', 'a whole number from 1 to 1,024'],
  ['num-queues-per-dim', ' ', 'a whole number from 1 to 1,024'],
  ['injection-scale', '-0.5', 'a number, 0 or more'],
  ['injection-scale', 'Infinity', 'a number, 0 or more'],
  ['injection-scale', '', 'a number, 0 or more'],
])('--%s %j is out of range', (flag, value, expected) => {
  expect(refusal({ ...SYSTEM, [flag]: value }, 'USAGE')).toBe(`--${flag} ${value}: expected ${expected}`);
});

describe('settings that would make it another run are refused', () => {
  test.each<[flags: Record<string, unknown>, message: string]>([
    [
      { serialize: true },
      '--serialize (ProcessGroupSerialization) does not go with --system: ASTRA-sim runs the traces',
    ],
    [{ sync: true }, '--sync (CommCollectiveSynchronization) does not go with --system: ASTRA-sim runs the traces'],
    [{ scale: '0.5' }, '--scale 0.5 does not go with --system: ASTRA-sim takes sizes and durations'],
    [{ scale: 0 }, '--scale 0 does not go with --system: ASTRA-sim takes sizes and durations'],
    [{ order: 'recorded' }, '--order recorded does not go with --system: nodes are issued in ascending order'],
    [
      { 'drop-missing-deps': true },
      '--drop-missing-deps (DropMissingDeps) does not go with --system: ASTRA-sim refuses',
    ],
    [{ mapping: 'ranks.map' }, '--mapping ranks.map does not go with --system: rank r is NPU r of the network'],
    [{ mapping: 'ranks.map', useMapping: true }, '--mapping ranks.map does not go with --system'],
    [{ logical: 'logical.json' }, '--logical logical.json does not go with --system: its dimensions are those'],
    [{ 'allow-extra-servers': true }, '--allow-extra-servers (AllowExtraServers) does not go with --system: every NPU'],
    [{ 'start-time': '1us' }, '--start-time (StartTime) 1us does not go with --system: every rank starts at 0'],
    [{ 'start-time': 1_500_000 }, '--start-time (StartTime) 1.5 us does not go with --system: every rank starts at 0'],
    [{ o: 'out' }, '-o out does not go with --system: records are tables of single transfers'],
    [{ report: 'timing' }, '--report timing does not go with --system: its lines are single transfers'],
  ])('%j', (flags, message) => {
    expect(refusal({ ...SYSTEM, ...flags }, 'SYSTEM_CONTRADICTED').slice(0, message.length)).toBe(message);
  });

  test.each(COLLECTIVE_NAMES.map(({ option, record }) => [option, `${record}Algorithm`]))(
    '--%s',
    (option, attribute) => {
      expect(refusal({ ...SYSTEM, [option]: 'ring' }, 'SYSTEM_CONTRADICTED')).toBe(
        `--${option} (${attribute}) ring does not go with --system: the system file says how collectives run`,
      );
    },
  );

  test.each([
    [{ serialize: false, sync: false, scale: '1', order: 'ids' }],
    [{ 'start-time': '0s', 'drop-missing-deps': false, 'allow-extra-servers': false }],
    [{ 'start-time': 0, scale: 1, useMaxStart: false }],
    [{ report: 'wall', until: '5us', deps: 'data', groups: 'g.json', assume: ['root=position'], threads: '1' }],
    [{ mapping: 'ranks.map', useMapping: false }],
  ])('values that say what happens anyway pass without a word: %j', (flags) => {
    expect(notes(flags)).toEqual([]);
  });
});

test('settings without effect are notes', () => {
  const flags = {
    family: 'collected',
    useMaxStart: true,
    scaleUpHeaderSize: 24,
    scaleUpMaxPayloadSize: 4096,
    beaconReportInterval: 1_000_000,
    seed: 7,
  };
  expect(notes(flags)).toEqual([
    'note SETTING_UNUSED: --family (TraceFamily) collected is not used with --system: a rank runs one compute node at a time, for the whole of its duration',
    'note SETTING_UNUSED: UseMaxAsCommCollectiveStartTime is not used with --system: a collective starts with its first member',
    'note SETTING_UNUSED: ScaleUpHeaderSize 24 is not used with --system: no rank is in a scale-up group',
    'note SETTING_UNUSED: ScaleUpMaxPayloadSize 4096 is not used with --system: no rank is in a scale-up group',
    'note SETTING_UNUSED: BeaconReportInterval 1 us is not used with --system: no records are written with --system',
    'note SETTING_UNUSED: Seed 7 is not used with --system: nothing is random',
  ]);
});

test('what says how records are written is not used, and -o does not help', () => {
  const flags = { ...SYSTEM, 'records-format': 'parquet', profiling: '1us', 'scale-up-stats': true, wallClock: true };
  const said = (more: object): string[] => runOptions({ ...flags, ...more }).findings.map(({ message }) => message);
  expect(said({})).toEqual([
    '--records-format is not used: no records are written with --system',
    '--profiling is not used: no records are written with --system',
    '--scale-up-stats (ScaleUpStatsEnabled) is not used: no records are written with --system',
    'WallClock is not used: no records are written with --system',
  ]);
  // The lines of the program begin with the time.
  expect(said({ report: 'astra-sim' })).not.toContain('WallClock is not used: no records are written with --system');
});

test.each([
  [{ memory: 'memory.json' }, '--memory memory.json'],
  [{ 'num-queues-per-dim': '1' }, '--num-queues-per-dim 1'],
  [{ 'injection-scale': 1 }, '--injection-scale 1'],
  [{ rendezvous: true }, '--rendezvous'],
  [{ 'system-extensions': true }, '--system-extensions'],
  [{ report: 'astra-sim' }, '--report astra-sim'],
])('without --system %j is refused', (flags, named) => {
  expect(refusal(flags, 'SYSTEM_MISSING')).toBe(
    `${named} is of ASTRA-sim's system layer, which runs with --system only`,
  );
});
