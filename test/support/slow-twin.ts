import { decodeFrames, type Columns } from './et-frames.js';

const INTEGER = /^s?(u?int|fixed)(32|64)_val$/;
const INTEGER_LIST = /^s?(u?int|fixed)(32|64)_list$/;

/** Arms of chakra-format section 21; attributes that are not here may be in any integer arm. */
const USUAL: Record<string, string> = {
  comm_type: 'int64_val',
  comm_size: 'int64_val',
  comm_tag: 'int32_val',
  comm_src: 'int32_val',
  comm_dst: 'int32_val',
  num_ops: 'int64_val',
  tensor_size: 'uint64_val',
  is_cpu_op: 'bool_val',
};
const MAX_INT32 = 2 ** 31 - 1;
const OTHER_ARM = 64;
const NOT_NUMBER = 128;

/**
 * The columns of a `.et` file worked out node by node from what protobufjs reads: the slow twin of the decoder, with
 * objects and text where that has columns and bytes.
 */
export function slowColumns(bytes: Uint8Array): Columns {
  const { nodes } = decodeFrames(bytes);
  const ids = nodes.map((node) => BigInt((node.id as string | undefined) ?? 0));
  const index = new Map<bigint, number>();
  ids.forEach((id, place) => index.has(id) || index.set(id, place));
  const dangling: bigint[] = [];
  const edges = (field: string): { start: number[]; target: number[] } => {
    const start = [0];
    const target: number[] = [];
    for (const node of nodes) {
      for (const text of (node[field] as string[] | undefined) ?? []) {
        const id = BigInt(text);
        const found = index.get(id);
        if (found === undefined && !dangling.includes(id)) dangling.push(id);
        target.push(found ?? -1 - dangling.indexOf(id));
      }
      start.push(target.length);
    }
    return { start, target };
  };
  const data = edges('data_deps');
  const control = edges('ctrl_deps');
  const rows = nodes.map((node) => new SlowNode(node));
  const pick = <T>(column: (row: SlowNode) => T): T[] => rows.map(column);
  const given = <T>(column: (row: SlowNode) => T | undefined): [number, T][] =>
    rows.flatMap((row, node): [number, T][] => {
      const value = column(row);
      return value === undefined ? [] : [[node, value]];
    });
  return {
    id: pick((row) => row.id).map(halves),
    type: pick((row) => row.type),
    durationMicros: pick((row) => row.duration),
    dataStart: data.start,
    dataTarget: data.target,
    controlStart: control.start,
    controlTarget: control.target,
    dangling: dangling.map(halves),
    commType: pick((row) => row.commType),
    commSize: pick((row) => row.commSize),
    commTag: pick((row) => row.commTag),
    peer: pick((row) => row.peer),
    group: pick((row) => row.group),
    collective: identities(rows),
    step: pick((row) => row.step),
    root: given((row) => row.root),
    issueOrder: given((row) => row.issueOrder),
    splits: given((row) => row.splits),
    flags: pick((row) => row.flags),
  };
}

function halves(id: bigint): string {
  return `${id >> 32n}:${id & 0xffffffffn}`;
}

/** Group, type and instance say which collective it is; the first node gives its size, the exit its algorithm. */
function identities(rows: SlowNode[]): unknown[] {
  const known = new Map<string, Record<string, unknown>>();
  return rows.map(({ instance, commType: type, group, size, algorithm }) => {
    if (instance === undefined) return null;
    const key = `${instance} ${type} ${group ?? 'world'}`;
    if (!known.has(key)) known.set(key, { group: group ?? 'world', type, instance, size });
    if (algorithm !== undefined) known.get(key)!.algorithm = algorithm;
    return known.get(key);
  });
}

class SlowNode {
  readonly #attributes = new Map<string, { arm: string; value: unknown }>();
  flags = 0;
  readonly id: bigint;
  readonly type: number;
  readonly duration: number;
  readonly commType: number;
  readonly commSize: number;
  readonly commTag: number;
  readonly peer: number;
  readonly group: string | null;
  readonly step: number;
  readonly instance: number | undefined;
  readonly size: number;
  readonly algorithm: string | undefined;
  readonly root: number | undefined;
  readonly issueOrder: number | undefined;
  readonly splits: number[] | undefined;

