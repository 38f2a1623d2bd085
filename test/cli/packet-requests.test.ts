import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere, type RanHere } from '../support/in-process.js';
import { collective, compute } from '../support/jobs.js';

/** What the command line says of the packet network where the run has none, and what --set does. */

const ALPHA_BETA = 'alpha-beta:latency=1us,bandwidth=1GB/s';

function written(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

const SWITCH = 'topology: [ Switch ]\nnpus_count: [ 2 ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n';

/** Two ranks with an all-reduce of 3,000 bytes behind 5 µs of compute. */
async function simulated(network: string, ...words: string[]): Promise<RanHere> {
  const nodes = [0, 1].map(() => [compute(1, 5), collective(2, 0, 3000, 'world', [1])]);
  return runHere(['simulate', writeRanks(newFolder(), nodes), '--network', network, '--report', 'none', ...words]);
}

describe('--backend packet needs hosts and switches', () => {
  test.each([
    ['an α–β network', ALPHA_BETA, 'an α–β network has no links'],
    ['an analytical topology', written('switch.yml', SWITCH), 'an analytical topology has no switches'],
  ])('%s is refused, with what is accepted', async (_what, network, why) => {
    const { status, stderr } = await simulated(network, '--backend', 'packet', '--nic', 'uet');
    expect(status).toBe(2);
    expect(stderr).toBe(
      `error NETWORK_NOT_PACKET: network ${network}: ${why} to send packets over; --backend packet expects a topology of ` +
        'hosts and switches\n  advice: name a topology of hosts and switches, or take another --backend\n',
    );
  });

  test('with --system it is refused', async () => {
    const { status, stderr } = await simulated('switch.yml', '--backend', 'packet', '--system', 'system.json');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error SYSTEM_CONTRADICTED: --backend packet does not go with --system: its system layer/);
  });
});

describe('settings of the packet network on another one', () => {
  const unused = (setting: string): string =>
    `note SETTING_UNUSED: ${setting} is not used: it is of the packet network, and the run has another\n`;

  test('count for nothing, and that is said', async () => {
    const words = ['--nic', 'mrc', '--no-trimming', '--set', 'Xoff=1MB'];
    const { status, stderr } = await simulated(ALPHA_BETA, ...words);
    expect(status).toBe(0);
    expect(stderr).toBe(['--nic mrc', '--trimming (Trimming)', 'Xoff'].map(unused).join(''));
  });

  test('on the system layer too', async () => {
    const system = written(
      'system.json',
      '{"preferred-dataset-splits": 1, "all-reduce-implementation": ["direct"], "scheduling-policy": "LIFO", ' +
        '"collective-optimization": "localBWAware", "active-chunks-per-dimension": 1, "endpoint-delay": 10, "local-mem-bw": 0}',
    );
    const network = written('switch.yml', SWITCH);
    const { stderr } = await simulated(network, '--system', system, '--ecmp', 'adaptive');
    expect(stderr).toContain(unused('--ecmp (EcmpMode)'));
  });

  test.each([
    ['--nic', 'ib', 'option nic is "ib", expected one of "roce", "uet", "mrc"'],
    ['--ecmp', 'spray', 'expected one of "flow", "spray-rr", "spray-random", "adaptive"'],
    ['--congestion-control', 'dctcp', 'expected one of "dcqcn", "none", "nscc"'],
    ['--pfc', 'on', 'expected one of "off", "static", "dynamic"'],
  ])('%s %s', async (option, value, message) => {
    const { status, stderr } = await simulated(ALPHA_BETA, option, value);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error USAGE: /);
    expect(stderr).toContain(message);
  });
});

describe('--set on the command line', () => {
  const end = async (...words: string[]): Promise<unknown> => {
    const { stdout } = await simulated(ALPHA_BETA, '--json', ...words);
    return (JSON.parse(stdout) as { endNs: number }).endNs;
  };

  // A barrier of two ranks is two messages of 0 bytes, 1 µs each.
  test('wins over the configuration, the last of several', async () => {
    const file = ['--config', written('run.yaml', 'CommCollectiveSynchronization: true\n')];
    const withBarrier = await end(...file);
    const without = await end('--no-sync');
    expect(withBarrier).toBe((without as number) + 2000);
    expect(await end(...file, '--set', 'CommCollectiveSynchronization=false')).toBe(without);
    const twice = ['--set', 'CommCollectiveSynchronization=false', '--set', 'CommCollectiveSynchronization=true'];
    expect(await end(...twice)).toBe(withBarrier);
  });

  test('is of simulate alone', async () => {
    const { status, stderr } = await runHere(['validate', 'traces', '--set', 'Xoff=1MB']);
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'error USAGE: unknown option: set']);
  });
});

describe('--logical', () => {
  const star = 'version: 1\ngenerator: { type: single-switch, hosts: 2, gbps: 400, delayNs: 500 }\n';

  test('of as many ranks is said to change nothing, on any network', async () => {
    const logical = written('logical.json', '{"logical-dims": ["2", "1"]}');
    for (const network of [written('star.yaml', star), ALPHA_BETA]) {
      const { status, stderr } = await simulated(network, '--logical', logical);
      expect([status, stderr]).toEqual([
        0,
        `note SETTING_UNUSED: --logical ${logical} (2 × 1 ranks) is not used: collectives run over their process groups, whatever the dimensions\n`,
      ]);
    }
  });

  test('of another number of ranks stops the run', async () => {
    const logical = written('logical.json', '{"logical-dims": ["2", "4"]}');
    const { status, stderr } = await simulated(written('star.yaml', star), '--logical', logical);
    expect(status).toBe(1);
    expect(stderr).toContain(`error TOPOLOGY_LOGICAL_SIZE: ${logical}: 2 × 4 = 8 ranks, the traceset has 2 ranks\n`);
    expect(stderr).toContain('error TRACES_REFUSED: not replayed: TOPOLOGY_LOGICAL_SIZE\n');
  });

  test.each([
    ['that is not there', 'none.json', undefined, 3, 'error FILE_UNREADABLE: '],
    ['with numbers', 'logical.json', '{"logical-dims": [2, 1]}', 2, 'ASTRA-sim takes texts only'],
  ])('a file %s', async (_what, name, text, expected, message) => {
    const logical = text === undefined ? join(newFolder(), name) : written(name, text);
    const { status, stderr } = await simulated(written('star.yaml', star), '--logical', logical);
    expect(status).toBe(expected);
    expect(stderr).toContain(message);
  });
});

test('while packets are simulated the progress bar counts transfers', async () => {
  const nodes = [0, 1].map(() => [collective(1, 0, 3000, 'world')]);
  const star = written(
    'star.yaml',
    'version: 1\ngenerator: { type: single-switch, hosts: 2, gbps: 400, delayNs: 500 }\n',
  );
  const words = ['simulate', writeRanks(newFolder(), nodes), '--network', star, '--report', 'none', '--no-sync'];
  const { stderr } = await runHere(words, { terminal: true });
  expect(stderr).toContain('4/4 transfers');
});
