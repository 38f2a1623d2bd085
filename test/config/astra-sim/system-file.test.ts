import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readSystemFile } from '../../../src/config/astra-sim/system-file.js';
import { refusalOf, systemFile, systemText, told } from '../../support/system-files.js';

const WHOLE = 'ASTRA-sim takes whole numbers here';

test('a file as it is published: the values of every key, and nothing to tell', () => {
  const read = systemFile({
    'scheduling-policy': 'EXPLICIT',
    'collective-optimization': 'baseline',
    'preferred-dataset-splits': 16,
    'active-chunks-per-dimension': 4,
    'endpoint-delay': 100,
    'local-mem-bw': 50.5,
    'all-reduce-implementation': ['ring', 'direct4'],
    'roofline-enabled': 1,
    'peak-perf': 900,
    'replay-only': 1,
    'track-local-mem': 1,
    'local-mem-trace-filename': 'mem_trace/local',
    'trace-enabled': 0,
  });
  expect(read).toEqual({
    configuration: {
      file: 'system.json',
      schedulingPolicy: 'EXPLICIT',
      collectiveOptimization: 'baseline',
      datasetSplits: 16,
      activeChunksPerDimension: 4,
      endpointDelayNs: 100,
      localMemoryGBps: 50.5,
      implementations: {
        allReduce: [
          { algorithm: 'ring', whole: false },
          { algorithm: 'direct', window: 4, whole: false },
        ],
      },
      customImplementations: {},
      customByNode: new Map(),
      roofline: true,
      peakTflops: 900,
      replayOnly: true,
      localMemoryTrace: 'mem_trace/local',
    },
    findings: [],
  });
});

test('defaults of section 1, each told of; those of scheduling-policy and collective-optimization are ours', () => {
  const read = systemText('{"preferred-dataset-splits": 4}');
  expect(read.configuration).toEqual({
    file: 'system.json',
    schedulingPolicy: 'LIFO',
    collectiveOptimization: 'localBWAware',
    datasetSplits: 4,
    activeChunksPerDimension: 1,
    endpointDelayNs: 10,
    localMemoryGBps: 0,
    implementations: {},
    customImplementations: {},
    customByNode: new Map(),
    roofline: false,
    peakTflops: 0,
    replayOnly: false,
  });
  expect(told(read)).toEqual([
    'note SYSTEM_DEFAULT: system.json: keys that are not given count as scheduling-policy LIFO, collective-optimization localBWAware, active-chunks-per-dimension 1, endpoint-delay 10, local-mem-bw 0',
  ]);
});

test('defaults of what is turned on are told of as well', () => {
  const on = systemFile({ 'roofline-enabled': 1, 'track-local-mem': 1, 'model-shared-bus': 1 });
  expect(on.configuration).toMatchObject({
    peakTflops: 0,
    localMemoryTrace: 'local_mem_trace',
    sharedBus: { latencyNs: 0, overheadNs: 0, gapNs: 0, gapPerByteNs: 0, reductionDelayNs: 1 },
  });
  expect(told(on)).toEqual([
    'note SYSTEM_DEFAULT: system.json: keys that are not given count as L 0, o 0, g 0, G 0, local-reduction-delay 1, peak-perf 0, local-mem-trace-filename local_mem_trace',
  ]);
});

describe('preferred-dataset-splits, by which the program divides', () => {
  test('missing', () => {
    expect(refusalOf(() => systemFile({ 'preferred-dataset-splits': undefined }))).toBe(
      'SYSTEM_MALFORMED: system.json:1:1: preferred-dataset-splits: missing, expected a number from 1 to 2,147,483,647',
    );
  });

  test('0', () => {
    expect(refusalOf(() => systemText('{\n  "preferred-dataset-splits": 0\n}\n'))).toBe(
      'SYSTEM_MALFORMED: system.json:2:31: preferred-dataset-splits: 0, expected a number from 1 to 2,147,483,647',
    );
  });
});

