import { readScript } from '../../src/pipeline/read-script.js';
import { formatId } from '../../src/base/ids.js';
import { withInvolvedDimensions } from '../../src/collectives/survey.js';
import { addBalance, type Balance } from '../../src/passes/balance.js';
import {
  planBalance,
  planPreparation,
  preparationForWorker,
  preparationFromWorker,
  surveyRank,
  type PreparationOptions,
} from '../../src/passes/preparation-plan.js';
import { prepareRank } from '../../src/passes/prepare.js';
import { nodeTypeName, NodeType } from '../../src/trace/node-type.js';
import type { ProcessGroup } from '../../src/trace/process-group.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import type { Attributes, NodeObject } from './traces.js';

/** Process groups from `{ tp: [0, 1] }`. */
export function groupsOf(ranks: Record<string, number[]>): Map<string, ProcessGroup> {
  return new Map(Object.entries(ranks).map(([name, members]) => [name, { name, ranks: members, origin: 'test' }]));
}

/** Attributes of a communication node in the arms writers use. */
export function attributes(values: {
  type?: number;
  size?: number;
  group?: string;
  root?: number;
  order?: number;
  splits?: number[];
  receiveSplits?: number[];
  to?: number;
  from?: number;
  tag?: number;
}): Attributes {
  return {
    ...(values.type !== undefined && { comm_type: { int64_val: values.type } }),
    ...(values.size !== undefined && { comm_size: { int64_val: values.size } }),
    ...(values.group !== undefined && { pg_name: { string_val: values.group } }),
    ...(values.root !== undefined && { root: { int64_val: values.root } }),
    ...(values.order !== undefined && { issue_order: { int64_val: values.order } }),
    ...(values.splits !== undefined && { send_split_bytes: { int64_list: values.splits } }),
    ...(values.receiveSplits !== undefined && { receive_split_bytes: { int64_list: values.receiveSplits } }),
    ...(values.to !== undefined && { comm_dst: { int32_val: values.to } }),
    ...(values.from !== undefined && { comm_src: { int32_val: values.from } }),
    ...(values.tag !== undefined && { comm_tag: { int32_val: values.tag } }),
  };
}

/** A collective node. */
export function collective(
  id: number,
  values: Parameters<typeof attributes>[0],
  more: Partial<NodeObject> = {},
): NodeObject {
  return { id, name: `collective ${id}`, type: 'COMM_COLL_NODE', attr: attributes(values), ...more };
}

export const ALL_OFF: Omit<PreparationOptions, 'groups' | 'rankCount'> = {
  algorithms: {},
  expand: false,
  serialize: false,
  sync: false,
  annotate: false,
  order: 'recorded',
};

/** Surveys, plans and prepares all ranks, with the surveys and the plan cloned as between threads. */
export function prepareAll(
  traces: readonly RankTrace[],
  options: Partial<PreparationOptions>,
): { traces: RankTrace[]; balance: Balance } {
  const all = { ...ALL_OFF, groups: new Map(), rankCount: traces.length, ...options };
  const plan = planPreparation(
    traces.map((trace) => structuredClone(withInvolvedDimensions(surveyRank(trace), trace))),
    all,
  );
  const message = structuredClone(preparationForWorker(plan));
  const balance = planBalance(plan);
  const prepared = traces.map((trace) => {
    const rank = prepareRank(trace, preparationFromWorker(message, readScript));
    addBalance(balance, rank.balance);
    return rank.trace;
  });
  return { traces: prepared, balance };
}

/** A node as text with ids: `send 7 to 1, 500 B, tag 65536, data 3 4, control 2`. */
export function nodeTexts(trace: RankTrace): string[] {
  return Array.from({ length: trace.length }, (_, node) => {
    const id = (index: number): string => formatId(trace.idLow[index], trace.idHigh[index]);
    const ids = (start: Uint32Array, target: Int32Array): string =>
      [...target.subarray(start[node], start[node + 1])]
        .map((before) =>
          before < 0 ? `?${formatId(trace.danglingLow[-1 - before], trace.danglingHigh[-1 - before])}` : id(before),
        )
        .join(' ');
    const type = trace.type[node];
    const transfer = type === NodeType.send || type === NodeType.receive;
    const data = ids(trace.dataStart, trace.dataTarget);
    const control = ids(trace.controlStart, trace.controlTarget);
    return [
      `${transfer ? (type === NodeType.send ? 'send' : 'receive') : nodeTypeName(type)} ${id(node)}`,
      transfer
        ? ` ${type === NodeType.send ? 'to' : 'from'} ${trace.peer[node]}, ${trace.commSize[node]} B, tag ${trace.commTag[node]}`
        : '',
      trace.flags[node] & NodeFlag.addedSync ? ', sync' : '',
      data && `, data ${data}`,
      control && `, control ${control}`,
    ].join('');
  });
}
