import fc from 'fast-check';
import type { ConversionOptions } from '../../src/formats/conversion.js';
import { isTransformer, WORKLOAD_MODES, LAYER_MODES } from '../../src/formats/text-workload/text-workload.js';
import { replay } from '../../src/replay/replay.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { EXAMPLE_NETWORK } from '../support/jobs.js';
import { rankBytes, tracesOf } from '../support/made-jobs.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { workloadJob } from '../support/text-workloads.js';
import { readBytes } from '../support/traces.js';
import { validateRead } from '../support/validation.js';

interface Drawn {
  readonly lines: string[];
  readonly options: ConversionOptions;
}

const TYPES = ['NONE', 'NONE', 'ALLREDUCE', 'ALLGATHER', 'REDUCESCATTER', 'ALLTOALL'];
const SUFFIXES = ['', '', '_EP', '_DP_EP'];

/** A phase of a layer: numbers below, types and suffixes by number. */
const phase = fc.tuple(
  fc.nat(20),
  fc.nat(TYPES.length - 1),
  fc.nat(SUFFIXES.length - 1),
  fc.integer({ min: 1, max: 5000 }),
);

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    mode: fc.constantFrom(...WORKLOAD_MODES),
    layers: fc.array(fc.tuple(fc.tuple(phase, phase, phase), fc.nat(LAYER_MODES.length - 1)), {
      minLength: 2,
      maxLength: 5,
    }),
    model: fc.integer({ min: 1, max: 3 }),
    experts: fc.integer({ min: 1, max: 2 }),
    data: fc.integer({ min: 1, max: 2 }), // × experts
    stages: fc.integer({ min: 1, max: 3 }),
    microBatches: fc.integer({ min: 1, max: 4 }),
    passes: fc.integer({ min: 1, max: 3 }),
    checkpoint: fc.nat(1),
    sameNames: fc.boolean(),
  })
  .map(({ mode, layers, model, experts, data, stages, microBatches, passes, checkpoint, sameNames }) => {
    const transformer = isTransformer(mode);
    const collective = (type: number, suffix: number): string =>
      TYPES[type] + (transformer && TYPES[type] !== 'NONE' ? SUFFIXES[suffix] : '');
    const lines = layers.map(([phases, own], place) => {
      const columns = phases.map(([time, type, suffix, bytes]) => {
        const name = collective(type, suffix);
        return `${time} ${name} ${name === 'NONE' ? 0 : bytes}`;
      });
      const name = sameNames ? 'layer' : `layer${place}`;
      return `${name} -1 ${columns.join(' ')} 0${mode === 'HYBRID_CUSTOMIZED' ? ` ${LAYER_MODES[own]}` : ''}`;
    });
    const again =
      mode === 'HYBRID_TRANSFORMER_FWD_IN_BCKWD'
        ? ` checkpoints: 1 ${checkpoint} checkpoint_initiates: 1 ${layers.length - 1}`
        : '';
    const header = transformer
      ? `${mode} model_parallel_NPU_group: ${model} ep: ${experts} pp: ${stages} ga: ${microBatches} pp_comm 64${again}`
      : mode.startsWith('HYBRID_DLRM')
        ? `${mode} ${layers.length - 2}`
        : mode;
    const ranks = model * data * experts * (transformer ? stages : 1);
    return { lines: [header, String(lines.length), ...lines], options: { ranks, passes, modelParallel: model } };
  });

