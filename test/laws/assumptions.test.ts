import fc from 'fast-check';
import type { Finding } from '../../src/base/finding.js';
import { prepareTraceset } from '../../src/pipeline/prepare-traceset.js';
import { validateTraceset } from '../../src/pipeline/validate-traceset.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { filesBelow, newFolder } from '../support/folders.js';
import { unlessRefused } from '../support/refusals.js';
import { simulateFolder, writeJob } from '../support/simulations.js';
import type { Attributes, NodeObject } from '../support/traces.js';
import { job, type Job } from './random-traceset.js';

/** A job written in other conventions and read with them is the job written in the usual ones. */

const { allGather, gather, scatter, allToAll, reduceScatter, reduceScatterBlock } = CollectiveType;

/** A convention, and how a node in the usual one is written in it. */
interface Writing {
  readonly assume: string;
  write(node: NodeObject, members: readonly number[]): NodeObject;
}

type NumberOf = { int64_val?: number; int32_val?: number };

const numberOf = ({ attr }: NodeObject, name: string): number | undefined => {
  const value = attr?.[name] as NumberOf | undefined;
  return value?.int64_val ?? value?.int32_val;
};

function withNumber(node: NodeObject, name: string, value: number): NodeObject {
  const [arm] = Object.keys(node.attr![name]);
  return { ...node, attr: { ...node.attr, [name]: { [arm]: value } } };
}

function sizesOf(assume: string, types: readonly number[], change: (size: number, ranks: number) => number): Writing {
  return {
    assume,
    write: (node, members) => {
      const size = numberOf(node, 'comm_size');
      const type = numberOf(node, 'comm_type');
      if (node.type !== 'COMM_COLL_NODE' || size === undefined || !types.includes(type!)) return node;
      return withNumber(node, 'comm_size', change(size, members.length));
    },
  };
}

function positionOf(assume: string, names: readonly string[]): Writing {
  return {
    assume,
    write: (node, members) =>
      names.reduce((before, name) => {
        const rank = numberOf(before, name);
        if (rank === undefined || (name !== 'root' && before.attr!.pg_name === undefined)) return before;
        return withNumber(before, name, members.indexOf(rank));
      }, node),
  };
}

function durations(assume: string, factor: number): Writing {
  return {
    assume,
    write: (node) =>
      node.duration_micros === undefined ? node : { ...node, duration_micros: Number(node.duration_micros) * factor },
  };
}

/** Elements last: every other convention is about bytes. */
const elements: Writing = {
  assume: 'element-bytes=4',
  write: (node) => {
    const size = numberOf(node, 'comm_size');
    return size === undefined ? node : withNumber(node, 'comm_size', size / 4);
  },
};

const WRITINGS: readonly Writing[] = [
  sizesOf('allgather-size=total', [allGather], (size, ranks) => size * ranks),
  sizesOf('gather-size=total', [gather], (size, ranks) => size * ranks),
  sizesOf('reducescatter-size=shard', [reduceScatter, reduceScatterBlock], (size, ranks) => size / ranks),
  sizesOf('scatter-size=shard', [scatter], (size, ranks) => size / ranks),
  sizesOf('alltoall-size=pair', [allToAll], (size, ranks) => size / ranks),
  positionOf('root=position', ['root']),
  positionOf('peer=position', ['comm_src', 'comm_dst']),
  durations('duration-unit=ns', 1000),
  durations('duration-unit=250ps', 4000),
  elements,
];

/** Sizes that every group of up to five, and elements of four bytes, divide: 5! · 4 times what was drawn. */
function divisible(nodes: readonly NodeObject[], groups: Job['groups']): NodeObject[] {
  return nodes.map((node) => {
    if (node.attr === undefined) return node;
    const size = numberOf(node, 'comm_size');
    const sized = size === undefined ? node : withNumber(node, 'comm_size', size * 480);
    const attr: Attributes = { is_cpu_op: { bool_val: false }, ...sized.attr };
    // A peer outside the group it names has no position there.
    const peer = numberOf(node, 'comm_dst');
    const name = (attr.pg_name as { string_val: string } | undefined)?.string_val;
    if (peer !== undefined && name !== undefined && !groups[name].includes(peer)) delete attr.pg_name;
    return { ...sized, attr };
  });
}

