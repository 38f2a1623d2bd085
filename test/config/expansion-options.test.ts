import { expansionOptions } from '../../src/config/expansion-options.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';

const FILES = { system: 'system.json', network: 'network.yml' };
const stopped = (flags: Record<string, unknown>): unknown => {
  try {
    return expansionOptions(flags, 'expand');
  } catch (error) {
    return error;
  }
};
const said = (flags: Record<string, unknown>): string[] =>
  expansionOptions(flags, 'expand').findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`);

test('files and queues', () => {
  expect(expansionOptions({ allreduce: 'tree' }, 'expand')).toEqual({ findings: [] });
  expect(expansionOptions(FILES, 'expand')).toEqual({
    system: { systemFile: 'system.json', network: 'network.yml', queuesPerDimension: 1, extensions: false },
    findings: [],
  });
  expect(
    expansionOptions({ ...FILES, 'num-queues-per-dim': '3', 'system-extensions': true }, 'expand').system,
  ).toMatchObject({ queuesPerDimension: 3, extensions: true });
});

test.each(COLLECTIVE_NAMES.map(({ option }) => option))('%s contradicts the system file', (option) => {
  expect(stopped({ ...FILES, [option]: 'ring' })).toMatchObject({ code: 'SYSTEM_CONTRADICTED', exitStatus: 2 });
});

test('passes and their settings do not, as they are for the traces', () => {
  expect(said({ ...FILES, serialize: true, sync: true, scale: '0.5', order: 'recorded' })).toEqual([]);
});

test('what is missing or out of range', () => {
  expect(stopped({ system: 'system.json' })).toMatchObject({ code: 'NETWORK_MISSING', exitStatus: 2 });
  expect(stopped({ 'num-queues-per-dim': '2' })).toMatchObject({ code: 'SYSTEM_MISSING', exitStatus: 2 });
  expect(stopped({ ...FILES, 'num-queues-per-dim': '0' })).toMatchObject({ code: 'USAGE', exitStatus: 2 });
});

test('what counts for nothing is said', () => {
  expect(said({ network: 'network.yml' })).toEqual([
    'note SETTING_UNUSED: --network network.yml is not used: without --system expand needs no network',
  ]);
  expect(said({ ...FILES, rendezvous: true, 'injection-scale': 2 })).toEqual([
    'note SETTING_UNUSED: --injection-scale 2 is not used by expand: transfers have no endpoint delay',
    'note SETTING_UNUSED: --rendezvous is not used by expand: transfers are not asked for',
  ]);
  expect(said({ ...FILES, rendezvous: false, 'injection-scale': 1 })).toEqual([]);
});
