import fc from 'fast-check';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { repairRank } from '../../src/passes/repair/repair.js';
import { replay } from '../../src/replay/replay.js';
import { decodeFrames } from '../support/et-frames.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { randomNode } from '../support/random-nodes.js';
import { buildEt, readBytes, type Attributes, type NodeObject } from '../support/traces.js';
import { job } from './random-traceset.js';

type Frame = Record<string, unknown>;
type Attribute = { name: string } & Record<string, unknown>;

/** The reader refuses a step above 2^31 − 1. */
const rank = fc.array(
  randomNode.map(({ attr, ...node }) => ({ ...node, attr: without(attr, 'collective_step') })),
  { maxLength: 12 },
);
const DEVICE: Attributes = { is_cpu_op: { bool_val: false } };

/** Bytes of a rank after repair, and what was changed. */
function repair(bytes: Uint8Array) {
  const { trace, changes, left } = repairRank(readBytes(bytes).trace);
  return { bytes: encodeChakraEt(trace), changes, left };
}

const idOf = ({ id }: Frame): string => (id as string | undefined) ?? '0';
const listOf = (frame: Frame, list: string): string[] => (frame[list] as string[] | undefined) ?? [];
const attributesOf = ({ attr }: Frame): Attribute[] => (attr as Attribute[] | undefined) ?? [];

/** Arms of chakra-format section 21. */
const USUAL: Record<string, string> = {
  is_cpu_op: 'bool_val',
  comm_type: 'int64_val',
  comm_size: 'int64_val',
  comm_src: 'int32_val',
  comm_dst: 'int32_val',
  comm_tag: 'int32_val',
  num_ops: 'int64_val',
  tensor_size: 'uint64_val',
};

/** Arm and value of an attribute, `undefined` where it has none or one that is no integer. */
function integerOf(attribute: Attribute): { arm: string; value: bigint } | undefined {
  const [arm] = Object.keys(attribute).filter((key) => key !== 'name');
  const value = attribute[arm];
  if (arm === undefined || !/^(s?u?int|s?fixed)(32|64)_val$|^bool_val$/.test(arm)) return undefined;
  return { arm, value: BigInt(value as string | number | boolean) };
}

function fits(arm: string, value: bigint, isSize: boolean): boolean {
  if (arm === 'int32_val') return BigInt.asIntN(32, value) === value;
  return value >= 0n || (arm === 'int64_val' && !isSize);
}

/** Whether the dependencies can be followed back from every node to an end. */
function isAcyclic(frames: readonly Frame[]): boolean {
  const done = new Set<string>();
  for (let before = -1; before !== done.size;) {
    before = done.size;
    for (const frame of frames) {
      if ([...listOf(frame, 'data_deps'), ...listOf(frame, 'ctrl_deps')].every((id) => done.has(id))) {
        done.add(idOf(frame));
      }
    }
  }
  return done.size === frames.length;
}

test('law: after a repair none of the repaired faults is left, as protobufjs reads the file', () => {
  fc.assert(
    fc.property(rank, (drawn) => {
      const { nodes } = decodeFrames(repair(buildEt(drawn)).bytes);
      const ids = nodes.map(idOf);
      const unique = new Set(ids).size === ids.length;
      for (const node of nodes) {
        for (const list of [listOf(node, 'data_deps'), listOf(node, 'ctrl_deps')]) {
          for (const id of list) expect(ids).toContain(id);
          expect(new Set(list).size).toBe(list.length);
          if (unique) expect(list).not.toContain(idOf(node));
        }
        const side = attributesOf(node).find(({ name }) => name === 'is_cpu_op')!;
        expect(side).toBeDefined();
        expect(Object.keys(side)).toHaveLength(2);
        for (const attribute of attributesOf(node)) {
          const usual = USUAL[attribute.name];
          const integer = integerOf(attribute);
          if (usual === undefined || integer === undefined || integer.arm === usual) continue;
          if (attribute.name !== 'is_cpu_op') {
            // A bool is no size; a number beyond the usual arm stays what it is.
            expect(integer.arm === 'bool_val' || !fits(usual, integer.value, attribute.name === 'comm_size')).toBe(
              true,
            );
          } else throw new Error(`is_cpu_op is left in ${integer.arm}`);
        }
      }
      if (!unique || !isAcyclic(nodes)) return;
      const written = new Set<string>();
      for (const node of nodes) {
        for (const id of [...listOf(node, 'data_deps'), ...listOf(node, 'ctrl_deps')]) expect(written).toContain(id);
        written.add(idOf(node));
      }
    }),
    { numRuns: 300 },
  );
});

