import fc from 'fast-check';
import { MemorySource } from '../../src/base/byte-source.js';
import { PrepError } from '../../src/base/errors.js';
import { Losses } from '../../src/base/losses.js';
import { writeJsonLines } from '../../src/formats/chakra-jsonl.js';
import type { RankTarget } from '../../src/formats/conversion.js';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { FEEDER_TARGET } from '../../src/formats/feeder-json/feeder-target.js';
import { JSONIZER_TARGET } from '../../src/formats/jsonizer/jsonizer-target.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { STAGE_TARGET } from '../../src/formats/stage/stage-target.js';
import { isCommunication, nodeTypeNumber } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { randomNode } from '../support/random-nodes.js';
import { buildEt, type Attributes, type NodeObject } from '../support/traces.js';

/*
 * A trace in another form and back says the same, but for what was reported as lost: what differs is among the losses.
 */

type Line = Record<string, unknown>;

const tensors = fc.constantFrom<Attributes[string]>(
  {},
  { string_list: ['a', '2.0', 'b', '3'] },
  { string_list: ['odd'] },
  { string_list: ['a', 'x'] },
  { int64_val: 1 },
);
const stageAttributes: fc.Arbitrary<Attributes> = fc.record(
  {
    inputs: tensors,
    outputs: tensors,
    op_type: fc.constantFrom<Attributes[string]>({ string_val: 'M' }, { int32_val: 1 }),
    y_tensor_size: fc.constantFrom<Attributes[string]>({ uint64_val: 5 }, { double_val: 2.5 }, { double_val: NaN }),
  },
  { requiredKeys: [] },
);
const node: fc.Arbitrary<NodeObject> = fc
  .tuple(randomNode, stageAttributes, fc.boolean())
  .map(([one, attr, both]) => (both ? { ...one, attr: { ...one.attr, ...attr } } : one));
const metadata = fc.record({
  version: fc.constantFrom('0.0.4', '1.0.0', ''),
  attr: fc.constantFrom<Attributes>(
    {},
    { schema: { string_val: 'symbolic_tensor_network' } },
    { pid: { uint64_val: 5 } },
  ),
});

function read(bytes: Uint8Array): RankTrace {
  return readTrace(new MemorySource(bytes, 'job.0'), { rank: 0, file: 'job.0' }).trace;
}

/** The trace of random nodes; `undefined` where a number of theirs is refused. */
function readable(bytes: Uint8Array): RankTrace | undefined {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof PrepError) return undefined;
    throw error;
  }
}

function linesOf(trace: RankTrace): Line[] {
  let text = '';
  writeJsonLines(trace, (part) => (text += part));
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const said = JSON.parse(line) as Line;
      delete said.frame;
      return said;
    });
}

function converted(trace: RankTrace, target: RankTarget): { bytes: Buffer; losses: Set<string> } {
  const losses = new Losses();
  const parts: Buffer[] = [];
  target.write(trace, (bytes) => parts.push(Buffer.from(bytes)), losses);
  return { bytes: Buffer.concat(parts), losses: new Set(losses.kinds.map(({ what }) => what)) };
}

