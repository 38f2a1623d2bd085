import { ownValue, setOwn } from '../../base/named-values.js';
import { addTo, duplicateIds, keyCounts, toNanosecond, type Counts } from './counts.js';

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

interface HostNode extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly name: string;
  readonly attrs?: readonly Attribute[];
}

/** A PyTorch host execution trace; schema 1.0.1 has flat keys, later ones `attrs` (chakra-format section 12). */
export interface HostDocument extends Readonly<Record<string, unknown>> {
  readonly nodes: readonly HostNode[];
}

const ROOT = 1;
/** Missing parents that are listed. */
const MOST_MISSING = 20;

/** Facts of a PyTorch host trace, linked or not. */
export function pytorchHostFacts(document: HostDocument) {
  const { nodes, schema, pid, time, start_ts, finish_ts } = document;
  const ids = nodes.map(({ id }) => id);
  const attributes: Counts = {};
  const threads: Counts = {};
  const recordIds = new Set<number>();
  let largestRecordId = -Infinity;
  let withSchema = 0;
  for (const node of nodes) {
    for (const { name, type } of node.attrs ?? []) addTo(attributes, `${name}:${type}`);
    addTo(threads, String(attribute(node, 'tid')));
    const recordId = attribute(node, 'rf_id');
    if (typeof recordId === 'number') {
      recordIds.add(recordId);
      largestRecordId = Math.max(largestRecordId, recordId);
    }
    if (attribute(node, 'op_schema')) withSchema++;
  }
  return {
    format: 'pytorch-host-json',
    schema,
    pid,
    time,
    start_ts,
    finish_ts,
    nodes: nodes.length,
    duplicate_id_count: duplicateIds(ids),
    id_min: ids.reduce((least, id) => Math.min(least, id), Infinity),
    id_max: ids.reduce((most, id) => Math.max(most, id), -Infinity),
    last_node_id_in_file: ids.at(-1),
    ids_ascending_in_file: ids.every((id, place) => place === 0 || id > ids[place - 1]),
    ...parentFacts(nodes),
    rf_id_max: largestRecordId,
    rf_id_distinct: recordIds.size,
    threads,
    thread_root_nodes: nodes.filter(({ name }) => name.endsWith('|thread]')).length,
    process_root_nodes: nodes.filter(({ name }) => name.endsWith('|process]')).length,
    nodes_with_op_schema: withSchema,
    attrs: attributes,
    node_keys: keyCounts(nodes),
    ...recordFacts(nodes),
    process_group_init: nodes
      .filter(({ name }) => name.includes('process_group:init'))
      .map((node) => ({ id: node.id, groups: JSON.parse(String(inputs(node).values[0])) as unknown })),
    ...linkedFacts(nodes),
  };
}

/** What linking added: device nodes, which have a category, and durations of host nodes. */
function linkedFacts(nodes: readonly HostNode[]) {
  const device = nodes.filter(({ cat }) => cat !== undefined);
  const host = nodes.filter(({ cat, inclusive_dur }) => cat === undefined && inclusive_dur !== undefined);
  if (device.length + host.length === 0) return {};
  const byCategory: Counts = {};
  const streams: Counts = {};
  for (const { cat, stream } of device) {
    addTo(byCategory, String(cat));
    addTo(streams, String(stream));
  }
  return {
    linked_gpu_ops: device.length,
    linked_gpu_by_cat: byCategory,
    linked_host_with_duration: host.length,
    exclusive_dur_cpu_us: durationOf(host, 'exclusive_dur'),
    inclusive_dur_gpu_us: durationOf(device, 'inclusive_dur'),
    inter_thread_dep_nodes: nodes.filter(({ inter_thread_dep }) => typeof inter_thread_dep === 'number').length,
    sync_dep_nodes: nodes.filter(({ sync_dep }) => Array.isArray(sync_dep) && sync_dep.length > 0).length,
    nccl_kernels: device.filter(({ name }) => name.startsWith('nccl')).length,
    with_pg_name: device.filter(({ pg_name }) => pg_name !== undefined).length,
    streams,
  };
}

function durationOf(nodes: readonly HostNode[], key: string): number {
  return toNanosecond(nodes.reduce((sum, node) => sum + Number(node[key] ?? 0), 0));
}

/** Value of an attribute, wherever the schema puts it. */
function attribute(node: HostNode, name: string): unknown {
  return node.attrs === undefined ? node[name] : node.attrs.find((entry) => entry.name === name)?.value;
}

function parentOf(node: HostNode): number {
  return (node.ctrl_deps ?? node.parent) as number;
}

function parentFacts(nodes: readonly HostNode[]) {
  const ids = new Set(nodes.map(({ id }) => id));
  const children = new Map<number, number[]>();
  const missing = new Set<number>();
  let missingCount = 0;
  for (const node of nodes) {
    const parent = parentOf(node);
    if (!ids.has(parent)) {
      missingCount++;
      missing.add(parent);
    }
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node.id]);
    else siblings.push(node.id);
  }
  const reached = new Set(ids.has(ROOT) ? [ROOT] : []);
  // A set is walked in the order of insertion, nodes that are added on the way included.
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  return {
    missing_parent: missingCount,
    missing_parent_distinct: [...missing].sort((left, right) => left - right).slice(0, MOST_MISSING),
    reachable_from_root_1: reached.size,
  };
}

interface Inputs {
  readonly values: readonly unknown[];
  readonly types: readonly string[];
}

function inputs(node: HostNode): Inputs {
  const given = node.inputs as Inputs | unknown[] | undefined;
  if (Array.isArray(given)) return { values: given, types: (node.input_types ?? []) as string[] };
  return given ?? { values: [], types: [] };
}

/** The communication records: `record_param_comms` by collective, by their argument types, by process group. */
function recordFacts(nodes: readonly HostNode[]) {
  const collectives: Record<string, { count: number; input_bytes: number }> = {};
  const forms: Counts = {};
  const groups: Counts = {};
  for (const node of nodes) {
    if (node.name !== 'record_param_comms') continue;
    const { values, types } = inputs(node);
    const name = String(values[types.indexOf('String')]);
    const facts = ownValue(collectives, name) ?? { count: 0, input_bytes: 0 };
    setOwn(collectives, name, facts);
    facts.count++;
    facts.input_bytes += values.reduce<number>((sum, value, place) => sum + tensorBytes(value, types[place]), 0);
    addTo(forms, types.map((type) => type.replace(/^GenericList\[.*\]$/, 'GenericList')).join('|'));
    const pair = types.findIndex((type) => type.startsWith('Tuple['));
    addTo(groups, pair < 0 ? 'None' : String((values[pair] as unknown[])[0]));
  }
  return { record_param_comms: collectives, record_param_comms_arg_forms: forms, record_param_comms_pg: groups };
}

/** Bytes of a tensor, or of the tensors of a list: elements (4th entry) times their size (5th). */
function tensorBytes(value: unknown, type: string): number {
  if (!Array.isArray(value)) return 0;
  if (type.startsWith('Tensor(')) return Number(value[3]) * Number(value[4]);
  if (!type.startsWith('GenericList[')) return 0;
  const types = type.slice('GenericList['.length, -1).split(',');
  return value.reduce<number>((sum, entry, place) => sum + tensorBytes(entry, types[place] ?? ''), 0);
}
