import fc from 'fast-check';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { replay } from '../../src/replay/replay.js';
import { isTransfer } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { made, mendAll } from '../support/for-astra-sim.js';
import { validateRead } from '../support/validation.js';
import { commandChain, writtenBy } from './command-chain.js';
import { job, jobs } from './random-traceset.js';

/** What `validate --for astra-sim` says of the ranks, errors only. */
function errors(traces: readonly RankTrace[], groups: Record<string, number[]>): string[] {
  const read = traces.map((trace) => ({ trace, findings: [] }));
  return validateRead(read, { groups, target: 'astra-sim' })
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);
}

describe.each(['own', 'shared'] as const)('jobs with %s tags', (tags) => {
  test('law: whatever commands ran, what is written last has no error for ASTRA-sim but collectives that are not expanded', () => {
    fc.assert(
      fc.property(jobs({ tags }), commandChain, (drawn, steps) => {
        const before = writtenBy(drawn, steps);
        const mended = mendAll(before, drawn.groups);
        const found = errors(mended.traces, mended.groups).filter(
          (line) => steps.includes('expand') || !line.startsWith('ASTRA_COLLECTIVE_TYPE'),
        );
        // Ranks that send to themselves with one tag several times, and sizes that only the order pairs, stay.
        const left = tags === 'own' ? found : found.filter((line) => !/^ASTRA_(PEER_SELF|TRANSFER_SIZE)/.test(line));
        // What stalls as it is does so here.
        const stalls = errors(before, drawn.groups).some((line) => line.startsWith('STALL'));
        expect(stalls ? left.filter((line) => !line.startsWith('STALL')) : left).toEqual([]);
      }),
    );
  });
});

test('law: what was written for ASTRA-sim is written again the same byte for byte', () => {
  fc.assert(
    fc.property(job, commandChain, (drawn, steps) => {
      const once = mendAll(writtenBy(drawn, steps), drawn.groups);
      const twice = mendAll(once.traces, once.groups);
      expect(made(twice.changes)).toEqual({});
      expect(twice.groups).toEqual(once.groups);
      for (const [rank, trace] of twice.traces.entries()) {
        expect(Buffer.from(encodeChakraEt(trace)).equals(encodeChakraEt(once.traces[rank]))).toBe(true);
      }
    }),
  );
});

/** The ranks with a byte in each message that has none, which is all that mending adds to what a replay sees. */
function withOneByte(traces: readonly RankTrace[]): RankTrace[] {
  return traces.map((trace) => ({
    ...trace,
    commSize: trace.commSize.map((bytes, node) => (bytes === 0 && isTransfer(trace.type[node]) ? 1 : bytes)),
  }));
}

test('law: the replay ends each rank at the time it would with a byte in each empty message', () => {
  const network = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 700, bytesPerNs: 3 });
  fc.assert(
    fc.property(job, commandChain, (drawn, steps) => {
      const before = writtenBy(drawn, ['expand', ...steps.filter((step) => step !== 'expand')]);
      const mended = mendAll(before, drawn.groups);
      const [raw, after] = [withOneByte(before), mended.traces].map((traces) => replay(traces, { network }));
      expect(after.status).toBe('finished');
      expect(after.ranks.map(({ endPs }) => endPs)).toEqual(raw.ranks.map(({ endPs }) => endPs));
    }),
  );
});