/** What would have to be reported for these two lines of one node, or of the metadata, to differ as they do. */
function differences(before: Line, after: Line, target: RankTarget): string[] {
  const found: string[] = [];
  const names: Record<string, string> = {
    startTimeMicros: 'start times',
    durationMicros: 'durations',
    inputs: 'inputs of nodes',
    outputs: 'outputs of nodes',
    type: `the type ${typeof before.type === 'number' ? `NODE_TYPE_${before.type}` : String(before.type)}`,
  };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // The version of the schema says nothing about the nodes, and forms without metadata do not have it.
    if (key === 'version' && target !== JSONIZER_TARGET) continue;
    if (key === 'attr' || JSON.stringify(before[key]) === JSON.stringify(after[key])) continue;
    found.push(names[key] ?? `nothing allows another ${key}`);
  }
  const isMetadata = before.schema !== undefined;
  const left = attributesOf(before, target);
  const right = attributesOf(after, target);
  for (const [name, [kind, value]] of left) {
    const [newKind, newValue] = right.get(name) ?? [];
    right.delete(name);
    if (newKind === undefined) {
      if (isMetadata) found.push(`metadata attributes ${name}`);
      else found.push(name === 'comm_group' ? 'comm_group' : `attributes ${name || '""'}`);
    } else if (
      target !== JSONIZER_TARGET &&
      name === 'pg_name' &&
      (kind !== 'string' || value.startsWith('{"string":['))
    ) {
      // A name that is no text is not used: the group that is read is that of comm_group then.
      found.push('attributes pg_name', 'the name comm_group');
    } else if (newValue !== value) found.push(`nothing allows another value of ${name}`);
    else if (newKind !== kind) found.push(`the arm ${kind}_val of ${name}`);
  }
  for (const name of right.keys()) {
    const isSchema = isMetadata && name === 'schema' && target === STAGE_TARGET;
    if (!isSchema) found.push(name === 'pg_name' ? 'the name comm_group' : `nothing allows a new ${name}`);
  }
  return found;
}

/** Kind and value of each attribute; of `is_cpu_op` what it means, since forms with keys say that and nothing else. */
function attributesOf({ attr = [], type }: Line, target: RankTarget): Map<string, [kind: string, value: string]> {
  const isStage = target === STAGE_TARGET;
  const communication = isCommunication(typeof type === 'string' ? nodeTypeNumber(type)! : Number(type));
  const entries = (attr as Line[]).map(({ name, ...rest }): [string, [string, string]] => {
    const [kind = ''] = Object.keys(rest);
    const isInteger = /^u?int|^sint|fixed|^bool$/.test(kind) && !Array.isArray(rest[kind]);
    if (target === JSONIZER_TARGET || !isInteger) return [name as string, [kind, JSON.stringify(rest)]];
    const number = String(Number(rest[kind]) === 0 ? 0 : kind === 'bool' ? 1 : (rest[kind] as number | string));
    if (name === 'is_cpu_op') return [name, ['bool', number === '0' ? 'false' : 'true']];
    return [name as string, [kind, number]];
  });
  const attributes = new Map(entries);
  const isFalse = attributes.get('is_cpu_op')?.[1] === 'false';
  // Absent means false, and STAGE has it on communication alone.
  if (isStage && (isFalse || (communication && !attributes.has('is_cpu_op')))) attributes.delete('is_cpu_op');
  return attributes;
}

for (const target of [JSONIZER_TARGET, STAGE_TARGET, FEEDER_TARGET]) {
  test(`what differs in ${target.title} and back was reported`, () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), metadata, (nodes, about) => {
        const trace = readable(buildEt(nodes, about));
        fc.pre(trace !== undefined);
        const { bytes, losses } = converted(trace, target);
        // An empty list of nodes has no node that tells the form.
        fc.pre(nodes.length > 0 || target === FEEDER_TARGET);
        const before = linesOf(trace);
        const after = linesOf(read(bytes));
        expect(after.length).toBe(before.length);
        const needed = before.flatMap((line, place) => differences(line, after[place], target));
        for (const what of needed) {
          const known = what === 'comm_group' ? ['the name comm_group', 'attributes comm_group'] : [what];
          expect({ needed: what, reported: known.some((one) => losses.has(one)) || [...losses] }).toEqual({
            needed: what,
            reported: true,
          });
        }
      }),
      { numRuns: 200 },
    );
  });
}

test('what chakra_jsonizer prints comes back byte for byte where no loss is reported', () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 4 }), metadata, (nodes, about) => {
      const trace = readable(buildEt(nodes, about));
      fc.pre(trace !== undefined);
      const { bytes, losses } = converted(trace, JSONIZER_TARGET);
      fc.pre(losses.size === 0);
      fc.pre(nodes.length > 0);
      expect(Buffer.compare(encodeChakraEt(read(bytes)), encodeChakraEt(trace))).toBe(0);
    }),
    { numRuns: 200 },
  );
});