function written(nodes: readonly NodeObject[], groups: Job['groups'], writings: readonly Writing[]): NodeObject[] {
  return nodes.map((node) => {
    const name = (node.attr?.pg_name as { string_val: string } | undefined)?.string_val ?? 'world';
    return writings.reduce((before, { write }) => write(before, groups[name]), node);
  });
}

const chosen: fc.Arbitrary<Writing[]> = fc
  .subarray([...WRITINGS], { minLength: 1 })
  // Two units of one thing cannot both hold.
  .map((some) =>
    some.filter(({ assume }) => !assume.endsWith('250ps') || !some.some((one) => one.assume.endsWith('=ns'))),
  );

const own = ({ code }: Finding): boolean => code.startsWith('ASSUMPTION_');
/** Findings without those of `--assume`, and without the folder they are about. */
const others = (findings: readonly Finding[]): unknown[] =>
  findings.filter((one) => !own(one)).map(({ code, rank, nodes, count, group }) => [code, rank, nodes, count, group]);

/** Files below a folder, traces without their metadata: the frame that names what was assumed. */
function nodesBelow(folder: string): Record<string, string> {
  const files = Object.entries(filesBelow(folder)).map(([path, bytes]) => {
    if (!path.endsWith('.et')) return [path, bytes.toString('latin1')];
    let at = 0;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      length |= (bytes[at] & 127) << shift;
      if (bytes[at++] < 128) break;
    }
    return [path, bytes.toString('latin1', at + length)];
  });
  return Object.fromEntries(files) as Record<string, string>;
}

test('law: traces in another convention with --assume are the traces in the usual one, in every command', async () => {
  await fc.assert(
    fc.asyncProperty(job, chosen, async (drawn, writings) => {
      const standard = drawn.nodes.map((nodes) => divisible(nodes, drawn.groups));
      const other = standard.map((nodes) => written(nodes, drawn.groups, writings));
      const usual = writeJob(standard, drawn.groups);
      const unusual = writeJob(other, drawn.groups);
      const assume = writings.map((writing) => writing.assume);
      const reading = { deps: 'both' as const };

      const validated = await validateTraceset({ inputs: [usual], algorithms: {}, ...reading });
      const assumed = await validateTraceset({ inputs: [unusual], algorithms: {}, ...reading, assume });
      expect(others(assumed.findings)).toEqual(others(validated.findings));
      expect(assumed.observations).toEqual(validated.observations);

      for (const steps of [{}, { scale: 0.5 }, { expand: true }, { validate: true, expand: true, sync: true }]) {
        const [one, two] = [newFolder(), newFolder()];
        const format = 'et' as const;
        const first = await unlessRefused(
          prepareTraceset({ inputs: [usual], ...reading, steps, output: { folder: one, format } }),
        );
        const second = await unlessRefused(
          prepareTraceset({ inputs: [unusual], ...reading, assume, steps, output: { folder: two, format } }),
        );
        if (typeof first === 'string') expect(second).toBe(first);
        else {
          expect(nodesBelow(two)).toEqual(nodesBelow(one));
          // What was written has them applied: the same words change nothing again.
          const again = newFolder();
          const output = { folder: again, format };
          await prepareTraceset({ inputs: [two], ...reading, assume, steps: {}, output });
          expect(nodesBelow(again)).toEqual(nodesBelow(two));
        }
      }

      for (const keepTransfers of [false, true]) {
        const request = { network: 'alpha-beta:latency=700ns,bandwidth=3GB/s', keepTransfers };
        const first = await unlessRefused(simulateFolder(usual, request));
        const second = await unlessRefused(simulateFolder(unusual, { ...request, assume }));
        if (typeof first === 'string' || typeof second === 'string') expect(second).toBe(first);
        else expect({ ...second.document, findings: [] }).toEqual({ ...first.document, findings: [] });
      }
    }),
    { numRuns: 30 },
  );
});

test('law: every convention is used by the law above', () => {
  const names = new Set(WRITINGS.map(({ assume }) => assume.split('=')[0]));
  expect([...names].sort()).toEqual(
    [
      ...['allgather-size', 'alltoall-size', 'duration-unit', 'element-bytes', 'gather-size', 'peer'],
      ...['reducescatter-size', 'root', 'scatter-size'],
    ].sort(),
  );
});
