import { exactBytes } from '../../base/byte-text.js';
import { counted, grouped } from '../../base/counts.js';
import { textTable } from '../../base/text-table.js';
import type { NodesView } from '../../pipeline/inspect-files.js';
import type { AttributeDetails, DependencyDetails, NodeDetails } from '../../pipeline/selected-nodes.js';
import { collectiveName } from '../../trace/collective-type.js';

/** Letters of a name that a row shows. */
const LONGEST_NAME = 40;
/** Dependencies that a row lists. */
const DEPENDENCIES_SHOWN = 4;
/** Behind the id of a dependency that no node has. */
const MISSING = '!';

/** The view of nodes for a person. */
export function nodesLines({ matched, idsNotFound, list }: NodesView): string[] {
  const lines = [`${counted(matched, 'node')}`];
  for (const ids of idsNotFound) lines.push(`no node has id ${ids}`);
  if (list.length === 0) return lines;
  const rows = list.map((node) => [
    String(node.rank),
    String(node.id),
    node.type,
    shortName(node.name),
    node.durationMicros === undefined ? '–' : grouped(Number(node.durationMicros)),
    dependenciesText(node.dataDeps),
    dependenciesText(node.ctrlDeps),
    attributesText(node),
  ]);
  const header = ['rank', 'id', 'type', 'name', 'duration µs', 'data deps', 'control deps', 'attributes'];
  lines.push('', ...textTable([header, ...rows], 'rrllrlll'));
  if (rows.some((row) => row[5].includes(MISSING) || row[6].includes(MISSING))) {
    lines.push(`${MISSING} no node has this id`);
  }
  const more = matched - list.length;
  if (more > 0) lines.push(`… and ${grouped(more)} more; --limit N shows more, --json has all`);
  return lines;
}

function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** `3, 4, 9`; `3, 4, 9, 12 … 80 in all`; `7!` for an id that no node has. */
function dependenciesText(dependencies: readonly DependencyDetails[]): string {
  const ids = dependencies.map(({ id, name }) => (name === undefined ? `${id}${MISSING}` : String(id)));
  if (ids.length === 0) return '–';
  if (ids.length <= DEPENDENCIES_SHOWN) return ids.join(', ');
  return `${ids.slice(0, DEPENDENCIES_SHOWN).join(', ')} … ${grouped(ids.length)} in all`;
}

type TextOf = (value: NonNullable<AttributeDetails['value']>) => string;

const bytes: TextOf = (value) => (typeof value === 'number' ? exactBytes(value) : String(value));
const collective: TextOf = (value) => (typeof value === 'number' ? collectiveName(value) : String(value));
const plain =
  (word: string): TextOf =>
  (value) =>
    `${word} ${typeof value === 'number' && value >= 0 ? grouped(value) : String(value)}`;
const exactly =
  (word: string): TextOf =>
  (value) =>
    `${word} ${String(value)}`;

/** Attributes that tell what a node does, in the order of a row, and how they are said. */
const TOLD: Readonly<Record<string, TextOf>> = {
  comm_type: collective,
  comm_dst: exactly('to'),
  comm_src: exactly('from'),
  comm_size: bytes,
  comm_tag: exactly('tag'),
  pg_name: exactly('group'),
  root: exactly('root'),
  root_rank: exactly('root'),
  collective_instance: exactly('instance'),
  collective_algorithm: (value) => String(value),
  num_ops: (value) => `${typeof value === 'number' ? grouped(value) : String(value)} ops`,
  tensor_size: bytes,
  stream: plain('stream'),
  is_cpu_op: exactly('is_cpu_op'),
};

/** Attributes of some types that are written and say nothing of a node of that type. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  COMM_SEND_NODE: ['comm_src'],
  COMM_RECV_NODE: ['comm_dst'],
};

function attributesText({ type, attributes }: NodeDetails): string {
  const said: string[] = [];
  for (const [name, textOf] of Object.entries(TOLD)) {
    const attribute = attributes.find((one) => one.name === name);
    if (attribute?.value === undefined || UNTOLD[type]?.includes(name)) continue;
    said.push(textOf(attribute.value));
  }
  return said.join(', ');
}
