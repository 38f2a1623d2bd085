import { completeTransformer } from '../../../src/workloads/transformer/complete.js';
import type { StatedTransformer } from '../../../src/workloads/transformer/parameters.js';
import { scheduleOf } from '../../../src/workloads/transformer/schedule.js';

/** Legs of a stage: `F0` is micro-batch 0 forward, `B1.1` micro-batch 1 backward through chunk 1. */
function legs(stage: number, stated: StatedTransformer): string {
  const { parameters } = completeTransformer({
    ...{ layers: 8, hidden: 8, heads: 1, sequence: 1, vocabulary: 8, batch: 4 },
    ...stated,
  });
  return scheduleOf(parameters, stage)
    .map(({ backward, microBatch, chunk }) => {
      const leg = `${backward ? 'B' : 'F'}${microBatch}`;
      return parameters.virtualStages === 1 ? leg : `${leg}.${chunk}`;
    })
    .join(' ');
}

test('one forward, one backward, as PipeDream-Flush has them', () => {
  expect(legs(0, { pp: 4 })).toBe('F0 F1 F2 F3 B0 B1 B2 B3');
  expect(legs(2, { pp: 4 })).toBe('F0 F1 B0 F2 B1 F3 B2 B3');
  expect(legs(3, { pp: 4 })).toBe('F0 B0 F1 B1 F2 B2 F3 B3');
  expect(legs(0, { pp: 4, batch: 2 })).toBe('F0 F1 B0 B1');
});

test('GPipe runs all forward, then all backward, the last first', () => {
  expect(legs(1, { pp: 2, schedule: 'gpipe', batch: 3 })).toBe('F0 F1 F2 B2 B1 B0');
});

test('interleaved chunks: micro-batches in groups of as many as there are stages', () => {
  // Megatron-LM: 2 (pp − 1 − stage) + (chunks − 1) pp legs ahead.
  expect(legs(0, { pp: 2, virtualStages: 2 })).toBe(
    'F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 B2.1 B3.1 B2.0 B3.0',
  );
  expect(legs(1, { pp: 2, virtualStages: 2 })).toBe(
    'F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0',
  );
});

test('forward only', () => {
  expect(legs(0, { pp: 2, forwardOnly: true })).toBe('F0 F1 F2 F3');
});
