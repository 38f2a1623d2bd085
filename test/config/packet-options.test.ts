import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLAG_OF_ATTRIBUTE } from '../../src/config/attributes.js';
import { packetOptions } from '../../src/config/packet-options.js';
import { parseRunConfig, readRunConfig } from '../../src/config/run-config.js';
import { systemOptions } from '../../src/config/system-options.js';
import { PACKET_ATTRIBUTE_NAMES } from '../../src/network/packet/settings/stated-settings.js';
import { REPOSITORY } from '../support/repository.js';

type Values = Readonly<Record<string, unknown>>;

const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'run-config.schema.json'), 'utf8')) as {
  properties: Record<string, { enum?: unknown[]; type?: string | string[]; default?: unknown }>;
};

function set(words: readonly string[], file?: string, given: Values = {}): Values {
  const stated = { words, given };
  return (file === undefined ? readRunConfig(undefined, stated) : parseRunConfig(file, 'run.yaml', stated)).flags;
}

function refusal(code: string, run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code, exitStatus: 2 });
    return (error as Error).message;
  }
  throw new Error('accepted');
}

describe('what is said of a packet network', () => {
  test('nothing: RoCEv2, no checks, no settings', () => {
    expect(packetOptions({})).toEqual({ nic: 'roce', check: false, stated: {}, findings: [] });
  });

  test('flags that have an attribute', () => {
    const flags = {
      nic: 'uet',
      check: true,
      ecmp: 'adaptive',
      'congestion-control': 'none',
      pfc: 'off',
      trimming: false,
    };
    expect(packetOptions(flags)).toMatchObject({
      ...{ nic: 'uet', check: true },
      stated: { EcmpMode: 'adaptive', CongestionControl: 'none', PfcMode: 'off', Trimming: false },
    });
  });

  test('every setting of the network is an attribute of the configuration and arrives', () => {
    for (const name of PACKET_ATTRIBUTE_NAMES) {
      expect(schema.properties).toHaveProperty(name);
      expect(packetOptions({ [FLAG_OF_ATTRIBUTE[name]]: 'value' }).stated).toEqual({ [name]: 'value' });
    }
  });

  test('every flag and its attribute take the same values', () => {
    for (const [attribute, flag] of Object.entries({
      ...{ EcmpMode: 'ecmp', CongestionControl: 'congestion-control', PfcMode: 'pfc', Trimming: 'trimming' },
    })) {
      expect(FLAG_OF_ATTRIBUTE[attribute]).toBe(flag);
      expect(schema.properties[flag].enum).toEqual(schema.properties[attribute].enum);
      expect(schema.properties[flag].type).toEqual(schema.properties[attribute].type);
    }
  });

  test('what a run on another network is told', () => {
    const flags = { nic: 'mrc', check: true, pfc: 'off', EgressLimit: 300_000 };
    expect(
      packetOptions(flags).findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
    ).toEqual(
      ['--nic mrc', '--check', '--pfc (PfcMode)', 'EgressLimit'].map(
        (setting) =>
          `note SETTING_UNUSED: ${setting} is not used: it is of the packet network, and the run has another`,
      ),
    );
    expect(packetOptions({ check: false, allreduce: 'tree', scaleUpHeaderSize: 24 }).findings).toEqual([]);
  });

  test('--backend packet does not go with --system', () => {
    expect(refusal('SYSTEM_CONTRADICTED', () => systemOptions({ system: 'system.json', backend: 'packet' }))).toBe(
      '--backend packet does not go with --system: its system layer runs on the two analytical networks',
    );
    expect(systemOptions({ system: 'system.json', backend: 'analytical-aware' })).toBeDefined();
  });
});

test('docs/packet-network.md has every setting of the network in one of its tables', () => {
  const page = readFileSync(join(REPOSITORY, 'docs', 'packet-network.md'), 'utf8');
  const cells = [...page.matchAll(/^\| ((?:`[A-Z]\w+`(?:, )?)+) \|/gm)].flatMap(([, cell]) => cell.split(', '));
  const names = new Set(cells.map((cell) => cell.slice(1, -1)));
  expect(PACKET_ATTRIBUTE_NAMES.filter((name) => !names.has(name))).toEqual([]);
});

