import fc from 'fast-check';
import { RandomStream } from '../../../../src/kernel/random.js';
import { EntropyProfile } from '../../../../src/network/packet/spraying/entropy-profile.js';
import type { MrcSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { mrc } from '../../../support/congestion-settings.js';

const US = 1e6;

function profile(changes: Partial<MrcSettings> = {}, planes = 1, seed = 1): EntropyProfile {
  return new EntropyProfile(mrc(changes), planes, new RandomStream(seed, 5, 'ev'));
}

function take(from: EntropyProfile, count: number): number[] {
  return Array.from({ length: count }, () => from.next());
}

/** The active values from the first that a profile uses. */
function rotation(of: EntropyProfile): number[] {
  return take(of, of.activeValues.length);
}

function perPlane(values: readonly number[], planes: number): number[] {
  return Array.from({ length: planes }, (_, plane) => values.filter((value) => value % planes === plane).length);
}

describe('MR-3 drawing', () => {
  test.each([1, 2, 4, 8])(
    'MR-3: 128 active values and 128 backups, all different, equally many of %d planes',
    (planes) => {
      const { activeValues, backupValues } = profile({}, planes);
      const each = Array<number>(planes).fill(128 / planes);
      expect(perPlane(activeValues, planes)).toEqual(each);
      expect(perPlane(backupValues, planes)).toEqual(each);
      expect(new Set([...activeValues, ...backupValues]).size).toBe(256);
    },
  );

  test('MR-3: 3 planes have 42 active values each, 200 planes one', () => {
    expect(perPlane(profile({}, 3).activeValues, 3)).toEqual([42, 42, 42]);
    expect(perPlane(profile({}, 200).activeValues, 200)).toEqual(Array<number>(200).fill(1));
  });

  test('MR-3: values are uniform draws, the first half of each plane active, then one draw for the start', () => {
    const stream = new RandomStream(1, 5, 'ev');
    const active: number[] = [];
    const backups: number[] = [];
    while (active.length + backups.length < 16) {
      const value = Math.floor(stream.uniform() * 65_536);
      const ofPlane = (list: number[]): number => list.filter((other) => other % 2 === value % 2).length;
      if (active.includes(value) || backups.includes(value)) continue;
      if (ofPlane(active) < 4) active.push(value);
      else if (ofPlane(backups) < 4) backups.push(value);
    }
    const start = Math.floor(stream.uniform() * 8);
    const drawn = profile({ evCount: 8 }, 2);
    expect([drawn.activeValues, drawn.backupValues]).toEqual([active, backups]);
    expect(drawn.next()).toBe(active[start]);
  });

  test('MR-3: it rotates through the active values', () => {
    const drawn = profile();
    const round = rotation(drawn);
    expect([...round].sort()).toEqual([...drawn.activeValues].sort());
    expect(take(drawn, 256)).toEqual([...round, ...round]);
  });

  test('R-006: another seed draws other values', () => {
    expect(profile({}, 1, 2).activeValues).not.toEqual(profile().activeValues);
  });

  test('MR-4: a value that is DENIED is not drawn', () => {
    const deniedEvs = profile().activeValues.slice(0, 100);
    const drawn = profile({ deniedEvs });
    expect([...drawn.activeValues, ...drawn.backupValues].filter((value) => deniedEvs.includes(value))).toEqual([]);
    expect([drawn.stateOf(deniedEvs[0]), drawn.stateOf(drawn.next())]).toEqual(['denied', 'good']);
  });

  test('MR-4: too many DENIED values of a plane', () => {
    const deniedEvs = Array.from({ length: 32_768 - 7 }, (_, index) => 2 * index + 1);
    expect(() => profile({ evCount: 8, deniedEvs }, 2)).toThrow(
      expect.objectContaining({
        code: 'NETWORK_MALFORMED',
        message: 'MRC: 7 entropy values of plane 1 of 2 are not denied; expected 8 or more for a profile',
      }),
    );
    expect(perPlane(profile({ evCount: 8, deniedEvs: deniedEvs.slice(1) }, 2).activeValues, 2)).toEqual([4, 4]);
  });
});

describe('MR-4 SKIP', () => {
  const marked = {
    'an ECN echo': (of: EntropyProfile, value: number) => of.acked(value, true),
    'a trim on the way': (of: EntropyProfile, value: number) => of.trimmed(value, false),
  };

  test.each(Object.entries(marked))('MR-4: after %s a value is passed over once', (_name, mark) => {
    const of = profile({ evCount: 4 });
    const [a, b, c, d] = rotation(of);
    mark(of, b);
    expect(of.stateOf(b)).toBe('skip');
    expect(take(of, 7)).toEqual([a, c, d, a, b, c, d]);
    expect(of.stateOf(b)).toBe('good');
  });

  test('MR-4: a clean SACK and a trim at the last hop change nothing', () => {
    const of = profile({ evCount: 4 });
    const round = rotation(of);
    of.acked(round[1], false);
    of.trimmed(round[1], true);
    expect(rotation(of)).toEqual(round);
    of.acked(round[1], true);
    of.acked(round[1], false);
    expect(of.stateOf(round[1])).toBe('skip');
  });

  test('MR-4: where all are SKIP the one marked longest ago is used and becomes GOOD', () => {
    const of = profile({ evCount: 4 });
    const [a, b, c, d] = rotation(of);
    for (const value of [c, a, d, b, c]) of.acked(value, true);
    expect(of.next()).toBe(c);
    expect([a, b, c, d].map((value) => of.stateOf(value))).toEqual(['skip', 'skip', 'good', 'skip']);
    // The rotation goes on after it and passes over the others once.
    expect(take(of, 5)).toEqual([c, d, a, b, c]);
  });

  test('a value of another queue pair is not known', () => {
    const of = profile({ evCount: 4 });
    const stranger = [0, 1, 2, 3, 4, 5, 6, 7, 8].find((value) => of.stateOf(value) === undefined)!;
    const round = rotation(of);
    of.acked(stranger, true);
    of.timedOut(stranger, 0);
    of.probeAnswered(stranger, false);
    expect(rotation(of)).toEqual(round);
    expect(of.nextProbePs).toBe(Infinity);
  });
});

describe('MR-4 ASSUMED_BAD', () => {
  test('MR-4: after a timeout the first backup of the same plane takes its place', () => {
    const of = profile({ evCount: 4 }, 2);
    const round = rotation(of);
    const backup = of.backupValues.find((value) => value % 2 === round[2] % 2)!;
    of.timedOut(round[2], 0);
    expect(of.stateOf(round[2])).toBe('assumed-bad');
    expect(rotation(of)).toEqual([round[0], round[1], backup, round[3]]);
    expect(of.backupValues).not.toContain(backup);
  });

  test('MR-4: it is probed every 100 µs until a probe is answered', () => {
    const of = profile({ evCount: 4 });
    const [a, b] = rotation(of);
    of.timedOut(a, 10 * US);
    of.timedOut(b, 30 * US);
    of.timedOut(a, 40 * US);
    expect(of.nextProbePs).toBe(110 * US);
    expect(of.takeProbe(110 * US - 1)).toBe(-1);
    expect([of.takeProbe(110 * US), of.takeProbe(110 * US)]).toEqual([a, -1]);
    expect(of.nextProbePs).toBe(130 * US);
    expect(of.takeProbe(130 * US)).toBe(b);
    of.probeAnswered(a, false);
    expect(of.nextProbePs).toBe(230 * US);
    expect(of.takeProbe(230 * US)).toBe(b);
    of.probeAnswered(b, true);
    expect(of.nextProbePs).toBe(Infinity);
  });

  test.each([
    ['clean', false, 'good'],
    ['marked', true, 'skip'],
  ])('MR-4: an answer that is %s makes the value a backup again', (_name, mark, state) => {
    const of = profile({ evCount: 4 });
    const [a] = rotation(of);
    of.timedOut(a, 0);
    const { backupValues } = of;
    of.probeAnswered(a, mark);
    expect(of.stateOf(a)).toBe(state);
    expect(of.backupValues).toEqual([...backupValues, a]);
    of.probeAnswered(a, !mark);
    expect(of.stateOf(a)).toBe(state);
  });

  test('MR-4: a late mark or timeout of a value that is bad changes nothing', () => {
    const of = profile({ evCount: 4 });
    const [a] = rotation(of);
    of.timedOut(a, 0);
    of.acked(a, true);
    of.trimmed(a, false);
    of.timedOut(a, US);
    expect([of.stateOf(a), of.nextProbePs, of.backupValues.length]).toEqual(['assumed-bad', 100 * US, 3]);
  });

  test('MR-4: without a backup it keeps its place, is passed over, and gives way to the next good value of its plane', () => {
    const of = profile({ evCount: 2 });
    const [a, b] = rotation(of);
    const [c, d] = of.backupValues;
    of.timedOut(a, 0);
    of.timedOut(b, 0);
    expect(rotation(of)).toEqual([c, d]);
    of.timedOut(c, 0);
    expect(of.backupValues).toEqual([]);
    expect(take(of, 3)).toEqual([d, d, d]);
    of.probeAnswered(a, false);
    expect(new Set(rotation(of))).toEqual(new Set([a, d]));
    of.probeAnswered(c, false);
    expect(of.backupValues).toEqual([c]);
  });

  test('MR-4: a bad value that kept its place is used again once its probe is answered', () => {
    const of = profile({ evCount: 1 });
    const [a] = rotation(of);
    const [b] = of.backupValues;
    of.timedOut(a, 0);
    of.timedOut(b, 0);
    // All are bad: the next one all the same.
    expect([of.next(), of.stateOf(b)]).toEqual([b, 'assumed-bad']);
    of.probeAnswered(b, true);
    expect([of.next(), of.stateOf(b)]).toEqual([b, 'good']);
  });

  test('MR-4: a backup whose old packet times out is bad too', () => {
    const of = profile({ evCount: 2 });
    const [a] = rotation(of);
    of.timedOut(a, 0);
    of.probeAnswered(a, false);
    of.timedOut(a, 5 * US);
    expect([of.stateOf(a), of.nextProbePs, of.backupValues.includes(a)]).toEqual(['assumed-bad', 105 * US, false]);
  });

  test('MR-4: a SKIP among bad values is used before them', () => {
    const of = profile({ evCount: 2 });
    const [a, b] = rotation(of);
    for (const value of [...of.backupValues, a]) of.timedOut(value, 0);
    of.acked(b, true);
    expect([of.next(), of.stateOf(b)]).toEqual([b, 'good']);
  });
});

describe('MR-4 whatever happens', () => {
  const events = fc.array(
    fc.record({
      kind: fc.constantFrom('next', 'next', 'next', 'mark', 'trim', 'timeout', 'probe', 'answer'),
      which: fc.nat(100),
      marked: fc.boolean(),
    }),
    { maxLength: 120 },
  );

  test('the planes keep their shares, and a value is bad exactly while it is probed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 3),
        fc.constantFrom(1, 4, 7),
        fc.nat(5),
        events,
        (planes, evCount, seed, list) => {
          const of = profile({ evCount }, planes, seed);
          const all = [...of.activeValues, ...of.backupValues];
          const shares = perPlane(of.activeValues, planes);
          const bad = new Set<number>();
          let now = 0;
          for (const { kind, which, marked } of list) {
            now += 30 * US;
            const value = all[which % all.length];
            if (kind === 'next') {
              const states = of.activeValues.map((active) => of.stateOf(active));
              const before = of.activeValues;
              const used = of.next();
              expect(before).toContain(used);
              expect(of.stateOf(used)).toBe(states.every((state) => state === 'assumed-bad') ? 'assumed-bad' : 'good');
              if (states.includes('good')) expect(states[before.indexOf(used)]).not.toBe('assumed-bad');
            } else if (kind === 'mark') {
              of.acked(value, marked);
            } else if (kind === 'trim') {
              of.trimmed(value, marked);
            } else if (kind === 'timeout') {
              of.timedOut(value, now);
              bad.add(value);
            } else if (kind === 'probe') {
              const probed = of.takeProbe(now);
              if (probed !== -1) expect(bad).toContain(probed);
            } else {
              of.probeAnswered(value, marked);
              bad.delete(value);
            }
            expect(all.filter((each) => of.stateOf(each) === 'assumed-bad')).toEqual(
              all.filter((each) => bad.has(each)),
            );
            expect(perPlane(of.activeValues, planes)).toEqual(shares);
            expect(new Set(of.activeValues).size).toBe(of.activeValues.length);
            expect(of.backupValues.filter((each) => bad.has(each) || of.activeValues.includes(each))).toEqual([]);
            // A bad value is active only where no backup of its plane is left.
            const badActive = of.activeValues.filter((each) => bad.has(each)).map((each) => each % planes);
            expect(of.backupValues.filter((each) => badActive.includes(each % planes))).toEqual([]);
            expect(of.nextProbePs === Infinity).toBe(bad.size === 0);
          }
        },
      ),
    );
  });
});