test('law: repairing what is repaired changes nothing and gives the same bytes', () => {
  fc.assert(
    fc.property(rank, (drawn) => {
      const once = repair(buildEt(drawn));
      const twice = repair(once.bytes);
      expect(twice.changes).toEqual([]);
      expect(twice.left).toEqual(once.left);
      expect(Buffer.from(twice.bytes).equals(once.bytes)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

/**
 * Attributes of our own that are completed or written in our arm wherever a node is written anew: an instance without
 * its collective, a flag that is a number, bytes to each rank in a list of another kind.
 */
const OWN = ['collective_instance', 'is_added_synchronization_flow', 'send_split_bytes'];

function without(attributes: Attributes = {}, ...names: string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

/** A node without what repairs may change, and without what proto3 leaves out. */
function unchangeable(frame: Frame): Frame {
  const { data_deps: data, ctrl_deps: control, attr, ...fields } = frame;
  void [data, control, attr];
  const given = Object.entries(fields).filter(([, value]) => value !== '0' && value !== 0 && value !== '');
  const rest = attributesOf(frame).filter(({ name }) => USUAL[name] === undefined && name !== 'pg_name');
  return { ...Object.fromEntries(given), attr: rest };
}

test('law: a repair keeps every node, field and attribute that it does not name', () => {
  fc.assert(
    fc.property(rank, (drawn) => {
      const nodes = drawn.map(({ attr, ...node }) => ({ ...node, attr: without(attr, ...OWN) }));
      const before = decodeFrames(buildEt(nodes)).nodes.map((node) => JSON.stringify(unchangeable(node)));
      const after = decodeFrames(repair(buildEt(nodes)).bytes).nodes.map((node) => JSON.stringify(unchangeable(node)));
      expect(after.sort()).toEqual(before.sort());
    }),
    { numRuns: 300 },
  );
});

const sided = (nodes: readonly NodeObject[]): NodeObject[] =>
  nodes.map((node) => ({ ...node, attr: { ...DEVICE, ...node.attr } }));

test('law: a sound rank in the usual form is written back byte for byte', () => {
  fc.assert(
    fc.property(job, ({ nodes }) => {
      for (const list of nodes) {
        const bytes = buildEt(sided([...list].sort((a, b) => Number(a.id) - Number(b.id))));
        const again = repair(bytes);
        expect(again.changes).toEqual([]);
        expect(Buffer.from(again.bytes).equals(bytes)).toBe(true);
      }
    }),
  );
});

test('law: and so is one that was prepared', () => {
  fc.assert(
    fc.property(job, fc.boolean(), ({ nodes, groups }, annotate) => {
      const ranks = nodes.map((list) => sided([...list].sort((a, b) => Number(a.id) - Number(b.id))));
      const traces = ranks.map((list, at) => readBytes(buildEt(list), at).trace);
      const all = { expand: true, serialize: true, sync: true, annotate, groups: groupsOf(groups) };
      for (const prepared of prepareAll(traces, all).traces) {
        const bytes = encodeChakraEt(prepared);
        const { trace, changes } = repairRank(readBytes(bytes, prepared.rank).trace);
        expect(changes.filter(({ repair: kind }) => kind !== 'parents-first')).toEqual([]);
        if (changes.length === 0) expect(Buffer.from(encodeChakraEt(trace)).equals(bytes)).toBe(true);
      }
    }),
  );
});

/** Faults that hold nothing back: repeated dependencies, missing control parents, odd arms, children first. */
function faulty(nodes: readonly NodeObject[], turn: number): NodeObject[] {
  const broken = nodes.map((node, at) => {
    const { comm_size: size, ...others } = node.attr ?? {};
    const data = node.data_deps ?? [];
    return {
      ...node,
      data_deps: (at + turn) % 2 === 0 ? [...data, ...data] : data,
      ctrl_deps: (at + turn) % 3 === 0 ? [...(node.ctrl_deps ?? []), 999_999] : (node.ctrl_deps ?? []),
      attr: size === undefined ? others : { ...others, comm_size: { uint64_val: size.int64_val } },
    };
  });
  return broken.map((_, at) => broken[(at * 7 + turn) % broken.length]);
}

test('law: a traceset whose faults hold nothing back is replayed in the same times before and after', () => {
  const network = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 700, bytesPerNs: 3 });
  fc.assert(
    fc.property(job, fc.nat(20), ({ nodes, groups }, turn) => {
      // A row of a multiple of seven nodes would not be turned but thinned out.
      const ranks = nodes.map((list) => (list.length % 7 === 0 ? [...list].reverse() : faulty(list, turn)));
      const broken = ranks.map((list, at) => readBytes(buildEt(list), at).trace);
      const repaired = broken.map((trace) => readBytes(encodeChakraEt(repairRank(trace).trace), trace.rank).trace);
      const [before, after] = [broken, repaired].map((traces) => {
        const {
          ranks: totals,
          collectives,
          transfers,
          endPs,
          status,
        } = replay(prepareAll(traces, { expand: true, sync: true, serialize: true, groups: groupsOf(groups) }).traces, {
          network,
        });
        return { totals, collectives, transfers, endPs, status };
      });
      expect(before.status).toBe('finished');
      expect(after).toEqual(before);
    }),
  );
});
