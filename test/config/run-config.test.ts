import { parseRunConfig, readRunConfig } from '../../src/config/run-config.js';

function flags(text: string): Readonly<Record<string, unknown>> {
  return parseRunConfig(text, 'run.yaml').flags;
}

function refusal(text: string): string {
  try {
    parseRunConfig(text, 'run.yaml');
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitStatus: 2 });
    return (error as Error).message;
  }
  throw new Error(`accepted: ${text}`);
}

function notes(text: string): string[] {
  return parseRunConfig(text, 'run.yaml').findings.map(({ severity, message }) => `${severity} ${message}`);
}

const SECONDS = 'seconds as a number or text with a unit such as 1us';

test('attributes of R-010 and flags say the same', () => {
  expect(flags('AllReduceAlgorithm: tree\n')).toEqual({ allreduce: 'tree' });
  expect(flags('allreduce: tree\nsync: false\n')).toEqual({ allreduce: 'tree', sync: false });
});

test('R-010 every attribute is taken under its name', () => {
  const text = `
NumOfChakraFiles: 8
UseMapping: true
AllReduceAlgorithm: double-tree
ReduceAlgorithm: tree
AllGatherAlgorithm: ring
ReduceScatterAlgorithm: halving
ReduceScatterBlockAlgorithm: ring
BroadcastAlgorithm: sequential
GatherAlgorithm: direct
ScatterAlgorithm: direct
AllToAllAlgorithm: sequential
BarrierAlgorithm: halving-doubling
ProcessGroupSerialization: false
CommCollectiveSynchronization: false
UseMaxAsCommCollectiveStartTime: false
AbortOnChakraWarning: true
MaxCountWarningsLoggedPerInstance: 40000
TraceFamily: collected
Scaling: true
ScalingFactor: 0.5
ScaleUpHeaderSize: 0
ScaleUpMaxPayloadSize: 64MiB
ScaleUpStatsEnabled: true
ProfilingEnabled: true
ProfilingInterval: 10us
StartTime: 0.000001
WarmUp: 1ms
RunTime: 20
CoolDown: 5e-12
BeaconReportInterval: 0.001
NDStatsReportInterval: 2 ms
AllowExtraServers: true
DropMissingDeps: true
WallClock: true
Seed: 4294967295
`;
  expect(flags(text)).toEqual({
    rankCount: 8,
    useMapping: true,
    allreduce: 'double-tree',
    reduce: 'tree',
    allgather: 'ring',
    reducescatter: 'halving',
    reducescatterblock: 'ring',
    broadcast: 'sequential',
    gather: 'direct',
    scatter: 'direct',
    alltoall: 'sequential',
    barrier: 'halving-doubling',
    serialize: false,
    sync: false,
    useMaxStart: false,
    abortOnWarning: true,
    maxWarnings: 40_000,
    family: 'collected',
    scale: 0.5,
    scaleUpHeaderSize: 0,
    scaleUpMaxPayloadSize: 67_108_864,
    'scale-up-stats': true,
    profilingEnabled: true,
    profilingInterval: 10_000_000,
    'start-time': 1_000_000,
    warmUp: 1_000_000_000,
    runTime: 20_000_000_000_000,
    coolDown: 5,
    beaconReportInterval: 1_000_000_000,
    ndStatsReportInterval: 2_000_000_000,
    'allow-extra-servers': true,
    'drop-missing-deps': true,
    wallClock: true,
    seed: 4_294_967_295,
  });
});

test('R-095 the scaling factor counts only with Scaling true, and what does not count is said', () => {
  expect(flags('Scaling: true\nScalingFactor: 0.5\n')).toEqual({ scale: 0.5 });
  expect(flags('Scaling: true\n')).toEqual({ scale: 1 });
  expect(flags('Scaling: false\nScalingFactor: 0.5\n')).toEqual({});
  expect(notes('Scaling: true\nScalingFactor: 0.5\n')).toEqual([]);
  expect(notes('Scaling: false\nScalingFactor: 0.5\n')).toEqual([
    'note run.yaml:2:1: ScalingFactor 0.5 is not used: Scaling is not true',
  ]);
});

