import { groupUse, resolveGroups, type GroupUse, type ResolvedGroups } from '../../src/trace/group-use.js';
import { WORLD, type ProcessGroup } from '../../src/trace/process-group.js';
import { traceOf, type NodeObject } from '../support/traces.js';

function collective(id: number, group?: string, type = 0): NodeObject {
  return {
    id,
    type: 'COMM_COLL_NODE',
    attr: {
      comm_type: { int64_val: type },
      comm_size: { int64_val: 8 },
      ...(group === undefined ? {} : { pg_name: { string_val: group } }),
    },
  };
}

/** Rank r runs the collectives of `names[r]`, all of them all-reduces. */
function uses(...names: (string | undefined)[][]): GroupUse[] {
  return names.map((used, rank) =>
    groupUse(
      traceOf(
        used.map((name, id) => collective(id, name)),
        rank,
      ),
    ),
  );
}

function declared(groups: Record<string, number[]>): Map<string, ProcessGroup> {
  return new Map(Object.entries(groups).map(([name, ranks]) => [name, { name, ranks, origin: 'g.json' }]));
}

function resolve(groups: Record<string, number[]>, used: GroupUse[], strict = false): ResolvedGroups {
  return resolveGroups(declared(groups), used, { ranks: used.map(({ rank }) => rank), strict });
}

function found({ findings }: ResolvedGroups): string[] {
  return findings.map(({ code, severity, group }) => `${code} ${severity} ${group}`);
}

describe('groupUse', () => {
  test('digests the types of each name in ascending order of ids', () => {
    const forward = groupUse(traceOf([collective(1, 'a', 0), collective(2, 'b', 0), collective(3, 'a', 2)]));
    const shuffled = groupUse(traceOf([collective(30, 'a', 2), collective(4, 'a', 0), collective(9, 'b', 0)]));
    const reversed = groupUse(traceOf([collective(1, 'a', 2), collective(3, 'a', 0), collective(2, 'b', 0)]));
    expect(forward.names.get('a')?.count).toBe(2);
    expect(shuffled.names).toEqual(forward.names);
    expect(reversed.names.get('a')).not.toEqual(forward.names.get('a'));
    expect(reversed.names.get('b')).toEqual(forward.names.get('b'));
  });

  test('collectives that state no type, sends and receives do not count', () => {
    const untyped: NodeObject = { id: 1, type: 'COMM_COLL_NODE', attr: { pg_name: { string_val: 'a' } } };
    const send: NodeObject = { id: 2, type: 'COMM_SEND_NODE', attr: { pg_name: { string_val: 'b' } } };
    expect(groupUse(traceOf([untyped, send])).names.size).toBe(0);
  });
});

describe('resolveGroups', () => {
  test('(a) a declared name is that group', () => {
    const resolved = resolve({ tp: [1, 0] }, uses(['tp'], ['tp']));
    expect(found(resolved)).toEqual([]);
    expect(resolved.groups.get('tp')?.ranks).toEqual([1, 0]);
  });

  test('(b) collectives without a name run over the world, also where groups are declared', () => {
    for (const groups of [{}, { tp: [0, 1] }]) {
      const resolved = resolve(groups, uses([undefined], [undefined, undefined], []));
      expect(found(resolved)).toEqual(['GROUP_WORLD note world']);
      expect(resolved.groups.get(WORLD)).toEqual({ name: 'world', ranks: [0, 1, 2], origin: 'world' });
    }
  });

  test('(b) a declared "world" with other members contradicts them', () => {
    expect(found(resolve({ world: [1, 0] }, uses([undefined], [undefined])))).toEqual([
      'GROUP_CONFLICT error world',
      'GROUP_WORLD note world',
    ]);
    expect(found(resolve({ world: [0, 1] }, uses([undefined], ['world'])))).toEqual(['GROUP_WORLD note world']);
  });

  test.each([false, true])('(c) an undeclared "0" is the world (strict: %s)', (strict) => {
    const resolved = resolve({ tp: [0] }, uses(['0'], ['0'], []), strict);
    expect(found(resolved)).toEqual(['GROUP_INFERRED warning 0']);
    expect(resolved.groups.get('0')?.ranks).toEqual([0, 1, 2]);
  });

  test('(c) a declared "0" is what it is declared as', () => {
    expect(resolve({ '0': [0, 1] }, uses(['0'], ['0'], [])).groups.get('0')?.ranks).toEqual([0, 1]);
  });

  test('(d) "1.0" is read as the declared "1"', () => {
    const resolved = resolve({ '1': [2, 1] }, uses([], ['1.0'], ['1.0']));
    expect(found(resolved)).toEqual(['GROUP_INFERRED warning 1.0']);
    expect(resolved.groups.get('1.0')).toEqual({ name: '1.0', ranks: [2, 1], origin: 'use' });
  });

  test('(d) not where a user is no member, nor for "1.5"', () => {
    expect(found(resolve({ '1': [2, 1] }, uses(['1.0'], ['1.0'])))).toEqual(['GROUP_UNDECLARED error 1.0']);
    expect(found(resolve({ '1': [0, 1] }, uses(['1.5'], ['1.5'])))).toEqual(['GROUP_UNDECLARED error 1.5']);
  });

  test('(e) without any declaration the users are the members', () => {
    const resolved = resolve({}, uses(['7'], [], ['7']));
    expect(found(resolved)).toEqual(['GROUP_INFERRED warning 7']);
    expect(resolved.findings[0].message).toContain('ranks 0, 2');
    expect(resolved.groups.get('7')?.ranks).toEqual([0, 2]);
  });

  test('(f) not for one user, unequal types, or where something is declared', () => {
    const unequal = [groupUse(traceOf([collective(0, '7', 0)], 0)), groupUse(traceOf([collective(0, '7', 2)], 1))];
    for (const resolved of [
      resolve({}, uses(['7'], [])),
      resolve({}, unequal),
      resolve({}, uses(['7'], ['7', '7'])),
      resolve({ tp: [0, 1] }, uses(['7'], ['7'])),
    ]) {
      expect(found(resolved)).toEqual(['GROUP_UNDECLARED error 7']);
      expect(resolved.groups.has('7')).toBe(false);
    }
  });

  test('strict: (d) and (e) are errors that say what would be assumed, and are resolved', () => {
    const decimal = resolve({ '1': [0, 1] }, uses(['1.0'], ['1.0']), true);
    expect(found(decimal)).toEqual(['GROUP_UNDECLARED error 1.0']);
    expect(decimal.findings[0].message).toContain('ranks 0, 1');
    expect(decimal.groups.get('1.0')?.ranks).toEqual([0, 1]);
    const inferred = resolve({}, uses(['7'], ['7']), true);
    expect(found(inferred)).toEqual(['GROUP_UNDECLARED error 7']);
    expect(inferred.groups.get('7')?.ranks).toEqual([0, 1]);
  });
});