describe('units of attributes', () => {
  test.each<[line: string, value: number]>([
    ['EgressLimit=300KB', 300_000],
    ['EgressLimit=1500000', 1_500_000],
    ['EgressLimit=none', Infinity],
    ['DcqcnByteCounter= none ', Infinity],
    ['BufferBytes=32MiB', 33_554_432],
    ['MSS=4KiB', 4096],
    ['InitialBaseRTT=6us', 6_000_000],
    ['InitialBaseRTT=0.000006', 6_000_000],
    ['RetransmitTimeout=20us', 20_000_000],
    ['TxStartLatency=80ns', 80_000],
    ['ReferenceLinkSpeed=400Gbps', 400],
    ['ReferenceLinkSpeed=4e11', 400],
    ['LaneBps=31.52Gb/s', 31.52],
    ['LaneBps=31520000000', 31.52],
    ['DcqcnRai=40Mbps', 0.04],
    ['DcqcnRmin=100000Kbps', 0.1],
    ['DcqcnRmin=1000bps', 0.000001],
    ['ReferenceLinkSpeed=1.6 Tbps', 1600],
  ])('%s', (word, value) => {
    const [name] = word.split('=');
    expect(set([word])).toEqual({ [name]: value });
    expect(parseRunConfig(`${name}: ${word.slice(name.length + 1)}\n`, 'run.yaml').flags).toEqual({ [name]: value });
  });

  test('numbers, words, lists and yes or no', () => {
    const words = [
      'LossyAlpha=0.5',
      'QpMode=per-transfer',
      'DeniedEvs=[3, 65535]',
      'HostLink=true',
      'DcqcnG=0.00390625',
    ];
    expect(set(words)).toEqual({
      ...{ LossyAlpha: 0.5, QpMode: 'per-transfer', DeniedEvs: [3, 65_535], HostLink: true, DcqcnG: 1 / 256 },
    });
  });

  test.each([
    ['EgressLimit=0', 'EgressLimit: 0, expected at least 1 byte, as an integer or as text with B, KB, KiB, MB or MiB'],
    ['EgressLimit=300XB', 'EgressLimit: "300XB", expected at least 1 byte'],
    ['BufferBytes=2TB', 'BufferBytes: "2TB", expected 1 to 1,099,511,627,776 bytes'],
    [
      'InitialBaseRTT=0',
      'InitialBaseRTT: 0, expected seconds as a number or text with a unit such as 1us, more than 0',
    ],
    ['LaneBps=400', undefined],
    ['LaneBps=0', 'LaneBps: 0, expected bit/s as a number or text with a unit such as 400Gbps, more than 0'],
    ['LaneBps=0Gbps', 'LaneBps: "0Gbps", expected bit/s as a number or text with a unit such as 400Gbps, more than 0'],
    ['LaneBps=50GB/s', 'LaneBps: "50GB/s", expected bit/s as a number'],
    ['LossyAlpha=0', 'LossyAlpha: 0, expected a number above 0'],
    ['EcnEwma=0', 'EcnEwma: 0, expected a number above 0, at most 1'],
    ['EcnPmax=1.5', 'EcnPmax: 1.5, expected a number from 0 to 1'],
    ['QpMessagesInFlight=2', 'QpMessagesInFlight: 2, expected an integer from 0 to 1'],
    ['DeniedEvs=[65536]', 'DeniedEvs: [65536], expected a list of integers from 0 to 65,535'],
    ['EcmpMode=spray', 'EcmpMode: "spray", expected one of flow, spray-rr, spray-random, adaptive'],
    ['Trimming=yes', 'Trimming: "yes", expected true or false'],
    ['Trimming=', 'Trimming: null, expected true or false'],
  ])('%s', (word, message) => {
    if (message === undefined) return expect(set([word])).toEqual({ LaneBps: 4e-7 });
    expect(refusal('CONFIG_INVALID', () => set([word]))).toContain(`--set ${word}: ${message}`);
  });
});

describe('--set', () => {
  test('is what a line of the configuration is, and wins over it', () => {
    expect(set(['PfcMode=off'], 'PfcMode: static\nXoff: 1MB\n')).toEqual({ pfc: 'off', Xoff: 1_000_000 });
    expect(set(['PfcMode=off'], 'pfc: static\n')).toEqual({ pfc: 'off' });
    expect(set(['AllReduceAlgorithm=tree', 'RunTime=1ms'])).toEqual({ allreduce: 'tree', runTime: 1e9 });
  });

  test('of several the last counts', () => {
    expect(set(['Xoff=1', 'Xon=2', 'Xoff=3'])).toEqual({ Xoff: 3, Xon: 2 });
  });

  test('R-095 a factor goes with Scaling of the file, and replaces scale', () => {
    expect(set(['ScalingFactor=0.25'], 'Scaling: true\nScalingFactor: 0.5\n')).toEqual({ scale: 0.25 });
    expect(set(['Scaling=true', 'ScalingFactor=0.25'], 'scale: 0.5\n')).toEqual({ scale: 0.25 });
    expect(set(['Scaling=false'], 'scale: 0.5\n')).toEqual({});
    expect(set(['ProfilingEnabled=false'], 'profiling: 1us\n')).toEqual({ profilingEnabled: false });
    const { findings } = readRunConfig(undefined, { words: ['ScalingFactor=0.25'], given: {} });
    expect(findings).toMatchObject([
      {
        code: 'SETTING_UNUSED',
        message: '--set ScalingFactor=0.25: ScalingFactor 0.25 is not used: Scaling is not true',
      },
    ]);
    expect(findings[0]).not.toHaveProperty('file');
  });

  test('an unknown name lists the near one', () => {
    expect(refusal('CONFIG_INVALID', () => set(['EgresLimit=300KB']))).toBe(
      '--set EgresLimit=300KB: unknown attribute: EgresLimit (did you mean EgressLimit?)',
    );
    expect(refusal('CONFIG_INVALID', () => set(['qpmode=pair']))).toMatch(/\(did you mean QpMode\?\)$/);
    expect(refusal('CONFIG_INVALID', () => set(['elephant=grey']))).toContain('elephant (known: allreduce, ');
  });

  test.each(['EgressLimit', '=300KB', '', 'EgressLimit=1\nXon=2'])('%j is no name and value', (word) => {
    expect(refusal('USAGE', () => set([word]))).toBe(
      `--set ${word}: expected a name and a value, such as --set EgressLimit=300KB`,
    );
  });

  test('what a flag says is not said by --set', () => {
    expect(refusal('USAGE', () => set(['backend=packet']))).toBe(
      '--set backend=packet: backend is no attribute; expected one such as --set EgressLimit=300KB',
    );
  });

  test('one thing said by a flag and by --set is an error, unless they agree', () => {
    expect(refusal('USAGE', () => set(['PfcMode=off'], undefined, { pfc: 'static' }))).toBe(
      '--set PfcMode=off: --pfc says the same thing otherwise; expected one of the two',
    );
    expect(refusal('USAGE', () => set(['ScalingFactor=0.5'], undefined, { scale: '0.25' }))).toContain('--scale says');
    expect(set(['PfcMode=off'], undefined, { pfc: 'off' })).toEqual({ pfc: 'off' });
  });
});
