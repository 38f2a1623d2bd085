import fc from 'fast-check';
import { analyticalAware } from '../../src/network/analytical-aware.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { runOver, type PostedTransfer } from '../support/fabric-run.js';
import { slowLinks } from '../support/slow-links.js';
import { topologyOf } from '../support/topologies.js';

/** The congestion-aware network against its slow twin, and what holds in every run. */

interface Run {
  readonly spec: AnalyticalSpec;
  /** By rank. */
  readonly servers: number[];
  readonly transfers: PostedTransfer[];
}

/** 262,144 B at 1 GiB/s take 5^12 ps: starts, sizes and latencies are multiples of it as a rule, so that events meet. */
const UNIT_BYTES = 2 ** 18;
const UNIT_PS = 5 ** 12;

const dimension = fc.record({
  topology: fc.constantFrom('Ring' as const, 'FullyConnected' as const, 'Switch' as const),
  npus: fc.integer({ min: 2, max: 5 }),
  gibPerSecond: fc.constantFrom(1, 1, 2, 0.5, 50.3),
  latencyNs: fc.constantFrom(0, UNIT_PS / 1000, (2 * UNIT_PS) / 1000, 500),
});

const runs: fc.Arbitrary<Run> = fc
  .record({
    dimensions: fc.oneof(fc.tuple(dimension), fc.array(dimension, { minLength: 2, maxLength: 3 })),
    order: fc.array(fc.nat(), { minLength: 125, maxLength: 125 }),
    inOrder: fc.boolean(),
    posts: fc.array(
      fc.record({
        source: fc.nat(124),
        destination: fc.nat(124),
        units: fc.constantFrom(0, 1, 1, 1, 2, 4),
        more: fc.constantFrom(0, 0, 0, 1, 777),
        start: fc.constantFrom(0, 0, 0, 1, 2, 3, 5),
        offset: fc.constantFrom(0, 0, 0, 1, 500_000),
      }),
      { maxLength: 40 },
    ),
    // Few senders and few receivers make queues.
    senders: fc.constantFrom(3, 5, 125),
    receivers: fc.constantFrom(2, 4, 125),
  })
  .map(({ dimensions, order, inOrder, posts, senders, receivers }) => {
    const spec = topologyOf(
      ...dimensions.map(
        ({ topology, npus, gibPerSecond, latencyNs }) => [topology, npus, gibPerSecond, latencyNs] as const,
      ),
    );
    const npus = spec.dimensions.reduce((product, { npus: size }) => product * size, 1);
    const servers = Array.from({ length: npus }, (_, npu) => npu);
    if (!inOrder) servers.sort((a, b) => order[a] - order[b] || a - b);
    return {
      spec,
      servers,
      transfers: posts
        .map(({ source, destination, units, more, start, offset }) => ({
          source: npus - 1 - ((source % senders) % npus),
          destination: (destination % receivers) % npus,
          bytes: units * UNIT_BYTES + more,
          at: start * UNIT_PS + offset,
        }))
        .filter(({ source, destination }) => source !== destination),
    };
  });

function awareTimes({ spec, servers, transfers }: Run) {
  return runOver(analyticalAware(spec, { servers: Int32Array.from(servers) }), servers.length, transfers).times;
}

describe('congestion-aware network, in general', () => {
  test('section 13, R-004 gives the times of its slow twin', () => {
    fc.assert(
      fc.property(runs, (run) => {
        expect(awareTimes(run)).toEqual(slowLinks(run.spec, run.servers, run.transfers));
      }),
      { numRuns: 500 },
    );
  });

  test('a message alone takes its links one after the other, and in company never less', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const together = awareTimes(run);
        for (const [place, transfer] of run.transfers.entries()) {
          const [alone] = awareTimes({ ...run, transfers: [transfer] });
          const [twin] = slowLinks(run.spec, run.servers, [transfer]);
          expect(alone).toEqual(twin);
          for (const what of ['sent', 'received', 'acknowledged'] as const) {
            expect(together[place][what]).toBeGreaterThanOrEqual(alone[what]);
          }
          // R-070; what an acknowledgment takes does not depend on company.
          expect(together[place].sent).toBeLessThanOrEqual(together[place].received);
          expect(together[place].acknowledged - together[place].received).toBe(alone.acknowledged - alone.received);
        }
      }),
    );
  });

  test('R-070 one message at a time over one link: the times of the network without congestion', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const placement = { servers: Int32Array.from(run.servers) };
        for (const transfer of run.transfers) {
          if (!isOneLink(run, transfer)) continue;
          const over = (network: typeof analyticalAware) =>
            runOver(network(run.spec, placement), run.servers.length, [transfer]).times;
          expect(over(analyticalAware)).toEqual(over(analyticalUnaware));
        }
      }),
    );
  });
});

/** Whether the NPUs differ in one coordinate of a dimension in which they are neighbours. */
function isOneLink({ spec, servers }: Run, { source, destination }: PostedTransfer): boolean {
  let [here, there] = [servers[source], servers[destination]];
  let hops = 0;
  for (const { topology, npus } of spec.dimensions) {
    const distance = Math.abs((here % npus) - (there % npus));
    if (distance !== 0) {
      hops += topology === 'FullyConnected' ? 1 : topology === 'Switch' ? 2 : Math.min(distance, npus - distance);
    }
    [here, there] = [Math.floor(here / npus), Math.floor(there / npus)];
  }
  return hops === 1;
}