describe('endpoint-delay and --injection-scale', () => {
  test('the delay is multiplied and cut to whole ns: 100 × 0.37 = 37 (rows r178, r179)', () => {
    expect(systemFile({ 'endpoint-delay': 100 }, { injectionScale: 0.37 })).toMatchObject({
      configuration: { endpointDelayNs: 37 },
      findings: [],
    });
  });

  test('10 × 0.37 = 3.7 counts as 3', () => {
    const read = systemFile({}, { injectionScale: 0.37 });
    expect(read.configuration.endpointDelayNs).toBe(3);
    expect(told(read)).toEqual([
      `note SYSTEM_VALUE_CUT: system.json:1: endpoint-delay: 10 times --injection-scale 0.37 counts as 3, ${WHOLE}`,
    ]);
  });

  test('the integer of the program is cut before it is multiplied: 10.9 × 2 = 20', () => {
    expect(systemFile({ 'endpoint-delay': 10.9 }, { injectionScale: 2 }).configuration.endpointDelayNs).toBe(20);
  });

  test('the default of 10 is not scaled, which is said', () => {
    const read = systemFile({ 'endpoint-delay': undefined }, { injectionScale: 0.5 });
    expect(read.configuration.endpointDelayNs).toBe(10);
    expect(told(read)).toEqual([
      'note SYSTEM_DEFAULT: system.json: keys that are not given count as endpoint-delay 10',
      'note SETTING_UNUSED: --injection-scale is not used: system.json has no endpoint-delay',
    ]);
  });

  test.each([1e9, -1, NaN])('a scale of %p takes the delay out of its range', (injectionScale) => {
    expect(refusalOf(() => systemFile({}, { injectionScale }))).toMatch(
      /^SYSTEM_MALFORMED: system\.json:1:\d+: endpoint-delay: 10, expected 0 to 2\^31 - 1 ns after --injection-scale /,
    );
  });

  test('0 is taken: what it means is for the run', () => {
    expect(systemFile({ 'endpoint-delay': 0 }).configuration.endpointDelayNs).toBe(0);
  });
});

describe('numbers', () => {
  test.each([
    ['preferred-dataset-splits', 'datasetSplits'],
    ['active-chunks-per-dimension', 'activeChunksPerDimension'],
    ['endpoint-delay', 'endpointDelayNs'],
  ] as const)('%s: 3.99 counts as 3', (key, name) => {
    const cut = systemFile({ [key]: 3.99 });
    expect(cut.configuration[name]).toBe(3);
    expect(told(cut)).toEqual([`note SYSTEM_VALUE_CUT: system.json:1: ${key}: 3.99 counts as 3, ${WHOLE}`]);
  });

  test('whole numbers may be written as 3.0 or 3e0', () => {
    const read = systemText(
      '{"preferred-dataset-splits": 3.0, "active-chunks-per-dimension": 3e0, "endpoint-delay": 3.0}',
    );
    expect(read.configuration).toMatchObject({ datasetSplits: 3, activeChunksPerDimension: 3, endpointDelayNs: 3 });
    expect(read.findings.filter(({ code }) => code === 'SYSTEM_VALUE_CUT')).toEqual([]);
  });

  test('every integer that 32 bits hold is taken as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (chunks) => {
        const read = systemFile({ 'active-chunks-per-dimension': chunks });
        expect(read).toMatchObject({ configuration: { activeChunksPerDimension: chunks }, findings: [] });
      }),
    );
  });

  test.each([
    ['active-chunks-per-dimension', 0, 'a number from 1 to 2,147,483,647'],
    ['active-chunks-per-dimension', 0.5, 'a number from 1 to 2,147,483,647'],
    ['active-chunks-per-dimension', 2 ** 31, 'a number from 1 to 2,147,483,647'],
    ['preferred-dataset-splits', '4', 'a number from 1 to 2,147,483,647'],
    ['endpoint-delay', -1, 'a number from 0 to 2,147,483,647'],
    ['endpoint-delay', null, 'a number from 0 to 2,147,483,647'],
    ['local-mem-bw', -1, 'a number, at least 0'],
    ['peak-perf', '900', 'a number, at least 0'],
    ['local-reduction-delay', -1, 'a number from 0 to 2,147,483,647'],
    ['L', 1e300, 'a number from 0 to 9,007,199,254,740,992'],
    ['o', -1, 'a number from 0 to 9,007,199,254,740,992'],
    ['g', true, 'a number from 0 to 9,007,199,254,740,992'],
    ['G', '0.01', 'a number from 0 to 9,007,199,254,740,992'],
    ['scheduling-policy', 'lifo', 'one of LIFO, FIFO, EXPLICIT'],
    ['collective-optimization', 'themis', 'one of localBWAware, baseline'],
    ['roofline-enabled', 2, 'one of 0, 1, true, false'],
    ['replay-only', 'true', 'one of 0, 1, true, false'],
    ['model-shared-bus', 'on', 'one of 0, 1, true, false'],
    ['trace-enabled', null, 'one of 0, 1, true, false'],
    ['track-local-mem', [], 'one of 0, 1, true, false'],
    ['local-mem-trace-filename', 7, 'text'],
    ['per-node-custom-implementation', ['nodes.yml'], 'text'],
    ['all-gather-implementation-custom', 'ring', 'a list of one text'],
    ['all-gather-implementation-custom', ['a', 'b'], 'a list of one text'],
    ['all-gather-implementation-custom', [], 'a list of one text'],
    ['all-to-all-implementation', [], 'text or a list of one or more texts'],
    ['all-to-all-implementation', [1], 'text or a list of one or more texts'],
  ])('%s: %p is refused', (key, value, expected) => {
    const message = refusalOf(() => systemFile({ [key]: value }));
    expect(message).toMatch(/^SYSTEM_MALFORMED: system\.json:1:\d+: /);
    expect(message.replace(/^.*?:1:\d+: /, '')).toBe(`${key}: ${JSON.stringify(value)}, expected ${expected}`);
  });
});