test('every expansion has ascending ids, parents first', () => {
  fc.assert(
    fc.property(drawn, ({ lines, options }) => {
      for (const { dataStart, dataTarget, idLow, type } of tracesOf(workloadJob(lines, options))) {
        const late: number[] = []; // nodes with another id than their place, or a parent that is not before them
        for (let node = 0; node < type.length; node++) {
          if (idLow[node] !== node) late.push(node);
          const parents = dataTarget.subarray(dataStart[node], dataStart[node + 1]);
          if (parents.some((parent) => parent < 0 || parent >= node)) late.push(node);
        }
        expect(late).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

/** Type and bytes of the collectives of each group in order of issue, as one rank has them. */
function sequences(trace: RankTrace): Map<string, string[]> {
  const of = new Map<string, string[]>();
  trace.type.forEach((type, node) => {
    if (type !== NodeType.collective) return;
    const group = trace.groupNames[trace.group[node]] ?? 'world';
    const sequence = of.get(group) ?? [];
    expect(trace.issueOrder.get(node)).toBe(sequence.length);
    sequence.push(`${trace.commType[node]} ${trace.commSize[node]}`);
    of.set(group, sequence);
  });
  return of;
}

test('all members of a group issue the same collectives in the same order, and nobody else does', () => {
  fc.assert(
    fc.property(drawn, ({ lines, options }) => {
      const job = workloadJob(lines, options);
      const ranks = tracesOf(job).map(sequences);
      const everybody = Array.from({ length: job.rankCount }, (_, rank) => rank);
      for (const [name, members] of [['world', everybody] as const, ...job.groups]) {
        const expected = ranks[members[0]].get(name);
        ranks.forEach((of, rank) => expect(of.get(name)).toEqual(members.includes(rank) ? expected : undefined));
      }
    }),
    { numRuns: 40 },
  );
});

test('validate finds nothing but notes, and a simulation comes to its end', () => {
  fc.assert(
    fc.property(drawn, ({ lines, options }) => {
      const job = workloadJob(lines, options);
      const groups = Object.fromEntries([...job.groups].map(([name, ranks]) => [name, [...ranks]]));
      const read = Array.from({ length: job.rankCount }, (_, rank) => readBytes(rankBytes(job, rank), rank));
      const found = validateRead(read, { groups }).filter(({ severity }) => severity !== 'note');
      // Nothing but NONE is an empty trace; in MICRO of one rank it is all there is.
      expect(found.filter(({ code }) => code !== 'NO_NODES')).toEqual([]);
      const declared = groupsOf(groups);
      const { traces } = prepareAll(
        read.map(({ trace }) => trace),
        { expand: true, serialize: true, groups: declared },
      );
      const outcome = replay(traces, { network: EXAMPLE_NETWORK });
      expect(outcome.status).toBe('finished');
    }),
    { numRuns: 25 },
  );
});

test('HYBRID_TRANSFORMER runs every collective of every line: forward and input-gradient once a micro-batch, weights once a pass', () => {
  fc.assert(
    fc.property(drawn, ({ lines, options }) => {
      const [header] = lines;
      if (!header.startsWith('HYBRID_TRANSFORMER ')) return;
      const job = workloadJob(lines, options);
      const listed = job.findings.some(({ code }) => code === 'WORKLOAD_MICRO_BATCHES_LISTED');
      const microBatches = listed ? 1 : Number(/ga: (\d+)/.exec(header)![1]);
      const expected: Record<string, number> = {};
      for (const line of lines.slice(2)) {
        const words = line.split(' ');
        for (const [column, times] of [
          [3, microBatches],
          [6, microBatches],
          [9, 1],
        ]) {
          if (words[column] === 'NONE') continue;
          const name = words[column].replace(/_.*/, '');
          expected[name] = (expected[name] ?? 0) + times * options.passes!;
        }
      }
      const names: Record<number, string> = {
        [CollectiveType.allReduce]: 'ALLREDUCE',
        [CollectiveType.allGather]: 'ALLGATHER',
        [CollectiveType.reduceScatter]: 'REDUCESCATTER',
        [CollectiveType.allToAll]: 'ALLTOALL',
      };
      for (const { type, commType } of tracesOf(job)) {
        const counted: Record<string, number> = {};
        type.forEach((of, node) => {
          if (of !== NodeType.collective) return;
          const name = names[commType[node]];
          counted[name] = (counted[name] ?? 0) + 1;
        });
        expect(counted).toEqual(expected);
      }
    }),
    { numRuns: 150 },
  );
});
