import fc from 'fast-check';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import type { StatedTransformer } from '../../src/workloads/transformer/parameters.js';
import { transformerJob } from '../../src/workloads/transformer/transformer-job.js';
import { EXAMPLE_NETWORK } from '../support/jobs.js';
import { rankBytes, tracesOf } from '../support/made-jobs.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { readBytes } from '../support/traces.js';
import { validateRead } from '../support/validation.js';

const small = (max: number) => fc.integer({ min: 1, max });

/** Numbers that go together. */
const drawn: fc.Arbitrary<StatedTransformer> = fc
  .record({
    ...{ tp: small(3), dp: small(2), ep: small(2), pp: small(3), virtualStages: small(2), perChunk: small(2) },
    ...{ microBatch: small(2), groupsOfMicroBatches: small(2), microBatches: small(4), steps: small(2) },
    ...{ headWidth: small(3), heads: small(2), ffn: small(3), words: small(4), sequence: small(3) },
    ...{ gated: fc.boolean(), sp: fc.boolean(), experts: fc.nat(2), topK: small(2), zero: fc.nat(3) },
    ...{ gpipe: fc.boolean(), recompute: fc.boolean(), forwardOnly: fc.boolean(), timed: fc.boolean() },
    elementBytes: fc.constantFrom(1, 2, 3, 4),
    rankOrder: fc.constantFrom('tp-dp-pp' as const, 'tp-pp-dp' as const),
  })
  .map((d) => {
    const ep = d.experts === 0 ? 1 : d.ep;
    const dp = d.dp * ep;
    const chunked = d.pp > 1 && !d.gpipe;
    const virtualStages = chunked ? d.virtualStages : 1;
    const microBatches = virtualStages > 1 ? d.pp * d.groupsOfMicroBatches : d.microBatches;
    const heads = d.heads * d.tp;
    const experts = d.experts * ep;
    return {
      ...{ tp: d.tp, dp, ep, pp: d.pp, virtualStages, experts, heads, steps: d.steps, microBatch: d.microBatch },
      ...{ gated: d.gated, elementBytes: d.elementBytes, rankOrder: d.rankOrder, forwardOnly: d.forwardOnly },
      ...(experts === 0 ? {} : { topK: Math.min(d.topK, experts) }),
      layers: d.pp * virtualStages * d.perChunk,
      hidden: heads * d.headWidth,
      kvHeads: d.tp,
      ffn: d.ffn * d.tp,
      vocabulary: d.words * d.tp,
      sequence: d.sequence * d.tp,
      sp: d.sp && d.tp > 1,
      batch: dp * d.microBatch * microBatches,
      zero: d.forwardOnly && d.zero < 3 ? 0 : d.zero,
      schedule: d.gpipe ? ('gpipe' as const) : ('1f1b' as const),
      recompute: d.recompute && !d.forwardOnly ? ('full' as const) : ('none' as const),
      ...(d.timed ? { peakTflops: 1e-6, memoryGbps: 0.01 } : {}),
    };
  });

test('ids ascend from 0, parents stand before their children, and every compute but the first has one', () => {
  fc.assert(
    fc.property(drawn, (stated) => {
      for (const { dataStart, dataTarget, idLow, type } of tracesOf(transformerJob(stated))) {
        const wrong: number[] = [];
        for (let node = 0; node < type.length; node++) {
          if (idLow[node] !== node) wrong.push(node);
          const parents = dataTarget.subarray(dataStart[node], dataStart[node + 1]);
          if (parents.some((parent) => parent < 0 || parent >= node)) wrong.push(node);
          if (type[node] === NodeType.compute && node > 0 && parents.length === 0) wrong.push(node);
        }
        expect(wrong).toEqual([]);
      }
    }),
    { numRuns: 30 },
  );
});

test('each compute has the one before it among its ancestors: one stream a rank', () => {
  fc.assert(
    fc.property(drawn, (stated) => {
      for (const { dataStart, dataTarget, type } of tracesOf(transformerJob({ ...stated, steps: 1 }))) {
        let before = -1;
        /** The latest compute at or above each node. */
        const latest = new Int32Array(type.length);
        for (let node = 0; node < type.length; node++) {
          latest[node] = -1;
          for (const parent of dataTarget.subarray(dataStart[node], dataStart[node + 1])) {
            latest[node] = Math.max(latest[node], latest[parent]);
          }
          if (type[node] !== NodeType.compute) continue;
          expect(latest[node]).toBe(before);
          latest[node] = node;
          before = node;
        }
      }
    }),
    { numRuns: 20 },
  );
});

/** Type and bytes of the collectives of each group in order of issue, as one rank has them. */
function sequences(trace: RankTrace): Map<string, string[]> {
  const of = new Map<string, string[]>();
  trace.type.forEach((type, node) => {
    if (type !== NodeType.collective) return;
    const group = trace.groupNames[trace.group[node]];
    const sequence = of.get(group) ?? [];
    expect(trace.issueOrder.get(node)).toBe(sequence.length);
    sequence.push(`${trace.commType[node]} ${trace.commSize[node]}`);
    of.set(group, sequence);
  });
  return of;
}

test('all members of a group issue the same collectives in the same order, and nobody else does', () => {
  fc.assert(
    fc.property(drawn, (stated) => {
      const job = transformerJob(stated);
      const ranks = tracesOf(job).map(sequences);
      for (const [name, members] of job.groups) {
        expect(members.length).toBeGreaterThan(1);
        const expected = ranks[members[0]].get(name);
        expect(expected).toBeDefined();
        ranks.forEach((of, rank) => expect(of.get(name)).toEqual(members.includes(rank) ? expected : undefined));
      }
      for (const of of ranks) for (const name of of.keys()) expect(job.groups.has(name)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('validate finds nothing but notes, for ASTRA-sim and the feeder too, and a simulation comes to its end', () => {
  fc.assert(
    fc.property(drawn, (stated) => {
      const job = transformerJob(stated);
      const groups = Object.fromEntries([...job.groups].map(([name, ranks]) => [name, [...ranks]]));
      const read = Array.from({ length: job.rankCount }, (_, rank) => readBytes(rankBytes(job, rank), rank));
      for (const target of [undefined, 'astra-sim', 'feeder'] as const) {
        const found = validateRead(read, { groups, ...(target === undefined ? {} : { target }) });
        // These messages have a few bytes, fewer than a system configuration of ASTRA-sim may have chunks.
        const serious = found
          .filter(({ severity, code }) => severity !== 'note' && code !== 'ASTRA_GATHER_SMALL')
          .map(({ code }) => code);
        // ASTRA-sim needs two ranks.
        expect(serious).toEqual(target === 'astra-sim' && job.rankCount === 1 ? ['ASTRA_ALONE'] : []);
      }
      const { traces } = prepareAll(
        read.map(({ trace }) => trace),
        { expand: true, serialize: true, groups: groupsOf(groups) },
      );
      expect(replay(traces, { network: EXAMPLE_NETWORK }).status).toBe('finished');
    }),
    { numRuns: 40 },
  );
});

test('the same numbers give the same bytes, whichever ranks were written before', () => {
  fc.assert(
    fc.property(drawn, fc.nat(), (stated, pick) => {
      const all = transformerJob(stated);
      const rank = pick % all.rankCount;
      for (let other = all.rankCount - 1; other >= 0; other--) rankBytes(all, other);
      expect(Buffer.compare(rankBytes(all, rank), rankBytes(transformerJob(stated), rank))).toBe(0);
    }),
    { numRuns: 20 },
  );
});
