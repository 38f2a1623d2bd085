import { refusalOf, systemFile, told } from '../../support/system-files.js';

const KEY = 'inter-dimension-scheduling';

describe('under --system-extensions', () => {
  test.each([
    ['ascending', 'ascending', 'ascending'],
    ['baseline', 'ascending', 'baseline is ascending'],
    ['Ascending', 'ascending', 'Ascending is ascending'],
    ['roundRobin', 'roundRobin', 'roundRobin'],
    ['round-robin', 'roundRobin', 'round-robin is roundRobin'],
    ['ROUND_ROBIN', 'roundRobin', 'ROUND_ROBIN is roundRobin'],
    ['offlineGreedy', 'offlineGreedy', 'offlineGreedy'],
    ['offline-greedy', 'offlineGreedy', 'offline-greedy is offlineGreedy'],
    ['themis', 'offlineGreedy', 'themis is offlineGreedy'],
  ])('%s', (value, scheduling, words) => {
    const read = systemFile({ [KEY]: value }, { extensions: true });
    expect(read.configuration.extensions).toEqual({
      interDimensionScheduling: scheduling,
      hierarchicalRing: new Set(),
    });
    expect(told(read)).toEqual([
      `note SYSTEM_EXTENSION: system.json:1: ${KEY}: ${words}, applied here and not by ASTRA-sim`,
    ]);
  });

  test.each(['offlineGreedyFlex', 'FIFO', '', 3, null])('%p is refused', (value) => {
    expect(refusalOf(() => systemFile({ [KEY]: value }, { extensions: true }))).toMatch(
      new RegExp(
        `^SYSTEM_MALFORMED: system\\.json:1:\\d+: ${KEY}: ${JSON.stringify(value)}, expected one of ascending \\(or baseline\\), roundRobin, offlineGreedy \\(or themis\\)$`,
      ),
    );
  });

  test('a file without the key goes through the dimensions in ascending order, as without the option', () => {
    const read = systemFile({}, { extensions: true });
    expect(read.configuration.extensions).toEqual({
      interDimensionScheduling: 'ascending',
      hierarchicalRing: new Set(),
    });
    expect(told(read)).toEqual([]);
  });
});

describe('without it the key has no effect', () => {
  test.each(['themis', 'roundRobin', 'FIFO', 7])('%p is a warning', (value) => {
    const read = systemFile({ [KEY]: value });
    expect(read.configuration).not.toHaveProperty('extensions');
    expect(told(read)).toEqual([
      `warning SYSTEM_KEY_WITHOUT_EFFECT: system.json:1: ${KEY}: ${JSON.stringify(value)} has no effect: dimensions come in ascending order`,
    ]);
    expect(read.findings[0].advice).toBe('--system-extensions applies it');
  });

  test.each(['baseline', 'ascending'])('%s is what happens anyway: a note', (value) => {
    expect(told(systemFile({ [KEY]: value }))).toEqual([
      `note SYSTEM_KEY_WITHOUT_EFFECT: system.json:1: ${KEY}: "${value}" has no effect: dimensions come in ascending order`,
    ]);
  });
});
