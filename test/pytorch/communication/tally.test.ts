import { tallied, talliesOf } from '../../../src/pytorch/communication/tally.js';
import type { Facts } from '../../../src/pytorch/communication/facts.js';
import type { RankCommunications } from '../../../src/pytorch/communication.js';

const facts = (more: Partial<Facts>): Facts => ({
  ...{
    kind: 'collective',
    type: 0,
    bytes: 10,
    group: '0',
    groupSize: 2,
    position: -1,
    peer: -1,
    sendSplits: [],
    receiveSplits: [],
  },
  ...{ typeFrom: 'kernel', bytesFrom: 'record', groupFrom: 'kernel' },
  ...more,
});

test('counts by kind, type and group, collectives first and numbered groups as numbers', () => {
  const tallies = tallied([
    facts({ kind: 'send', type: -1 }),
    facts({ group: '10' }),
    facts({ group: '9', bytes: NaN, bytesFrom: 'none' }),
    facts({ group: '9' }),
  ]);
  expect(tallies.map(({ kind, group, count, bytes }) => [kind, group, count, bytes])).toEqual([
    ['collective', '9', 2, 10],
    ['collective', '10', 1, 10],
    ['send', '0', 1, 10],
  ]);
  expect(tallies[0].bytesFrom).toEqual({ kernel: 0, record: 1, launcher: 0, 'kernel-name': 0, none: 1 });
});

test('ranks add up', () => {
  const rank = { tallies: tallied([facts({}), facts({ typeFrom: 'record' })]) } as unknown as RankCommunications;
  const [tally] = talliesOf([rank, rank]);
  expect([tally.count, tally.bytes]).toEqual([4, 40]);
  expect(tally.typeFrom).toMatchObject({ kernel: 2, record: 2 });
});
