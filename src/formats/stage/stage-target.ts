import { pythonString } from '../../base/python-json.js';
import { NodeType, nodeTypeName, nodeTypeNumber } from '../../trace/node-type.js';
import type { Losses } from '../../base/losses.js';
import type { RankTarget } from '../conversion.js';
import { CarriedAttributes, countFields, countMetadata } from '../jsonl/carried-attributes.js';
import type { NodeLine } from '../jsonl/frame-line.js';
import { visitLines } from '../jsonl/trace-lines.js';
import { kindFor, STAGE_SCHEMA, STAGE_TYPES, usualTensorSize } from './stage-types.js';

/** Characters collected before they are written. */
const AT_ONCE = 1 << 16;
const TYPE_NAMES = new Map([...STAGE_TYPES].map(([name, type]) => [type, name]));
const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** What the JSON backend of STAGE writes of a trace, on one line (docs/converters.md). */
export const STAGE_TARGET: RankTarget = {
  name: 'stage',
  title: 'STAGE JSON',
  fileName: (prefix, rank) => `${prefix}.${rank}.json`,
  groupFileName: (prefix) => `${prefix}.json`,
  write: (trace, write, losses) => {
    let text = '{"nodes": [';
    let nodes = 0;
    visitLines(trace, {
      metadata(line, message, whole) {
        countMetadata(losses, line, { message, whole, rank: trace.rank }, STAGE_SCHEMA);
      },
      node(line, message, whole) {
        const example = `rank ${trace.rank} node ${line.id}`;
        text += `${nodes++ === 0 ? '' : ', '}{${nodeMembers(line, losses, example).join(', ')}}`;
        countFields(losses, line, message, whole, example);
        if (text.length < AT_ONCE) return;
        write(Buffer.from(text));
        text = '';
      },
    });
    write(Buffer.from(`${text}]}`));
  },
};

/** The keys of a node in STAGE's order; those that the trace says nothing of are left out. */
function nodeMembers(line: NodeLine, losses: Losses, example: string): string[] {
  const { id = 0, name = '', ctrlDeps = [], dataDeps = [] } = line;
  const type = typeof line.type === 'string' ? nodeTypeNumber(line.type)! : (line.type ?? 0);
  const attributes = new CarriedAttributes(line, losses, example);
  const inputs = attributes.texts('inputs', isTensorList);
  const outputs = attributes.texts('outputs', isTensorList);
  const tensorSize = attributes.integer('tensor_size', (digits) => kindFor('uint64', digits)!);
  const commSize = attributes.integer('comm_size', wide);
  const ySize = attributes.number('y_tensor_size') ?? usualTensorSize(type, tensorSize, commSize);
  const values: [key: string, text: string | undefined][] = [
    ['id', String(id)],
    ['name', pythonString(name)],
    ['node_type', `"${typeName(type, losses, example)}"`],
    ['y_tensor_size', ySize],
    ['inputs', inputs && tensors(inputs)],
    ['outputs', outputs && tensors(outputs)],
    ['data_deps', `[${dataDeps.join(', ')}]`],
    ['ctrl_deps', `[${ctrlDeps.join(', ')}]`],
    ['num_ops', attributes.integer('num_ops', wide)],
    ['tensor_size', tensorSize],
    ['op_type', quoted(attributes.text('op_type'))],
    ['comm_size', commSize],
    ['comm_type', quoted(attributes.collectiveName())],
    ['comm_group', groupText(attributes.text('pg_name') ?? attributes.olderGroup())],
    ['comm_tag', attributes.integer('comm_tag', narrow)],
    ['comm_src', attributes.integer('comm_src', narrow)],
    ['comm_dst', attributes.integer('comm_dst', narrow)],
  ];
  attributes.passFalse('is_cpu_op');
  attributes.countLeft();
  if (line.durationMicros !== undefined) {
    losses.add('durations', example, 'a reader has to work them out from num_ops');
  }
  return values.flatMap(([key, text]) => (text === undefined ? [] : [`"${key}": ${text}`]));
}

/** The name of a type; the graph keeps a node of another type too. */
function typeName(type: number, losses: Losses, example: string): string {
  const name = TYPE_NAMES.get(type);
  if (name !== undefined) return name;
  losses.add(`the type ${nodeTypeName(type)}`, example, 'the nodes are written as comp_node');
  return TYPE_NAMES.get(NodeType.compute)!;
}

/** The kind in which a reader puts a size. */
function wide(digits: string): string {
  return kindFor('int64', digits)!;
}

/** The kind in which a reader puts a rank or a tag. */
function narrow(digits: string): string {
  return kindFor('int32', digits)!;
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : pythonString(text);
}

/** A number where the name is one, as STAGE's groups are. */
function groupText(name: string | undefined): string | undefined {
  return name !== undefined && /^(?:0|[1-9][0-9]*)$/.test(name) ? name : quoted(name);
}

/** Names and sizes in turn. */
function isTensorList(texts: readonly string[]): boolean {
  return texts.length % 2 === 0 && texts.every((text, place) => place % 2 === 0 || JSON_NUMBER.test(text));
}

function tensors(texts: readonly string[]): string {
  const list: string[] = [];
  for (let place = 0; place < texts.length; place += 2) {
    list.push(`{"name": ${pythonString(texts[place])}, "size": ${texts[place + 1]}}`);
  }
  return `[${list.join(', ')}]`;
}
