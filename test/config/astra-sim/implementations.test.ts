import type { SystemCollective } from '../../../src/astra-sim/system-configuration.js';
import { refusalOf, systemFile, systemText, told } from '../../support/system-files.js';

const ALL = 'all-reduce-implementation';

describe('implementation strings (section 1)', () => {
  test.each([
    ['ring', { algorithm: 'ring', whole: false }],
    ['direct', { algorithm: 'direct', whole: false }],
    ['direct1', { algorithm: 'direct', window: 1, whole: false }],
    ['direct12', { algorithm: 'direct', window: 12, whole: false }],
    ['direct2147483647', { algorithm: 'direct', window: 2 ** 31 - 1, whole: false }],
    ['halvingDoubling', { algorithm: 'halvingDoubling', whole: false }],
    ['doubleBinaryTree', { algorithm: 'doubleBinaryTree', whole: false }],
    ['oneRing', { algorithm: 'ring', whole: true }],
    ['oneDirect', { algorithm: 'direct', whole: true }],
    ['oneDirect4', { algorithm: 'direct', window: 4, whole: true }],
    ['oneHalvingDoubling', { algorithm: 'halvingDoubling', whole: true }],
  ])('%s', (name, implementation) => {
    const read = systemFile({ [ALL]: [name] });
    expect(read.configuration.implementations).toEqual({ allReduce: [implementation] });
    expect(read.findings).toEqual([]);
  });

  test.each<[string, SystemCollective]>([
    ['all-reduce-implementation', 'allReduce'],
    ['all-gather-implementation', 'allGather'],
    ['reduce-scatter-implementation', 'reduceScatter'],
    ['all-to-all-implementation', 'allToAll'],
  ])('%s has an entry a dimension', (key, collective) => {
    expect(systemFile({ [key]: ['direct', 'ring', 'direct2'] }).configuration.implementations).toEqual({
      [collective]: [
        { algorithm: 'direct', whole: false },
        { algorithm: 'ring', whole: false },
        { algorithm: 'direct', window: 2, whole: false },
      ],
    });
  });
});

describe('an unknown name is refused where it stands', () => {
  const expected =
    'ring, direct, halvingDoubling, doubleBinaryTree, oneRing, oneDirect, oneHalvingDoubling, or direct and oneDirect with a window such as direct4';

  test('with the known ones, and the one it is like', () => {
    const text = `{\n  "preferred-dataset-splits": 4,\n  "${ALL}": ["ring", "Direct"]\n}`;
    expect(refusalOf(() => systemText(text))).toBe(
      `SYSTEM_MALFORMED: system.json:3:41: ${ALL}: "Direct", expected ${expected} (did you mean direct?)`,
    );
  });

  test.each([
    'direct0',
    'direct-1',
    'direct4x',
    'direct2147483648',
    'oneDoubleBinaryTree',
    'ring2',
    '',
    'tree',
    'constructor',
  ])('%p', (name) => {
    expect(refusalOf(() => systemFile({ [ALL]: [name] }))).toContain(
      `${ALL}: ${JSON.stringify(name)}, expected ${expected}`,
    );
  });
});

describe('a text in place of a list, as before the files were JSON', () => {
  test('one name is for the first dimension', () => {
    const read = systemFile({ [ALL]: 'ring' });
    expect(read.configuration.implementations).toEqual({ allReduce: [{ algorithm: 'ring', whole: false }] });
    expect(told(read)).toEqual([
      `warning SYSTEM_IMPLEMENTATION_TEXT: system.json:1: ${ALL}: a text, read as ["ring"], which is for the first dimension`,
    ]);
  });

  test('names with _ between them are for as many dimensions', () => {
    const read = systemFile({ [ALL]: 'direct_ring_halvingDoubling' });
    expect(read.configuration.implementations.allReduce).toEqual([
      { algorithm: 'direct', whole: false },
      { algorithm: 'ring', whole: false },
      { algorithm: 'halvingDoubling', whole: false },
    ]);
    expect(told(read)).toEqual([
      `warning SYSTEM_IMPLEMENTATION_TEXT: system.json:1: ${ALL}: a text, read as ["direct", "ring", "halvingDoubling"], which is for the first 3 dimensions`,
    ]);
  });

  test('an unknown name in it is refused', () => {
    expect(refusalOf(() => systemFile({ [ALL]: 'ring_halfring' }))).toContain(
      `${ALL}: "ring_halfring", expected ring, `,
    );
  });
});

describe('hierarchicalRing', () => {
  test('ASTRA-sim exits at it: refused, with the option that applies it', () => {
    expect(() => systemFile({ [ALL]: ['hierarchicalRing'] })).toThrow(
      expect.objectContaining({
        code: 'SYSTEM_MALFORMED',
        message: expect.stringContaining(`${ALL}: "hierarchicalRing", expected ring, `) as string,
        advice: 'ASTRA-sim has it no more; --system-extensions applies it',
      }),
    );
  });

  test.each([[['hierarchicalRing']], [['hierarchicalRing', 'hierarchicalRing']]])(
    'under --system-extensions %p is for all dimensions of the collective',
    (list) => {
      const read = systemFile({ [ALL]: list, 'all-gather-implementation': ['ring'] }, { extensions: true });
      expect(read.configuration.implementations).toEqual({ allGather: [{ algorithm: 'ring', whole: false }] });
      expect(read.configuration.extensions).toEqual({
        interDimensionScheduling: 'ascending',
        hierarchicalRing: new Set(['allReduce']),
      });
      expect(told(read)).toEqual([
        `note SYSTEM_EXTENSION: system.json:1: ${ALL}: hierarchicalRing is applied, which ASTRA-sim does not know`,
      ]);
    },
  );

  test('beside another name it is refused', () => {
    expect(() => systemFile({ [ALL]: ['ring', 'hierarchicalRing'] }, { extensions: true })).toThrow(
      expect.objectContaining({
        code: 'SYSTEM_MALFORMED',
        advice: 'it stands for all dimensions: name it alone',
      }),
    );
  });
});
