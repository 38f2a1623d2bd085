import { Arm } from '../../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../../formats/et/et-writer.js';
import { newMetadata } from '../../formats/et/metadata.js';
import { OwnAttribute } from '../../trace/attribute-names.js';
import { NodeType } from '../../trace/node-type.js';
import { wholeMicros } from '../whole-micros.js';
import { SCOPE_NAMES, type TransformerLayout } from './layout.js';
import type { StageProgram } from './stage-program.js';

const CPU = attributeHead('is_cpu_op', Arm.bool);
const OPERATIONS = attributeHead('num_ops', Arm.int64);
const TENSOR = attributeHead('tensor_size', Arm.uint64);
const DURATION_NS = attributeHead('duration_ns', Arm.int64);
const COMM_TYPE = attributeHead('comm_type', Arm.int64);
const COMM_SIZE = attributeHead('comm_size', Arm.int64);
const GROUP = attributeHead('pg_name', Arm.string);
const ISSUE_ORDER = attributeHead(OwnAttribute.issueOrder, Arm.int64);
const SOURCE = attributeHead('comm_src', Arm.int32);
const DESTINATION = attributeHead('comm_dst', Arm.int32);
const TAG = attributeHead('comm_tag', Arm.int32);

/** Bytes of the longest name: steps, micro-batches and layers are numbers of up to 16 digits. */
const NAME_BYTES = 256;

/** Writes the metadata and the nodes of one rank. @param timed whether computes have durations */
export function writeRank(
  program: StageProgram,
  layout: TransformerLayout,
  rank: number,
  timed: boolean,
  out: EtWriter,
): void {
  const names = SCOPE_NAMES.map((_, scope) => layout.groupName(scope, rank));
  out.metadata(newMetadata({ rank, worldSize: layout.ranks, ...groupsOf(layout, names) }));
  const groups = names.map((name) => Buffer.from(name));
  const { type, parents, parentStart, beginnings, endings, costs, bytes } = program;
  const micros = costs.map(({ ns }) => wholeMicros(ns));
  const name = new Uint8Array(NAME_BYTES);
  for (let id = 0; id < program.nodes; id++) {
    const beginning = beginnings[program.beginning[id]];
    const ending = endings[program.ending[id]];
    name.set(beginning);
    name.set(ending, beginning.length);
    out.begin(id, name.subarray(0, beginning.length + ending.length), type[id]);
    out.data(parents, parentStart[id], parentStart[id + 1]);
    if (type[id] === NodeType.compute) {
      const cost = program.cost[id];
      out.durationMicros(micros[cost]);
      out.integer(CPU, 0);
      out.integer(OPERATIONS, costs[cost].operations);
      out.integer(TENSOR, costs[cost].bytes);
      if (timed) out.integer(DURATION_NS, costs[cost].ns);
    } else if (type[id] === NodeType.collective) {
      out.integer(CPU, 0);
      out.integer(COMM_TYPE, program.commType[id]);
      out.integer(COMM_SIZE, bytes[id]);
      out.text(GROUP, groups[program.scope[id]]);
      out.integer(ISSUE_ORDER, program.issueOrder[id]);
    } else {
      out.integer(CPU, 0);
      out.integer(COMM_SIZE, bytes[id]);
      out.integer(type[id] === NodeType.send ? DESTINATION : SOURCE, layout.inStage(rank, program.peerStage[id]));
      out.integer(TAG, program.tag[id]);
    }
    out.end();
  }
}

function groupsOf({ groups }: TransformerLayout, names: readonly string[]): { groups?: Record<string, number[]> } {
  const own = names.filter((name) => name !== '').map((name): [string, number[]] => [name, [...groups.get(name)!]]);
  return own.length === 0 ? {} : { groups: Object.fromEntries(own) };
}
