import fc from 'fast-check';
import type { Attributes, NodeObject } from './traces.js';

const names = [
  ...['comm_type', 'comm_size', 'comm_tag', 'comm_src', 'comm_dst', 'is_cpu_op', 'pg_name', 'comm_group', 'root'],
  ...['root_rank', 'issue_order', 'collective_instance', 'collective_size', 'collective_step', 'num_ops'],
  ...['collective_algorithm', 'is_added_synchronization_flow', 'send_split_bytes', 'tensor_size', 'partner'],
  ...['dependents', 'stream', 'comm_sizes', 'Comm_size', 'pg_namf', '', 'x'],
];
const whole = fc.oneof(fc.integer({ min: -3, max: 300 }), fc.maxSafeInteger(), fc.integer());
const within = (min: number, max: number) => whole.filter((value) => value >= min && value <= max);
const arms: Record<string, fc.Arbitrary<unknown>> = {};
for (const width of [32, 64]) {
  const half = width === 32 ? 2 ** 31 : Number.MAX_SAFE_INTEGER;
  for (const signed of ['int', 'sint', 'sfixed']) arms[`${signed}${width}`] = within(-half, half - 1);
  for (const unsigned of ['uint', 'fixed']) arms[`${unsigned}${width}`] = within(0, width === 32 ? 2 ** 32 - 1 : half);
}
Object.assign(arms, { bool: fc.boolean(), double: fc.double(), float: fc.float(), bytes: fc.uint8Array() });
arms.string = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '0', 'ring', 'tensor_parallel_group_0'));
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.keys(arms)).chain((arm) => record(`${arm}_val`, arms[arm])) },
  fc.constantFrom(...Object.keys(arms)).chain((arm) => record(`${arm}_list`, fc.array(arms[arm], { maxLength: 4 }))),
  fc.constant({}),
);
/** Attributes of known and unknown names in any arm, at most `most`. */
export const randomAttributes = (most: number): fc.Arbitrary<Attributes> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: most });
const id = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
const io = fc.record({ values: fc.string(), shapes: fc.string() }, { requiredKeys: [] });
/** A node with any fields, attributes of known and unknown names in any arm, and numbers that can be read exactly. */
export const randomNode: fc.Arbitrary<NodeObject> = fc.record(
  {
    id,
    name: fc.string({ maxLength: 200 }),
    type: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constantFrom(127, 128, 254, 255, 2 ** 31 - 1, -1)),
    ctrl_deps: fc.array(id, { maxLength: 3 }),
    data_deps: fc.array(id, { maxLength: 3 }),
    start_time_micros: fc.integer({ min: 0, max: 3 }),
    duration_micros: fc.maxSafeNat(),
    inputs: io,
    outputs: io,
    attr: randomAttributes(12),
  },
  { requiredKeys: [] },
);

function record(arm: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, never>> {
  return content.map((inner) => ({ [arm]: inner }) as Record<string, never>);
}
