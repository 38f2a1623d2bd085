import fc from 'fast-check';
import { MessageMatching } from '../../src/astra-sim/message-matching.js';

/** Sizes by their numbers. */
type Key = readonly [source: number, destination: number, tag: number, size: number];

/** What waits: `source→destination tag size: messages`, sorted. */
function waiting(matching: MessageMatching): string[] {
  const lines: string[] = [];
  matching.forEach((source, destination, tag, size, arrived) =>
    lines.push(`${source}→${destination} ${tag} ${size}: ${arrived}`),
  );
  return lines.sort();
}

describe('which receive a message belongs to (astra-sim-semantics section 11)', () => {
  const KEY: Key = [1, 2, 7, 4096];

  test('receives wait and are found in the order in which they were posted', () => {
    const matching = new MessageMatching();
    expect(matching.post(...KEY, 3, 30)).toBe(false);
    expect(matching.post(...KEY, 4, 40)).toBe(false);
    expect(waiting(matching)).toEqual(['1→2 7 4096: -2']);
    expect(matching.arrive(...KEY)).toBe(true);
    expect([matching.code, matching.reference]).toEqual([3, 30]);
    expect(matching.arrive(...KEY)).toBe(true);
    expect([matching.code, matching.reference]).toEqual([4, 40]);
    expect(matching.arrive(...KEY)).toBe(false);
    expect(waiting(matching)).toEqual(['1→2 7 4096: 1']);
  });

  test('messages that wait are counted, each for one receive', () => {
    const matching = new MessageMatching();
    matching.arrive(...KEY);
    matching.arrive(...KEY);
    expect(matching.post(...KEY, 0, 0)).toBe(true);
    expect(matching.take(...KEY)).toBe(true);
    expect(matching.take(...KEY)).toBe(false);
    expect(waiting(matching)).toEqual([]);
    expect(matching.post(...KEY, 0, 0)).toBe(false);
    // A receive that waits is no message.
    expect(matching.take(...KEY)).toBe(false);
    expect(waiting(matching)).toEqual(['1→2 7 4096: -1']);
  });

  test.each([
    ['source', [0, 2, 7, 4096]],
    ['destination', [1, 3, 7, 4096]],
    ['tag', [1, 2, 8, 4096]],
    ['a tag below 0', [1, 2, -7, 4096]],
    ['size', [1, 2, 7, 4097]],
  ] as const)('another %s never matches', (_what, other) => {
    const matching = new MessageMatching();
    matching.post(...KEY, 0, 0);
    expect(matching.arrive(...(other as Key))).toBe(false);
    expect(matching.post(...KEY, 0, 0)).toBe(false);
    expect(waiting(matching)).toHaveLength(2);
  });

  test('a thousand keys at once, taken out in another order', () => {
    const matching = new MessageMatching();
    const keys = Array.from({ length: 1000 }, (_, at): Key => [at % 7, at % 11, at % 13, at]);
    keys.forEach((key, at) => matching.post(...key, 1, at));
    // Taken out everywhere, so that those behind move up.
    const order = [...keys.keys()].sort((one, other) => ((one * 7) % 1000) - ((other * 7) % 1000));
    for (const at of order) {
      expect(matching.arrive(...keys[at])).toBe(true);
      expect(matching.reference).toBe(at);
    }
    expect(waiting(matching)).toEqual([]);
  });
});

/** The slow twin: a map of lists. */
class SlowMatching {
  readonly messages = new Map<string, number>();
  readonly receives = new Map<string, number[]>();

  arrive(key: Key): number | false {
    const name = String(key);
    const reference = this.receives.get(name)?.shift();
    if (reference !== undefined) return reference;
    this.messages.set(name, (this.messages.get(name) ?? 0) + 1);
    return false;
  }

  take(key: Key): boolean {
    const name = String(key);
    const count = this.messages.get(name) ?? 0;
    if (count > 0) this.messages.set(name, count - 1);
    return count > 0;
  }

  post(key: Key, reference: number): boolean {
    if (this.take(key)) return true;
    const name = String(key);
    this.receives.set(name, [...(this.receives.get(name) ?? []), reference]);
    return false;
  }

  waiting(): string[] {
    const line = (name: string, count: number): string => {
      const [source, destination, tag, size] = name.split(',');
      return `${source}→${destination} ${tag} ${size}: ${count}`;
    };
    return [
      ...[...this.messages].filter(([, count]) => count > 0).map(([name, count]) => line(name, count)),
      ...[...this.receives].filter(([, list]) => list.length > 0).map(([name, list]) => line(name, -list.length)),
    ].sort();
  }
}

/** So few that keys come again, so many that they meet in the table. */
const key: fc.Arbitrary<Key> = fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: -3, max: 3 }), fc.nat(4));
const step = fc.tuple(fc.constantFrom('arrive', 'post', 'take'), key);

test('law: matches are those of a map of lists, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
      const matching = new MessageMatching();
      const twin = new SlowMatching();
      for (const [at, [what, asked]] of steps.entries()) {
        if (what === 'post') {
          expect(matching.post(...asked, at % 200, at)).toBe(twin.post(asked, at));
        } else if (what === 'take') {
          expect(matching.take(...asked)).toBe(twin.take(asked));
        } else {
          const reference = twin.arrive(asked);
          expect(matching.arrive(...asked)).toBe(reference !== false);
          if (reference !== false) {
            expect([matching.code, matching.reference]).toEqual([reference % 200, reference]);
          }
        }
      }
      expect(waiting(matching)).toEqual(twin.waiting());
    }),
  );
});
