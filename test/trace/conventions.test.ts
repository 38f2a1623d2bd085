import { assumptionsOf, needGroups, SizeChange } from '../../src/trace/assumptions.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { CONVENTIONS, defaultOf, meaningOf, parseAssumptions, unitPs } from '../../src/trace/conventions.js';

function refusal(...texts: string[]): { message: string; advice: string | undefined } {
  try {
    parseAssumptions(texts);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ASSUMPTION_UNKNOWN', exitStatus: 2 });
    const { message, advice } = error as { message: string; advice?: string };
    return { message, advice };
  }
  throw new Error(`accepted: ${texts.join(' ')}`);
}

test('the defaults are the rules of chakra-format 6, 7 and replay-semantics 8.1', () => {
  expect(Object.fromEntries(CONVENTIONS.map(({ name }) => [name, defaultOf(name)]))).toEqual({
    'element-bytes': '1',
    'allgather-size': 'shard',
    'gather-size': 'shard',
    'reducescatter-size': 'total',
    'scatter-size': 'total',
    'alltoall-size': 'total',
    root: 'rank',
    peer: 'rank',
    'duration-unit': 'us',
  });
});

test('several in one text, and in several', () => {
  const chosen = new Map([
    ['element-bytes', '4'],
    ['allgather-size', 'total'],
    ['root', 'position'],
  ]);
  expect(parseAssumptions(['allgather-size=total, root = position', 'element-bytes=4'])).toEqual(chosen);
  expect([...parseAssumptions(['root=position', 'allgather-size=total']).keys()]).toEqual(['allgather-size', 'root']);
});

test('of equal names the last counts, and a default is no assumption', () => {
  expect(parseAssumptions(['element-bytes=4', 'element-bytes=2'])).toEqual(new Map([['element-bytes', '2']]));
  expect(parseAssumptions(['root=position,root=rank', 'element-bytes=01', 'duration-unit=1000ns'])).toEqual(new Map());
  expect(assumptionsOf(['allgather-size=shard'])).toBeUndefined();
  expect(assumptionsOf([''])).toBeUndefined();
});

test('an unknown name lists the known ones and suggests the nearest', () => {
  expect(refusal('allgather-sise=total')).toEqual({
    message:
      '--assume allgather-sise=total: unknown convention, expected one of element-bytes, allgather-size, gather-size, ' +
      'reducescatter-size, scatter-size, alltoall-size, root, peer, duration-unit',
    advice: 'did you mean allgather-size?',
  });
  expect(refusal('reducescatter=shard').advice).toBe('did you mean reducescatter-size?');
  expect(refusal('constructor=1').advice).toBeUndefined();
  expect(refusal('=total').advice).toBeUndefined();
});

test('an unknown value lists the known ones and suggests the nearest', () => {
  expect(refusal('root=positon')).toEqual({
    message: '--assume root=positon: unknown value, expected one of rank, position',
    advice: 'did you mean root=position?',
  });
  expect(refusal('root').message).toBe('--assume root: no value, expected root= and one of rank, position');
  expect(refusal('root=').message).toBe('--assume root=: unknown value, expected one of rank, position');
  expect(refusal('element-bytes=0').message).toBe(
    '--assume element-bytes=0: unknown value, expected one of 1, a whole number from 1',
  );
  expect(refusal('element-bytes=2.5').message).toContain('element-bytes=2.5');
  expect(refusal('root=constructor').message).toContain('root=constructor');
});

test.each([
  ['ps', 1],
  ['ns', 1e3],
  ['us', 1e6],
  ['µs', 1e6],
  ['ms', 1e9],
  ['s', 1e12],
  ['667ps', 667],
  ['0.5ns', 500],
  ['10 ns', 1e4],
])('a duration unit of %s is %d ps', (text, ps) => {
  expect(unitPs(text)).toBe(ps);
});

test.each(['2s', '0ns', '0.1ps', '-1ns', 'cycles', '1', '1e3ns', ''])('%j is no duration unit', (text) => {
  expect(unitPs(text)).toBeUndefined();
});

test('what a value means', () => {
  expect(meaningOf('element-bytes', '4')).toBe('elements of 4 bytes');
  expect(meaningOf('duration-unit', '667ps')).toBe('units of 667ps');
  expect(meaningOf('allgather-size', 'shard')).toBe('the own shard of each rank');
});

test('each size convention is applied to its collectives, in its direction', () => {
  const change = (text: string): Record<number, number> =>
    Object.fromEntries(
      [...assumptionsOf([text])!.sizeChange.entries()].filter(([, changed]) => changed !== SizeChange.none),
    );
  expect(change('allgather-size=total')).toEqual({ [CollectiveType.allGather]: SizeChange.byGroup });
  expect(change('gather-size=total')).toEqual({ [CollectiveType.gather]: SizeChange.byGroup });
  expect(change('reducescatter-size=shard')).toEqual({
    [CollectiveType.reduceScatter]: SizeChange.timesGroup,
    [CollectiveType.reduceScatterBlock]: SizeChange.timesGroup,
  });
  expect(change('scatter-size=shard')).toEqual({ [CollectiveType.scatter]: SizeChange.timesGroup });
  expect(change('alltoall-size=pair')).toEqual({ [CollectiveType.allToAll]: SizeChange.timesGroup });
  expect(change('element-bytes=4')).toEqual({});
});

test('groups are needed for sizes, roots and peers, not for units', () => {
  const needs = (text: string): boolean => needGroups(assumptionsOf([text])!);
  expect(['allgather-size=total', 'alltoall-size=pair', 'root=position', 'peer=position'].map(needs)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['element-bytes=4', 'duration-unit=ns'].map(needs)).toEqual([false, false]);
});