describe('R-010 a wrong value names file, line, column, attribute, value and what was expected', () => {
  test.each([
    [
      'AllReduceAlgorithm: "rings"',
      21,
      '"rings", expected one of ring, tree, double-tree, halving-doubling or file:PATH',
    ],
    ['ReduceScatterAlgorithm: tree', 25, '"tree", expected one of ring, halving or file:PATH'],
    ['AllGatherAlgorithm: tree', 21, '"tree", expected one of ring or file:PATH'],
    [
      'AllReduceAlgorithm: [ring]',
      21,
      '["ring"], expected one of ring, tree, double-tree, halving-doubling or file:PATH',
    ],
    ['TraceFamily: {collected: true}', 14, '{"collected":true}, expected one of synthesized, compiled, collected'],
    ['ProcessGroupSerialization: yes', 28, '"yes", expected true or false'],
    ['UseMapping: 1', 13, '1, expected true or false'],
    ['WallClock: "true"', 12, '"true", expected true or false'],
    ['AllowExtraServers:', 19, 'null, expected true or false'],
    ['NumOfChakraFiles: 0', 19, '0, expected an integer, at least 1'],
    ['NumOfChakraFiles: 1.5', 19, '1.5, expected an integer, at least 1'],
    ['MaxCountWarningsLoggedPerInstance: 40001', 36, '40001, expected an integer from 0 to 40,000'],
    ['MaxCountWarningsLoggedPerInstance: -1', 36, '-1, expected an integer from 0 to 40,000'],
    ['ScalingFactor: 1.0001', 16, '1.0001, expected a number from 0 to 1'],
    ['ScalingFactor: .nan', 16, 'NaN, expected a number from 0 to 1'],
    ['Seed: 4294967296', 7, '4294967296, expected an integer from 0 to 4,294,967,295'],
    ['Seed: "1"', 7, '"1", expected an integer from 0 to 4,294,967,295'],
    ['mapping: 7', 10, '7, expected text'],
    ['records-format: json', 17, '"json", expected one of csv, parquet'],
    ['report: wal', 9, '"wal", expected one of table, timing, wall, none, astra-sim'],
    ['backend: ns-3', 10, '"ns-3", expected one of analytical-unaware, analytical-aware, packet'],
    ['system: 7', 9, '7, expected text'],
    ['memory: [pool.json]', 9, '["pool.json"], expected text'],
    ['num-queues-per-dim: 0', 21, '0, expected an integer, at least 1'],
    ['injection-scale: -0.5', 18, '-0.5, expected a number, at least 0'],
    ['rendezvous: 1', 13, '1, expected true or false'],
    ['system-extensions: "on"', 20, '"on", expected true or false'],
    ['StartTime: -1', 12, `-1, expected ${SECONDS}, 0 or more`],
    ['RunTime: "10"', 10, `"10", expected ${SECONDS}, 0 or more`],
    ['RunTime: 10 min', 10, `"10 min", expected ${SECONDS}, 0 or more`],
    ['RunTime: .inf', 10, `Infinity, expected ${SECONDS}, 0 or more`],
    ['WarmUp: true', 9, `true, expected ${SECONDS}, 0 or more`],
    ['CoolDown: [1us]', 11, `["1us"], expected ${SECONDS}, 0 or more`],
    ['BeaconReportInterval: 0', 23, `0, expected ${SECONDS}, more than 0`],
    ['NDStatsReportInterval: 0s', 24, `"0s", expected ${SECONDS}, more than 0`],
    ['ProfilingInterval: 0.0us', 20, `"0.0us", expected ${SECONDS}, more than 0`],
    ['until: 5', 8, '5, expected text with a unit such as 1us'],
    ['profiling: 0us', 12, '"0us", expected text with a unit such as 1us, more than 0'],
  ])('%s', (line, column, message) => {
    const name = line.slice(0, line.indexOf(':'));
    expect(refusal(`# run\nsync: true\n${line}\n`)).toBe(`run.yaml:3:${column}: ${name}: ${message}`);
  });

  test('the first of several in the order of the file', () => {
    expect(refusal('Seed: -1\nAllReduceAlgorithm: rings\n')).toMatch(/^run\.yaml:1:7: Seed: -1/);
    expect(refusal('AllReduceAlgorithm: rings\nSeed: -1\n')).toMatch(/^run\.yaml:1:21: AllReduceAlgorithm/);
  });

  test('in JSON too', () => {
    expect(refusal('{\n  "AllReduceAlgorithm": "rings"\n}')).toMatch(/^run\.yaml:2:25: AllReduceAlgorithm: "rings"/);
  });
});