  constructor(node: Record<string, unknown>) {
    for (const { name = '', ...rest } of (node.attr ?? []) as Record<string, unknown>[]) {
      delete rest.doc_string;
      const [arm, value] = Object.entries(rest)[0] ?? ['UNSET', undefined];
      if (!this.#attributes.has(name as string)) this.#attributes.set(name as string, { arm, value });
    }
    const type = Number(node.type ?? 0);
    this.id = BigInt((node.id as string | undefined) ?? 0);
    this.type = type < 0 || type > 254 ? 255 : type;
    this.duration = Number(node.duration_micros ?? 0);
    if (node.start_time_micros !== undefined && node.start_time_micros !== '0') this.flags |= 16;
    if (node.inputs !== undefined) this.flags |= 32;
    const cpu = this.#number('is_cpu_op');
    if (cpu !== undefined) this.flags |= cpu === 0 ? 2 : 3;
    if (this.#number('is_added_synchronization_flow')) this.flags |= 8;
    const commType = this.#number('comm_type');
    this.commType = commType === undefined ? -1 : commType >= 0 && commType <= 9 ? commType : -2;
    this.commSize = this.#number('comm_size') ?? NaN;
    this.commTag = this.#number('comm_tag') ?? NaN;
    const [source, destination] = [this.#number('comm_src') ?? -1, this.#number('comm_dst') ?? -1];
    const peer = type === 5 ? destination : type === 6 ? source : -1;
    this.peer = Math.max(-1, Math.min(peer, MAX_INT32));
    const commGroup = this.#number('comm_group');
    const groupName = this.#text('pg_name');
    this.group = groupName !== undefined ? groupName || null : commGroup === undefined ? null : String(commGroup);
    this.step = Math.max(-1, this.#number('collective_step') ?? -1);
    this.instance = this.#number('collective_instance');
    this.size = this.#number('collective_size') ?? 0;
    this.algorithm = this.#text('collective_algorithm');
    const rootRank = this.#number('root_rank');
    this.root = this.#number('root') ?? rootRank;
    this.issueOrder = this.#number('issue_order');
    this.splits = this.#list('send_split_bytes');
    const operations = this.#number('num_ops') ?? 0;
    const bytes = this.#number('tensor_size') ?? 0;
    if (operations > 0 || bytes > 0) this.flags |= 256;
  }

  #number(name: string): number | undefined {
    const attribute = this.#attributes.get(name);
    if (attribute === undefined) return undefined;
    const { arm } = attribute;
    const value = Number(attribute.value);
    const isNumber = INTEGER.test(arm) || (name.startsWith('is_') && arm === 'bool_val');
    if (!isNumber || (name === 'comm_size' && value < 0)) {
      this.flags |= NOT_NUMBER;
      return undefined;
    }
    const usual = USUAL[name] === 'int32_val' && Math.abs(value + 0.5) > 2 ** 31 ? 'int64_val' : USUAL[name];
    if (usual !== undefined && arm !== usual) this.flags |= OTHER_ARM;
    return value;
  }

  #text(name: string): string | undefined {
    const attribute = this.#attributes.get(name);
    if (attribute === undefined) return undefined;
    if (attribute.arm === 'string_val') return attribute.value as string;
    const isNumber = name === 'pg_name' && INTEGER.test(attribute.arm);
    this.flags |= isNumber ? OTHER_ARM : NOT_NUMBER;
    return isNumber ? String(attribute.value) : undefined;
  }

  #list(name: string): number[] | undefined {
    const attribute = this.#attributes.get(name);
    if (attribute === undefined) return undefined;
    if (INTEGER_LIST.test(attribute.arm)) {
      const values = ((attribute.value as { values?: unknown[] }).values ?? []).map(Number);
      if (values.every((value) => value >= 0)) return values;
    }
    this.flags |= NOT_NUMBER;
    return undefined;
  }
}
