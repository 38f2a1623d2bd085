import { similarCodes } from '../../src/base/similar-codes.js';

const KNOWN = ['CYCLE', 'WAIT_CYCLE', 'RANK_MISSING', 'PEER_MISSING', 'PEER_SELF'];

test.each([
  ['CYCLF', ['CYCLE']],
  ['CYCLES', ['CYCLE']],
  ['PEER_MISSNG', ['PEER_MISSING', 'PEER_SELF']],
  ['MISSING', ['PEER_MISSING', 'RANK_MISSING']],
  ['NOTHING', []],
])('%s is similar to %j', (code, expected) => {
  expect(similarCodes(code, KNOWN)).toEqual(expected);
});