describe('R-002 times', () => {
  test.each([
    ['StartTime: 0.0000000000005', 1], // half a picosecond goes up
    ['StartTime: 1.0000000000005', 1_000_000_000_001], // its double lies below the half
    ['StartTime: 1e-12', 1],
    ['StartTime: 0', 0],
    ['StartTime: 0.0', 0],
    ['StartTime: 33.5ns', 33_500],
    ['StartTime: 9007.199254740992', 2 ** 53],
  ])('R-002 %s is %s ps', (line, picoseconds) => {
    expect(flags(line)).toEqual({ 'start-time': picoseconds });
  });

  test('R-002 a time that is not 0 and below half a picosecond is an error', () => {
    expect(refusal('StartTime: 4e-13')).toBe(
      `run.yaml:1:12: StartTime: 4e-13, expected ${SECONDS}, 0 or more (time "4e-13 s" is below half a picosecond, the ` +
        'unit of simulated time)',
    );
    expect(refusal('BeaconReportInterval: 0.4ps')).toContain('is below half a picosecond');
  });

  test('R-001 a time above 2^53 ps is an error', () => {
    expect(refusal('RunTime: 9007.199254740993')).toMatch(/^run\.yaml:1:10: RunTime: .* exceeds 2\^53 ps/);
  });
});

describe('R-011 sizes', () => {
  test.each([
    ['4KiB', 4096],
    ['4KB', 4000],
    ['4096', 4096],
    ['"4096"', 4096],
    ['512B', 512],
    ['1MB', 1_000_000],
    ['1 MiB', 1_048_576],
    ['67108864', 67_108_864],
  ])('R-011 %s is %s bytes', (value, bytes) => {
    expect(flags(`ScaleUpMaxPayloadSize: ${value}`)).toEqual({ scaleUpMaxPayloadSize: bytes });
  });

  test.each([
    ['ScaleUpMaxPayloadSize', '0', '0'],
    ['ScaleUpMaxPayloadSize', '0KB', '"0KB"'],
    ['ScaleUpMaxPayloadSize', '67108865', '67108865'],
    ['ScaleUpMaxPayloadSize', '65MiB', '"65MiB"'],
    ['ScaleUpMaxPayloadSize', '1GB', '"1GB"'],
    ['ScaleUpMaxPayloadSize', '1.5', '1.5'],
    ['ScaleUpMaxPayloadSize', '1.5B', '"1.5B"'],
    ['ScaleUpMaxPayloadSize', '4kib', '"4kib"'],
    ['ScaleUpHeaderSize', '-1', '-1'],
    ['ScaleUpHeaderSize', '67108865', '67108865'],
    ['ScaleUpHeaderSize', 'true', 'true'],
  ])('R-010 %s: %s is an error, with or without groups', (name, value, shown) => {
    const least = name === 'ScaleUpHeaderSize' ? 0 : 1;
    expect(refusal(`${name}: ${value}\n`)).toMatch(
      new RegExp(`^run\\.yaml:1:${name.length + 3}: ${name}: ${shown}, expected ${least} to 67,108,864 bytes`),
    );
  });

  test('R-010 the bounds themselves are taken', () => {
    expect(flags('ScaleUpHeaderSize: 0\nScaleUpMaxPayloadSize: 1\n')).toEqual({
      scaleUpHeaderSize: 0,
      scaleUpMaxPayloadSize: 1,
    });
  });
});

