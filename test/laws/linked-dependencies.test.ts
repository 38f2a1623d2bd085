import fc from 'fast-check';
import { linkDependencies } from '../../src/pytorch/dependencies/dependencies.js';
import type { Communication } from '../../src/pytorch/communication.js';
import { orderNodes } from '../../src/pytorch/node-order.js';
import { streamsOf } from '../../src/pytorch/streams.js';
import { findCyclicComponents } from '../../src/trace/cycles.js';
import { madeLinks, type MadeRank } from '../support/linked-ranks.js';

const NS = fc.integer({ min: 0, max: 4_000_000 });
const CALLS = [
  'cudaLaunchKernel',
  'cudaMemcpyAsync',
  'cudaMemcpy',
  'cudaDeviceSynchronize',
  'cudaStreamSynchronize',
  'cudaEventSynchronize',
  'cudaStreamWaitEvent',
  'cudaEventRecord',
];

/** Whatever files may hold: callers that are missing, later or themselves, times that contradict, links at random. */
const RANK: fc.Arbitrary<MadeRank> = fc.integer({ min: 1, max: 24 }).chain((ops) =>
  fc.integer({ min: 0, max: 16 }).chain((calls) =>
    fc.record({
      ops: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: ops, maxLength: ops }).chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.record(
              {
                id: fc.constant(id),
                parent: fc.oneof(fc.constantFrom(...ids), fc.integer({ min: 1, max: 70 }), fc.constant(NaN)),
                thread: fc.integer({ min: -1, max: 3 }),
                forwardThread: fc.integer({ min: 0, max: 3 }),
                sequence: fc.integer({ min: -1, max: 4 }),
                startNs: NS,
                durationNs: NS,
                osThread: fc.integer({ min: 101, max: 103 }),
              },
              { requiredKeys: ['id', 'parent'] },
            ),
          ),
        ),
      ),
      calls: fc.array(
        fc.record({
          name: fc.constantFrom(...CALLS),
          startNs: NS,
          durationNs: NS,
          osThread: fc.integer({ min: 101, max: 103 }),
          correlation: fc.integer({ min: 1, max: 20 }),
        }),
        { minLength: calls, maxLength: calls },
      ),
      events: fc.array(
        fc.record({
          kind: fc.constantFrom('kernel' as const, 'copy' as const, 'set' as const, 'annotation' as const),
          stream: fc.integer({ min: -1, max: 2 }),
          device: fc.integer({ min: 0, max: 1 }),
          startNs: NS,
          durationNs: NS,
          launcher: fc.integer({ min: -1, max: ops - 1 }),
          call: fc.integer({ min: -1, max: calls - 1 }),
        }),
        { maxLength: 24 },
      ),
      synchronizations: fc.array(
        fc.record({
          stream: fc.integer({ min: -1, max: 2 }),
          correlation: fc.integer({ min: 1, max: 20 }),
          startNs: NS,
          waitsOnStream: fc.integer({ min: -1, max: 2 }),
          waitsOnCorrelation: fc.integer({ min: 1, max: 20 }),
        }),
        { maxLength: 8 },
      ),
    }),
  ),
);

const CHOSEN = fc.record({ sets: fc.boolean(), annotations: fc.boolean() });

test('whatever is linked, every node is there once, behind its caller, and no dependencies close a cycle', () => {
  fc.assert(
    fc.property(RANK, CHOSEN, fc.integer({ min: 1, max: 3 }), (rank, chosen, several) => {
      const links = madeLinks(rank);
      const streams = streamsOf(links, links.device!, chosen);
      const partsOf = (event: number): number => (event % 3 === 0 ? several : 1);
      const order = orderNodes(links, streams, chosen, partsOf);
      const onDevice = new Map(
        rank.events!.flatMap((_, event): [number, Communication[]][] =>
          event % 3 === 0 ? [[event, [{ record: -1 } as Communication]]] : [],
        ),
      );
      const { start, target } = linkDependencies(links, streams, order, { onDevice });

      const expected = rank.ops.map((_, place) => place);
      if (order.synthetic >= 0) expected.push(rank.ops.length);
      const linked = rank.ops.filter(({ startNs }) => startNs !== undefined);
      const fromNs = Math.min(...linked.map(({ startNs }) => startNs!));
      const toNs = Math.max(...linked.map(({ startNs, durationNs = 0 }) => startNs! + durationNs));
      rank.events!.forEach(({ kind, launcher, call }, event) => {
        const calledNs = rank.calls![call!]?.startNs ?? NaN;
        if (launcher! < 0 && kind !== 'annotation' && linked.length > 0 && (calledNs < fromNs || calledNs > toNs))
          return;
        const written = kind === 'annotation' ? chosen.annotations : kind !== 'set' || chosen.sets;
        if (written) for (let part = 0; part < partsOf(event); part++) expected.push(-1 - event);
      });
      expect([...order.origin].sort((one, other) => one - other)).toEqual(expected.sort((one, other) => one - other));
      expect(rank.ops.map((_, place) => order.origin[order.hostNode[place]])).toEqual(
        rank.ops.map((_, place) => place),
      );

      const controlStart = Uint32Array.from({ length: order.length + 1 }, (_, node) =>
        order.caller.subarray(0, node).reduce((count, caller) => count + Number(caller >= 0), 0),
      );
      const controlTarget = order.caller.filter((caller) => caller >= 0);
      const graph = {
        length: order.length,
        dataStart: start,
        dataTarget: target,
        controlStart,
        controlTarget,
        idLow: Uint32Array.from({ length: order.length }, (_, node) => node),
        idHigh: new Uint32Array(order.length),
      };
      expect(findCyclicComponents(graph, 'both').count).toBe(0);
      const wrong: string[] = [];
      for (let node = 0; node < order.length; node++) {
        if (order.caller[node] >= node) wrong.push(`caller ${order.caller[node]} of ${node}`);
        for (let edge = start[node]; edge < start[node + 1]; edge++) {
          if (target[edge] >= node) wrong.push(`${node} waits for ${target[edge]}`);
          if (edge > start[node] && target[edge] <= target[edge - 1]) wrong.push(`${node} waits twice or in disorder`);
        }
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
