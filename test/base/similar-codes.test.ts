import { similarCodes } from '../../src/base/similar-codes.js';

const KNOWN = ['CYCLE', 'WAIT_CYCLE', 'RANK_MISSING', 'PEER_MISSING', 'PEER_SELF', 'PEERS_MIXED'];

test.each([
  ['CYCLF', ['CYCLE']],
  ['CYCLES', ['CYCLE']],
  ['PEER_MISSNG', ['PEER_MISSING', 'PEER_SELF', 'PEERS_MIXED']],
  ['PEER_LOST', ['PEER_MISSING', 'PEER_SELF', 'PEERS_MIXED']],
  ['MISSING', ['PEER_MISSING', 'RANK_MISSING']],
  ['NOTHING', []],
])('%s is similar to %j', (code, expected) => {
  expect(similarCodes(code, KNOWN)).toEqual(expected);
});

test('no more than eight are suggested', () => {
  const many = Array.from({ length: 20 }, (_, place) => `RANK_${'ABCDEFGHIJKLMNOPQRST'[place]}`);
  expect(similarCodes('RANK_OTHERWISE', many)).toEqual(many.slice(0, 8));
});