describe('R-010 names', () => {
  test.each([
    ['AllReduceAlgoritm: ring', 'AllReduceAlgoritm (did you mean AllReduceAlgorithm?)'],
    ['runtime: 1', 'runtime (did you mean RunTime?)'],
    ['AllReduce: ring', 'AllReduce (did you mean allreduce?)'],
  ])('an unknown attribute is an error that suggests the nearest: %s', (line, message) => {
    expect(refusal(`sync: true\n${line}\n`)).toBe(`run.yaml:2:1: unknown attribute: ${message}`);
  });

  test('an unknown attribute with no near one is an error that lists the known ones', () => {
    expect(refusal('elephant: grey\n')).toMatch(/^run\.yaml:1:1: unknown attribute: elephant \(known: allreduce, /);
  });

  test('an attribute that is given twice is an error', () => {
    expect(refusal('Seed: 1\nWallClock: true\nSeed: 1\n')).toBe(
      'run.yaml:3:1: Seed given twice, first on line 1; expected once',
    );
  });
});

describe('one thing said under two names', () => {
  test.each([
    ['allreduce: ring\nAllReduceAlgorithm: tree', 21, 'AllReduceAlgorithm: "tree", but allreduce: "ring"'],
    ['AllReduceAlgorithm: tree\nallreduce: ring', 12, 'allreduce: "ring", but AllReduceAlgorithm: "tree"'],
    ['sync: true\nCommCollectiveSynchronization: false', 32, 'CommCollectiveSynchronization: false, but sync: true'],
    ['StartTime: 1\nstart-time: 1us', 13, 'start-time: "1us", but StartTime: 1'],
    ['scale: 0.5\nScaling: false', 10, 'Scaling: false, but scale: 0.5'],
    ['Scaling: true\nscale: 0.5', 8, 'scale: 0.5, but Scaling: true'],
    ['profiling: 1ms\nProfilingEnabled: false', 19, 'ProfilingEnabled: false, but profiling: "1ms"'],
    ['ProfilingInterval: 0.002\nprofiling: 1ms', 12, 'profiling: "1ms", but ProfilingInterval: 0.002'],
    ['ProfilingEnabled: true\nprofiling: 2ms', 12, 'profiling: "2ms", but ProfilingEnabled: true'],
  ])('differently is an error: %j', (text, column, message) => {
    expect(refusal(`${text}\n`)).toBe(
      `run.yaml:2:${column}: ${message} on line 1 says the same thing otherwise; expected one of the two`,
    );
  });

  test.each([
    'allreduce: tree\nAllReduceAlgorithm: tree',
    'StartTime: 0.000001\nstart-time: 1us',
    'Scaling: true\nScalingFactor: 0.5\nscale: 0.5',
    'Scaling: false\nscale: 1',
    'ProfilingEnabled: true\nProfilingInterval: 0.002\nprofiling: 2ms',
    'ProfilingEnabled: true\nprofiling: 1ms',
  ])('alike is no error: %j', (text) => {
    expect(notes(text)).toEqual([]);
  });

  test('an interval without ProfilingEnabled is said to count for nothing', () => {
    expect(notes('ProfilingInterval: 0.002\n')).toEqual([
      'note run.yaml:1:1: ProfilingInterval 0.002 is not used: ProfilingEnabled is not true',
    ]);
  });
});

describe('a file that is no list of attributes', () => {
  test.each([
    ['sync: [1\n', /^run\.yaml:\d+:\d+: YAML: /],
    ['sync: true\n  Seed: 1\n', /^run\.yaml:\d+:\d+: YAML: /],
    ['a: *b\n', /^run\.yaml:1:1: YAML: /],
    ['sync: !maybe true\n', /^run\.yaml:1:7: YAML: Unresolved tag/],
    ['sync: true\n---\nsync: true\n', /^run\.yaml:\d+:\d+: YAML: /],
    ['- sync\n', /^run\.yaml:1:1: the file: \["sync"\], expected attributes and values/],
    ['sync\n', /^run\.yaml:1:1: the file: "sync", expected attributes and values/],
  ])('%j', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('an empty file says nothing', () => {
    expect(parseRunConfig('', 'run.yaml')).toEqual({ flags: {}, findings: [] });
    expect(parseRunConfig('# nothing\n', 'run.yaml')).toEqual({ flags: {}, findings: [] });
  });

  test('a file that cannot be read is named', () => {
    expect(() => readRunConfig('/nowhere/run.yaml')).toThrow(/^\/nowhere\/run\.yaml: cannot be read \(ENOENT/);
  });
});
