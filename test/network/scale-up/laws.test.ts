import fc from 'fast-check';
import type { ScaleUpSpec } from '../../../src/network/scale-up/scale-up-spec.js';
import { ScaleUpStats } from '../../../src/network/scale-up/scale-up-stats.js';
import { runTransfers, type PostedTransfer } from '../../support/fabric-run.js';
import { slowFabric } from '../../support/slow-fabric.js';

/** The fabric against its slow twin, and what holds in every run. */

interface Run {
  readonly spec: ScaleUpSpec;
  readonly transfers: PostedTransfer[];
}

const group = fc.record({
  bandwidthGbps: fc.constantFrom(800, 900, 53.333, 8000, 0.1, 1234.5678901),
  switchLatencyPs: fc.constantFrom(0, 1, 7, 33_500, 100_000),
  cableLatencyPs: fc.constantFrom(0, 1, 50_000, 100_000),
});

/** Groups, subgroups, sizes and start times that often make events meet. */
const runs: fc.Arbitrary<Run> = fc
  .record({
    groups: fc.oneof(fc.tuple(group), fc.array(group, { minLength: 2, maxLength: 3 })),
    maxPayloadBytes: fc.constantFrom(1, 4, 256, 4096),
    headerBytes: fc.constantFrom(0, 1, 24),
    ranks: fc.array(fc.tuple(fc.nat(2), fc.constantFrom(0, 0, 1, 2)), { minLength: 2, maxLength: 7 }),
    posts: fc.array(
      fc.record({
        source: fc.nat(6),
        destination: fc.nat(6),
        packets: fc.oneof(fc.constant(0), fc.nat(7)),
        more: fc.constantFrom(0, 0, 1, 2, 3),
        start: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(40)),
        offset: fc.constantFrom(0, 0, 0, 1, 777),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ groups, maxPayloadBytes, headerBytes, ranks, posts }) => {
    const groupOf = Int32Array.from(ranks, ([index]) => index % groups.length);
    const packetPs = Math.ceil(((maxPayloadBytes + headerBytes) * 8000) / groups[0].bandwidthGbps);
    return {
      spec: {
        groups: groups.map((parameters, id) => ({ id, ...parameters })),
        groupOf,
        subgroupOf: Uint32Array.from(ranks, ([, subgroup]) => subgroup),
        maxPayloadBytes,
        headerBytes,
      },
      transfers: posts
        .map(({ source, destination, packets, more, start, offset }) => ({
          source: source % ranks.length,
          destination: destination % ranks.length,
          bytes: packets * maxPayloadBytes + more,
          at: start * packetPs + offset,
        }))
        .filter(({ source, destination }) => source !== destination && groupOf[source] === groupOf[destination]),
    };
  });

function packetsOf({ bytes }: PostedTransfer, { maxPayloadBytes }: ScaleUpSpec): number {
  return Math.max(1, Math.ceil(bytes / maxPayloadBytes));
}

/** Payload and headers of some transfers, bytes. */
function wireBytes(transfers: readonly PostedTransfer[], spec: ScaleUpSpec): number {
  return transfers.reduce((sum, posted) => sum + posted.bytes + packetsOf(posted, spec) * spec.headerBytes, 0);
}

describe('scale-up fabric, in general', () => {
  test('SU-1 … SU-10 gives the times of its slow twin', () => {
    fc.assert(
      fc.property(runs, ({ spec, transfers }) => {
        expect(runTransfers(spec, transfers).times).toEqual(slowFabric(spec, transfers));
      }),
      { numRuns: 400 },
    );
  });

  test('SU-9 the order of simultaneous posts for different lanes does not matter', () => {
    fc.assert(
      fc.property(runs, fc.infiniteStream(fc.nat()), ({ spec, transfers }, numbers) => {
        const keyOfLane = new Map<string, number>();
        const placed = transfers.map((posted, place) => {
          const lane = `${posted.source}→${posted.destination}`;
          const key = keyOfLane.get(lane) ?? numbers.next().value!;
          keyOfLane.set(lane, key);
          return { posted, place, key };
        });
        placed.sort((a, b) => a.key - b.key || a.place - b.place);
        const { times } = runTransfers(spec, transfers);
        const shuffled = runTransfers(
          spec,
          placed.map(({ posted }) => posted),
        ).times;
        expect(shuffled).toEqual(placed.map(({ place }) => times[place]));
      }),
    );
  });

  test('SU-8 every byte is sent and received once, a transfer is sent before it is received', () => {
    fc.assert(
      fc.property(runs, ({ spec, transfers }) => {
        const stats = new ScaleUpStats(spec.groupOf.length, 1_000_000);
        const { times, calls } = runTransfers(spec, transfers, { stats });
        expect(calls.length).toBe(3 * transfers.length);
        for (const { sent, received } of times) expect(sent).toBeLessThanOrEqual(received);
        for (const rank of spec.groupOf.keys()) {
          const counts = stats.countsOf(rank);
          const total = (what: 'bytesSent' | 'bytesReceived'): number =>
            counts.reduce((sum, interval) => sum + interval[what], 0);
          const from = transfers.filter(({ source }) => source === rank);
          const to = transfers.filter(({ destination }) => destination === rank);
          expect(total('bytesSent')).toBe(wireBytes(from, spec));
          expect(total('bytesReceived')).toBe(wireBytes(to, spec));
        }
      }),
    );
  });

  test('SU-3 a rank that gets all its transfers at once never sends faster than G', () => {
    fc.assert(
      fc.property(runs, ({ spec, transfers }) => {
        const together = transfers.map((posted) => ({ ...posted, at: 0 }));
        const { times } = runTransfers(spec, together);
        for (const rank of spec.groupOf.keys()) {
          const from = together.filter(({ source }) => source === rank);
          const last = Math.max(
            0,
            ...times.filter((_, transfer) => together[transfer].source === rank).map(({ sent }) => sent),
          );
          const { bandwidthGbps } = spec.groups[spec.groupOf[rank]];
          // Half a ps for the rounding of this division; rounding up in the fabric only adds.
          expect(last + 0.5).toBeGreaterThan((wireBytes(from, spec) * 8000) / bandwidthGbps);
        }
      }),
    );
  });

  test('SU-3 no pair of ranks is ever served faster than G', () => {
    fc.assert(
      fc.property(runs, ({ spec, transfers }) => {
        const { times } = runTransfers(spec, transfers);
        for (const [transfer, { source, destination, at, bytes }] of transfers.entries()) {
          const { bandwidthGbps, switchLatencyPs, cableLatencyPs } = spec.groups[spec.groupOf[source]];
          const near = spec.subgroupOf[source] === spec.subgroupOf[destination];
          const crossing = near ? switchLatencyPs + 2 * cableLatencyPs : 3 * switchLatencyPs + 4 * cableLatencyPs;
          const wire = (wireBytes([transfers[transfer]], spec) * 8000) / bandwidthGbps;
          const lastBytes = bytes === 0 ? 0 : ((bytes - 1) % spec.maxPayloadBytes) + 1;
          const last = ((lastBytes + spec.headerBytes) * 8000) / bandwidthGbps;
          const { sent, received, acknowledged } = times[transfer];
          expect(sent - at + 0.5).toBeGreaterThan(wire);
          expect(received - sent - crossing + 0.5).toBeGreaterThan(last);
          expect(acknowledged - sent).toBe(2 * crossing);
        }
      }),
    );
  });
});
