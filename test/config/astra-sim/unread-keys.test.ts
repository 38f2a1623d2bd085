import { systemFile, systemText, told } from '../../support/system-files.js';

function unread(keys: Readonly<Record<string, unknown>>): string {
  const [line, ...more] = told(systemFile(keys));
  expect(more).toEqual([]);
  return line;
}

describe('an unknown key', () => {
  test('is named with its line and the known key it is like', () => {
    const read = systemText('{\n  "preferred-dataset-splits": 4,\n  "active-chunks-per-dimnesion": 2\n}\n');
    expect(read.configuration.activeChunksPerDimension).toBe(1);
    expect(told(read)).toContain(
      'warning SYSTEM_KEY_UNKNOWN: system.json:3: unknown key "active-chunks-per-dimnesion", did you mean active-chunks-per-dimension?',
    );
    expect(read.findings).toContainEqual(expect.objectContaining({ file: 'system.json', line: 3 }));
  });

  test.each([
    ['local_mem_bw', 'did you mean local-mem-bw?'],
    ['Endpoint-Delay', 'did you mean endpoint-delay?'],
    ['inter-dimension-schedulng', 'did you mean inter-dimension-scheduling?'],
    ['dimensions-count', 'it has no effect'],
    ['__proto__', 'it has no effect'],
    ['constructor', 'it has no effect'],
  ])('%s: %s', (key, hint) => {
    const text = `{"preferred-dataset-splits": 4, "${key}": 1}`;
    expect(told(systemText(text))).toContain(
      `warning SYSTEM_KEY_UNKNOWN: system.json:1: unknown key "${key}", ${hint}`,
    );
  });
});

describe('keys of older versions have no effect', () => {
  test.each([
    ['boost-mode', 0, 'note', 'ASTRA-sim reads it no more'],
    ['boost-mode', 1, 'note', 'ASTRA-sim reads it no more'],
    ['seprate-log', 1, 'note', 'ASTRA-sim reads it no more'],
    ['intra-dimension-scheduling', 'FIFO', 'note', 'the chunks of a queue run in the order in which they come (FIFO)'],
    [
      'intra-dimension-scheduling',
      'SCF',
      'warning',
      'the chunks of a queue run in the order in which they come (FIFO)',
    ],
    [
      'all-reduce-implementation-chakra-experimental',
      ['demo'],
      'warning',
      'it is called all-reduce-implementation-custom now',
    ],
  ])('%s: %p', (key, value, severity, fate) => {
    expect(unread({ [key]: value })).toBe(
      `${severity} SYSTEM_KEY_WITHOUT_EFFECT: system.json:1: ${key}: ${JSON.stringify(value)} has no effect: ${fate}`,
    );
  });
});
