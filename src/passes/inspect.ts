import { COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN, COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { findCyclicComponents } from '../trace/cycles.js';
import { countDependencies, type DependencyCount } from '../trace/dependency-counts.js';
import { IdIndex } from '../base/ids.js';
import { ownValue, setOwn } from '../base/named-values.js';
import type { FileFacts } from '../trace/file-facts.js';
import { nodeId } from '../trace/listed-ids.js';
import { isTransfer, NodeType, nodeTypeName } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';

type Counts = Record<string, number>;

/** Communication of one kind. */
export interface CommunicationFacts {
  count: number;
  /** Sum of `comm_size`. */
  bytes: number;
  without_comm_size: number;
  duration_us: number;
}

interface CycleFacts {
  /** Strongly connected components with more than one node or a self edge. */
  sccs: number;
  /** Nodes in them. */
  nodes: number;
}

/** What is in one rank's trace; the key names are those of `trace-facts.json`. */
export interface RankFacts {
  format: string;
  gzip: boolean;
  uncompressed_bytes: number;
  frames: number;
  global_version: string;
  global_attrs: FileFacts['globalAttributes'];
  nodes: number;
  unique_ids: number;
  /** Ids that more than one node has, the first 20. */
  duplicate_ids: (number | string)[];
  duplicate_id_count: number;
  /** Absent in a trace without nodes. */
  id_min?: number | string;
  id_max?: number | string;
  ids_ascending_in_file: boolean;
  by_type: Counts;
  deps: Counts;
  cycles: { data: CycleFacts; ctrl: CycleFacts; both: CycleFacts };
  roots_no_data_deps: number;
  roots_no_deps: number;
  /** By collective, `COMM_SEND_NODE`, `COMM_RECV_NODE`, `NO_COMM_TYPE` or `UNKNOWN_COMM_TYPE`. */
  comm: Record<string, CommunicationFacts>;
  comm_bytes_total: number;
  /** Collectives by group name, `<none>` for those that name none. */
  process_groups_used: Counts;
  /** `3->self tag 5` for receives, `self->3 tag 5` for sends, `?` and `None` for what is missing; absent without either. */
  p2p_pairs?: Counts;
  duration_us_total: number;
  duration_us_by_type: Counts;
  duration_us_by_side: Counts;
  /** `cpu` and `gpu` by `is_cpu_op`, `unspecified` without it. */
  nodes_by_side: Counts;
  nodes_with_start_time: number;
  nodes_with_inputs: number;
  /** Nodes by the attribute `stream`; absent where no node has it. */
  streams?: Counts;
  /** Attribute name → oneof arm → count; `UNSET` for one without a value. */
  attrs: Record<string, Counts>;
  /** Ids of the `## process_group:init ##` nodes. */
  process_group_init_nodes: (number | string)[];
}

/** With more distinct pairs and tags than this, `p2p_pairs` is by partner alone, with `*` for the tag. */
const MOST_PAIRS = 10_000;

/** Duplicate ids that are listed. */
const MOST_DUPLICATES = 20;

/** Facts of one rank, in one walk over its nodes and, for `attrs`, its frames. */
export function inspectRank(trace: RankTrace, file: FileFacts): RankFacts {
  const { length, type, flags, durationMicros } = trace;
  const byType: Counts = {};
  const durationByType: Counts = {};
  const bySide: Counts = {};
  const durationBySide: Counts = {};
  let duration = 0;
  let withStart = 0;
  let withInputs = 0;
  for (let node = 0; node < length; node++) {
    const name = nodeTypeName(type[node]);
    const side = flags[node] & NodeFlag.cpuGiven ? (flags[node] & NodeFlag.cpu ? 'cpu' : 'gpu') : 'unspecified';
    const micros = durationMicros[node];
    add(byType, name, 1);
    add(durationByType, name, micros);
    add(bySide, side, 1);
    add(durationBySide, side, micros);
    duration += micros;
    if (flags[node] & NodeFlag.startTime) withStart++;
    if (flags[node] & NodeFlag.inputs) withInputs++;
  }
  const dependencies = countDependencies(trace);
  const communication = communicationFacts(trace);
  const pairs = pairCounts(trace);
  const frames = frameFacts(trace);
  return {
    format: file.format,
    gzip: file.gzip,
    uncompressed_bytes: file.bytes,
    frames: file.frames,
    global_version: trace.metadata.version,
    global_attrs: file.globalAttributes,
    nodes: length,
    ...idFacts(trace),
    by_type: sorted(byType),
    deps: { ...dependencyFacts('data', dependencies.data), ...dependencyFacts('ctrl', dependencies.control) },
    cycles: { data: cycleFacts(trace, 'data'), ctrl: cycleFacts(trace, 'control'), both: cycleFacts(trace, 'both') },
    roots_no_data_deps: dependencies.withoutData,
    roots_no_deps: dependencies.withoutAny,
    ...communication,
    ...(pairs === undefined ? {} : { p2p_pairs: pairs }),
    duration_us_total: duration,
    duration_us_by_type: sorted(durationByType),
    duration_us_by_side: sorted(durationBySide),
    nodes_by_side: sorted(bySide),
    nodes_with_start_time: withStart,
    nodes_with_inputs: withInputs,
    ...frames,
  };
}

function idFacts(trace: RankTrace) {
  const { length, idLow, idHigh } = trace;
  let ascending = true;
  let smallest = 0;
  let largest = 0;
  for (let node = 1; node < length; node++) {
    if (compareIds(trace, node - 1, node) >= 0) ascending = false;
    if (compareIds(trace, node, smallest) < 0) smallest = node;
    if (compareIds(trace, node, largest) > 0) largest = node;
  }
  const duplicates = new Set<number>();
  let unique = length;
  if (!ascending) {
    const index = new IdIndex(idLow, idHigh, length);
    for (let node = 0; node < length; node++) {
      const first = index.indexOf(idLow[node], idHigh[node]);
      if (first === node) continue;
      unique--;
      duplicates.add(first);
    }
  }
  return {
    unique_ids: unique,
    duplicate_ids: [...duplicates].slice(0, MOST_DUPLICATES).map((node) => nodeId(trace, node)),
    duplicate_id_count: duplicates.size,
    ...(length === 0
      ? {}
      : {
          id_min: nodeId(trace, smallest),
          id_max: nodeId(trace, largest),
        }),
    ids_ascending_in_file: ascending,
  };
}

function compareIds({ idLow, idHigh }: RankTrace, left: number, right: number): number {
  return idHigh[left] - idHigh[right] || idLow[left] - idLow[right];
}

function dependencyFacts(name: 'data' | 'ctrl', count: DependencyCount): Counts {
  return {
    [`${name}_deps`]: count.total,
    [`dangling_${name}_deps`]: count.dangling,
    [`dangling_${name}_deps_distinct_targets`]: count.danglingTargets,
    [`self_${name}_deps`]: count.self,
    [`repeated_${name}_deps`]: count.repeated,
    [`forward_refs_${name}_deps`]: count.forward,
  };
}

function cycleFacts(trace: RankTrace, kind: 'data' | 'control' | 'both'): CycleFacts {
  const { count, member } = findCyclicComponents(trace, kind);
  return { sccs: count, nodes: member.length };
}

function communicationFacts(trace: RankTrace) {
  const { length, type, commSize, durationMicros, group, groupNames } = trace;
  const comm: Record<string, CommunicationFacts> = {};
  const groups: Counts = {};
  let total = 0;
  for (let node = 0; node < length; node++) {
    const kind = communicationName(trace, node);
    if (kind === undefined) continue;
    const facts = (comm[kind] ??= { count: 0, bytes: 0, without_comm_size: 0, duration_us: 0 });
    facts.count++;
    facts.duration_us += durationMicros[node];
    if (Number.isNaN(commSize[node])) facts.without_comm_size++;
    else {
      facts.bytes += commSize[node];
      total += commSize[node];
    }
    if (type[node] === NodeType.collective) add(groups, group[node] < 0 ? '<none>' : groupNames[group[node]], 1);
  }
  return { comm: sorted(comm), comm_bytes_total: total, process_groups_used: sorted(groups) };
}

function communicationName({ type, commType }: RankTrace, node: number): string | undefined {
  if (isTransfer(type[node])) return nodeTypeName(type[node]);
  if (type[node] !== NodeType.collective) return undefined;
  if (commType[node] === COMM_TYPE_ABSENT) return 'NO_COMM_TYPE';
  return commType[node] === COMM_TYPE_UNKNOWN ? 'UNKNOWN_COMM_TYPE' : COLLECTIVE_NAMES[commType[node]].schema;
}

function pairCounts(trace: RankTrace): Counts | undefined {
  const { length, type, peer, commTag } = trace;
  const count = (withTags: boolean): Counts => {
    const pairs: Counts = {};
    let distinct = 0;
    for (let node = 0; node < length; node++) {
      if (type[node] !== NodeType.send && type[node] !== NodeType.receive) continue;
      const partner = peer[node] < 0 ? '?' : peer[node];
      const tag = withTags ? (Number.isNaN(commTag[node]) ? 'None' : commTag[node]) : '*';
      const key = type[node] === NodeType.send ? `self->${partner} tag ${tag}` : `${partner}->self tag ${tag}`;
      if (pairs[key] === undefined && ++distinct > MOST_PAIRS && withTags) return count(false);
      add(pairs, key, 1);
    }
    return pairs;
  };
  const pairs = count(true);
  return Object.keys(pairs).length === 0 ? undefined : sorted(pairs);
}

/** What only the frames tell: every attribute, streams, and which nodes declare groups. */
function frameFacts(trace: RankTrace) {
  const { length, type, kept, frameOffset, frameLength } = trace;
  const attributes = new Map<string, Map<string, number>>();
  const streams: Counts = {};
  const inits: RankFacts['process_group_init_nodes'] = [];
  if (kept !== undefined) {
    const visit = (name: string, arm: string, integer: number | undefined): void => {
      let arms = attributes.get(name);
      if (arms === undefined) attributes.set(name, (arms = new Map()));
      arms.set(arm, (arms.get(arm) ?? 0) + 1);
      if (name === 'stream' && integer !== undefined) add(streams, String(integer), 1);
    };
    for (let node = 0; node < length; node++) {
      if (frameOffset[node] < 0) continue;
      kept.forEachAttribute(frameOffset[node], frameLength[node], visit);
      if (type[node] !== NodeType.metadata) continue;
      if (!kept.name(frameOffset[node], frameLength[node]).includes('process_group:init')) continue;
      inits.push(nodeId(trace, node));
    }
  }
  const attrs: Record<string, Counts> = {};
  for (const name of [...attributes.keys()].sort())
    setOwn(attrs, name, sorted(Object.fromEntries(attributes.get(name)!)));
  return {
    ...(Object.keys(streams).length === 0 ? {} : { streams: sorted(streams) }),
    attrs,
    process_group_init_nodes: inits,
  };
}

function add(counts: Counts, name: string, value: number): void {
  setOwn(counts, name, (ownValue(counts, name) ?? 0) + value);
}

/** The same members, by name. */
function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)),
  );
}
