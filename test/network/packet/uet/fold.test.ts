import fc from 'fast-check';
import { oneSwitch, runUet, twoLeaves, type UetOverrides, type UetPost } from '../../../support/uet-runs.js';

const posts = fc.array(
  fc
    .record({
      source: fc.nat({ max: 7 }),
      step: fc.integer({ min: 1, max: 7 }),
      bytes: fc.oneof(fc.constantFrom(0, 1, 4096), fc.nat({ max: 400_000 })),
      at: fc.oneof(fc.constant(0), fc.nat({ max: 20_000_000 })),
    })
    .map(({ source, step, bytes, at }): UetPost => ({ source, destination: (source + step) % 8, bytes, at })),
  { minLength: 1, maxLength: 16 },
);

const overrides: fc.Arbitrary<UetOverrides> = fc
  .record({
    seed: fc.nat({ max: 99 }),
    trimming: fc.boolean(),
    egressLimitBytes: fc.integer({ min: 10_000, max: 100_000 }),
    ackEvery: fc.constantFrom(1, 4),
    gapDetect: fc.boolean(),
    probe: fc.boolean(),
    receiverCredit: fc.boolean(),
    spraying: fc.constantFrom('default', 'none', 'reps'),
  })
  .map(({ seed, trimming, egressLimitBytes, ...uet }) => ({
    seed,
    uet: { ...uet, timeoutPs: 40e6 },
    switches: { trimming, egressLimitBytes, controlLimitBytes: egressLimitBytes },
    nscc: { trimming },
  }));

test('with the fold on and off all times are the same, and everything is delivered once', () => {
  fc.assert(
    fc.property(posts, overrides, fc.boolean(), fc.constantFrom(0, 0.01), (posted, changed, isLeafSpine, loss) => {
      const topology = isLeafSpine ? twoLeaves() : oneSwitch(8, { loss });
      const [folded, explicit] = [true, false].map((fold) => runUet(topology, { ...changed, fold }, posted));
      expect(folded.times).toEqual(explicit.times);
      for (const { sent, received, acknowledged } of folded.times) {
        expect(received).toBeGreaterThan(sent);
        expect(acknowledged).toBeGreaterThan(received);
      }
      expect(folded.network.fabric.packets.count).toBe(0);
    }),
    { numRuns: 40 },
  );
});
