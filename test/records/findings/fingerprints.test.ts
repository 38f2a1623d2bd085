import { createHash } from 'node:crypto';
import { finding } from '../../../src/base/catalogue.js';
import { Fingerprints } from '../../../src/records/findings/fingerprints.js';

const place = { rank: 3, group: 'tp', nodes: [1, 2, '18446744073709551615'], file: 'a/job.3.et' };

function lineHash(...args: Parameters<Fingerprints['of']>): string {
  return new Fingerprints().of(...args).primaryLocationLineHash;
}

test('a digest of code, rank, group and first nodes, and a number', () => {
  const identity = '["CYCLE",3,"tp",["1","2","18446744073709551615"]]';
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  expect(new Fingerprints().of(finding('CYCLE', 'x', place))).toEqual({
    'chakraPrep/v1': `${digest}:1`,
    primaryLocationLineHash: `${digest}:1`,
  });
});

test('message, file, count and nodes behind the fourth make no difference', () => {
  const nodes = [1, 2, 3, 4];
  const one = lineHash(finding('CYCLE', 'x', { ...place, nodes }));
  const moved = { ...place, nodes: [...nodes, 5], file: 'b/job.3.et', count: 7 };
  expect(lineHash(finding('CYCLE', 'y', moved))).toBe(one);
});

test.each([{ rank: 4 }, { group: 'dp' }, { nodes: [2, 1] }, { code: 'SELF_DATA' }])('%j does', (other) => {
  const one = finding('CYCLE', 'x', place);
  expect(lineHash({ ...one, ...other })).not.toBe(lineHash(one));
});

test('equal findings of one report are numbered', () => {
  const fingerprints = new Fingerprints();
  const numbers = [1, 2, 3].map(() => fingerprints.of(finding('CYCLE', 'x')).primaryLocationLineHash.slice(32));
  expect(numbers).toEqual([':1', ':2', ':3']);
});