describe('flags', () => {
  const FLAGS = [
    ['roofline-enabled', 'roofline'],
    ['replay-only', 'replayOnly'],
  ] as const;
  test.each(FLAGS)('%s: 1 and true turn it on, 0 off', (key, name) => {
    for (const [value, on] of [
      [1, true],
      [true, true],
      [0, false],
    ] as const) {
      const read = systemFile({ [key]: value, 'peak-perf': 900 });
      expect(read.configuration[name]).toBe(on);
      expect(read.findings).toEqual([]);
    }
  });

  test.each(FLAGS)('%s: false is off, and on in ASTRA-sim, which compares it with 0', (key, name) => {
    const read = systemFile({ [key]: false });
    expect(read.configuration[name]).toBe(false);
    expect(told(read)).toEqual([
      `warning SYSTEM_FALSE_IS_ON: system.json:1: ${key}: false is off here; ASTRA-sim takes it for on`,
    ]);
  });

  test('track-local-mem names the memory trace only when it is on', () => {
    const keys = { 'local-mem-trace-filename': 'm' };
    expect(systemFile({ ...keys, 'track-local-mem': true }).configuration.localMemoryTrace).toBe('m');
    expect(systemFile({ ...keys, 'track-local-mem': 0 }).configuration).not.toHaveProperty('localMemoryTrace');
    expect(systemFile(keys).configuration).not.toHaveProperty('localMemoryTrace');
    expect(told(systemFile({ 'track-local-mem': false }))).toEqual([
      'warning SYSTEM_FALSE_IS_ON: system.json:1: track-local-mem: false is off here; ASTRA-sim takes it for on',
    ]);
  });

  test('trace-enabled changes the log of ASTRA-sim only', () => {
    expect(told(systemFile({ 'trace-enabled': 0 }))).toEqual([]);
    expect(told(systemFile({ 'trace-enabled': true }))).toEqual([
      'note SYSTEM_KEY_WITHOUT_EFFECT: system.json:1: trace-enabled has no effect: it adds lines to the log of ASTRA-sim',
    ]);
  });
});

describe('text that is not JSON is refused with its place', () => {
  test.each([
    [
      'a comment',
      '{\n  // splits\n  "preferred-dataset-splits": 4\n}',
      '2:3: no JSON at "// splits\\n  ", expected a key in double quotes, of at most 1000 characters',
    ],
    [
      'a comma at the end',
      '{\n  "preferred-dataset-splits": 4,\n}',
      '3:1: no JSON at "}", expected a key in double quotes, of at most 1000 characters',
    ],
    ['a key given twice', '{"L": 1,\n "L": 2}', '2:2: key "L" given twice'],
    ['nothing', '', '1:1: no JSON at the end, expected a value'],
    ['a brace missing', '{"L": 1', '1:8: no JSON at the end, expected a comma or }'],
    ['text behind it', '{} x', '1:4: no JSON at "x", expected nothing after the value'],
    ['a list', '[1]', '1:1: the file: [1], expected an object of settings'],
    ['null', 'null', '1:1: the file: null, expected an object of settings'],
  ])('%s', (_what, text, message) => {
    expect(refusalOf(() => systemText(text))).toBe(`SYSTEM_MALFORMED: system.json:${message}`);
  });

  test('a byte order mark is passed over', () => {
    expect(systemText('\ufeff{"preferred-dataset-splits": 4}').configuration.datasetSplits).toBe(4);
  });
});

test('of several wrong values the first of the file is named, a missing key last', () => {
  const text = '{\n  "L": -1,\n  "endpoint-delay": "10"\n}';
  expect(refusalOf(() => systemText(text))).toMatch(/^SYSTEM_MALFORMED: system\.json:2:8: L: -1, /);
});

test('a file is read from disk; one that is not there is said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'system-'));
  const path = join(folder, 'system.json');
  writeFileSync(path, '{"preferred-dataset-splits": 7}');
  const how = { injectionScale: 1, extensions: false };
  expect(readSystemFile(path, how).configuration).toMatchObject({ file: path, datasetSplits: 7 });
  const nowhere = join(folder, 'nowhere.json');
  expect(refusalOf(() => readSystemFile(nowhere, how))).toMatch(
    `SYSTEM_UNREADABLE: ${nowhere}: cannot be read (ENOENT`,
  );
});
