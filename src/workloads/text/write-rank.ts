import { Arm } from '../../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../../formats/et/et-writer.js';
import { newMetadata } from '../../formats/et/metadata.js';
import { OwnAttribute } from '../../trace/attribute-names.js';
import { NodeType } from '../../trace/node-type.js';
import type { RankLayout } from './rank-layout.js';
import { SCOPES, type RankProgram } from './rank-program.js';

const CPU = attributeHead('is_cpu_op', Arm.bool);
const DURATION_NS = attributeHead('duration_ns', Arm.int64);
const COMM_TYPE = attributeHead('comm_type', Arm.int64);
const COMM_SIZE = attributeHead('comm_size', Arm.int64);
const GROUP = attributeHead('pg_name', Arm.string);
const ISSUE_ORDER = attributeHead(OwnAttribute.issueOrder, Arm.int64);
const SOURCE = attributeHead('comm_src', Arm.int32);
const DESTINATION = attributeHead('comm_dst', Arm.int32);
const TAG = attributeHead('comm_tag', Arm.int32);

/** Writes the metadata and the nodes of one rank. @param nanoseconds whether times of the program are ns and not µs */
export function writeRank(
  program: RankProgram,
  layout: RankLayout,
  rank: number,
  nanoseconds: boolean,
  out: EtWriter,
): void {
  const names = Array.from({ length: SCOPES }, (_, scope) => layout.groupName(scope, rank));
  out.metadata(newMetadata({ rank, worldSize: layout.ranks, ...groupsOf(layout, names) }));
  const groups = names.map((name) => Buffer.from(name));
  const { model, data } = layout.dimensions;
  const ranksOfStage = model * data;
  const { type, time, bytes, parents, parentStart } = program;
  for (let id = 0; id < program.nodes; id++) {
    out.begin(id, program.names[id], type[id]);
    out.data(parents, parentStart[id], parentStart[id + 1]);
    if (type[id] === NodeType.compute) {
      out.durationMicros(nanoseconds ? wholeMicros(time[id]) : time[id]);
      out.integer(CPU, 0);
      if (nanoseconds) out.integer(DURATION_NS, time[id]);
    } else if (type[id] === NodeType.collective) {
      out.integer(CPU, 0);
      out.integer(COMM_TYPE, program.commType[id]);
      out.integer(COMM_SIZE, bytes[id]);
      const group = groups[program.scope[id]];
      if (group.length > 0) out.text(GROUP, group);
      out.integer(ISSUE_ORDER, program.issueOrder[id]);
    } else {
      out.integer(CPU, 0);
      out.integer(COMM_SIZE, bytes[id]);
      out.integer(type[id] === NodeType.send ? DESTINATION : SOURCE, rank + program.peerStage[id] * ranksOfStage);
      out.integer(TAG, program.tag[id]);
    }
    out.end();
  }
}

/** Whole µs, halves up. */
export function wholeMicros(ns: number): number {
  const rest = ns % 1000;
  return (ns - rest) / 1000 + (rest >= 500 ? 1 : 0);
}

function groupsOf({ groups }: RankLayout, names: readonly string[]): { groups?: Record<string, number[]> } {
  const own = names.filter((name) => name !== '').map((name): [string, number[]] => [name, [...groups.get(name)!]]);
  return own.length === 0 ? {} : { groups: Object.fromEntries(own) };
}
