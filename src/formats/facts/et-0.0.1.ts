import type { ByteSource } from '../../base/byte-source.js';
import { inputError } from '../../base/errors.js';
import { findCyclicComponents } from '../../trace/cycles.js';
import { countDependencies } from '../../trace/dependency-counts.js';
import { nodeTypeName } from '../../trace/node-type.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { FieldWalk, halves, readNumber, Wire } from '../et/wire.js';
import { addTo, duplicateIds, type Counts } from './counts.js';

/** Field numbers of a node of schema 0.0.1 (chakra-format section 3). */
const Field = {
  id: 1,
  type: 3,
  parent: 4,
  runtime: 7,
  operations: 12,
  commType: 13,
  involvedDimension: 14,
  commSize: 18,
};

/** Repeated fields; the others are counted in `fields_seen`. */
const REPEATED: ReadonlySet<number> = new Set([Field.parent, Field.involvedDimension]);

/** Node types of 0.0.1 in today's numbers: there was no METADATA_NODE. */
const toType = (number: number): number => (number === 0 ? 0 : number + 1);
const COLLECTIVES = ['INVALID', 'ALL_REDUCE', 'ALL_TO_ALL', 'ALL_GATHER', 'REDUCE_SCATTER'];

/** Facts of a trace of schema 0.0.1, by its own fields. */
export function et001Facts(source: ByteSource) {
  const builder = new RankTraceBuilder(0, source.name);
  const ids: number[] = [];
  const byType: Counts = {};
  const fields: Counts = {};
  const dimensions: Counts = {};
  const comm: Record<string, { count: number; bytes: number }> = {};
  let runtime = 0;
  let operations = 0;
  for (const message of frames(source)) {
    const values = new Map<number, number>();
    const parents: number[] = [];
    let involved = 0;
    const walk = new FieldWalk(message);
    while (walk.next()) {
      if (!REPEATED.has(walk.number)) addTo(fields, String(walk.number));
      if (walk.number === Field.parent) parents.push(...numbers(walk));
      else if (walk.number === Field.involvedDimension) involved += numbers(walk).length;
      else if (walk.wire !== Wire.delimited) values.set(walk.number, numbers(walk)[0]);
    }
    const id = values.get(Field.id) ?? 0;
    const type = toType(values.get(Field.type) ?? 0);
    ids.push(id);
    builder.addNode(id >>> 0, Math.floor(id / 2 ** 32), type, 0);
    for (const parent of parents) builder.data.addId(parent >>> 0, Math.floor(parent / 2 ** 32));
    addTo(byType, nodeTypeName(type));
    runtime += values.get(Field.runtime) ?? 0;
    operations += values.get(Field.operations) ?? 0;
    if (involved > 0) addTo(dimensions, String(involved));
    const collective = values.get(Field.commType);
    if (collective !== undefined) {
      const facts = (comm[COLLECTIVES[collective] ?? `CollectiveType${collective}`] ??= { count: 0, bytes: 0 });
      facts.count++;
      facts.bytes += values.get(Field.commSize) ?? 0;
    }
  }
  const trace = builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
  const { count, member } = findCyclicComponents(trace, 'data');
  const { data } = countDependencies(trace);
  return {
    format: 'et-0.0.1',
    uncompressed_bytes: source.length,
    frames: ids.length,
    nodes: ids.length,
    duplicate_id_count: duplicateIds(ids),
    id_min: ids.reduce((least, id) => Math.min(least, id), Infinity),
    id_max: ids.reduce((most, id) => Math.max(most, id), -Infinity),
    by_type: byType,
    parents: data.total,
    dangling_parents: data.dangling,
    comm,
    simulated_run_time_total: runtime,
    num_ops_total: operations,
    involved_dim_lengths: dimensions,
    fields_seen: fields,
    cycles: { sccs: count, nodes: member.length },
  };
}

/** The number of a field, or those of a packed list. */
function numbers(field: FieldWalk): number[] {
  const found: number[] = [];
  const packed = field.wire === Wire.delimited;
  for (let at = field.start; at < field.end;) {
    at = readNumber(field.bytes, at, packed ? Wire.varint : field.wire);
    found.push((halves[1] >>> 0) * 0x100000000 + (halves[0] >>> 0));
  }
  return found;
}

function* frames(source: ByteSource): Generator<Uint8Array> {
  for (let offset = 0; offset < source.length;) {
    const prefix = readNumber(source.read(offset, Math.min(5, source.length - offset)), 0, Wire.varint);
    const length = halves[0];
    if (offset + prefix + length > source.length) {
      throw inputError(
        'FRAME_TRUNCATED',
        `${source.name}: frame at byte ${offset}: announces ${length} bytes, fewer are left`,
      );
    }
    yield source.read(offset + prefix, length);
    offset += prefix + length;
  }
}
