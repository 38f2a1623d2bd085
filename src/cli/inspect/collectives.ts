import { exactBytes } from '../../base/byte-text.js';
import { counted, grouped } from '../../base/counts.js';
import { ranksText } from '../../base/rank-runs.js';
import { textTable } from '../../base/text-table.js';
import type { CollectivesView, CollectiveView } from '../../passes/views/collectives.js';
import { cut } from './cut.js';

/** Members that are named where they differ. */
const NAMED = 3;

/** The view of collectives for a person. */
export function collectivesLines({ count, nodesOutside, summary, list }: CollectivesView): string[] {
  const lines = [counted(count, 'collective')];
  if (nodesOutside > 0) {
    lines.push(`not in it: ${counted(nodesOutside, 'node')} of ranks that are no members of their group`);
  }
  if (count === 0) return lines;
  const sums = summary.map((sum) => [
    sum.group,
    sum.type,
    grouped(sum.collectives),
    exactBytes(sum.bytes),
    sizeText(sum.smallest),
    sizeText(sum.largest),
    sum.disagreeing === 0 ? 'agree' : `${grouped(sum.disagreeing)} differ`,
  ]);
  const rows = list.map((one) => [
    one.group,
    grouped(one.index),
    one.type,
    sizeText(one.bytes),
    grouped(one.members.length),
    one.root === null ? '–' : String(one.root),
    String(one.nodes.find((node) => node !== null)),
    durationText(one),
    state(one),
  ]);
  const sumHeader = ['group', 'type', 'collectives', 'bytes', 'smallest', 'largest', 'agreement'];
  const header = ['group', 'index', 'type', 'bytes', 'members', 'root', 'node', 'duration µs', 'agreement'];
  return [
    ...lines,
    '',
    ...cut(sums, (shown) => textTable([sumHeader, ...shown], 'llrrrrl')),
    '',
    ...cut(rows, (shown) => textTable([header, ...shown], 'lrlrrrrrl')),
  ];
}

function sizeText(bytes: number | null): string {
  return bytes === null ? '–' : exactBytes(bytes);
}

function durationText({ durationMicros }: CollectiveView): string {
  if (durationMicros === undefined) return '–';
  const { min, max } = durationMicros;
  return min === max ? grouped(max) : `${grouped(min)}–${grouped(max)}`;
}

/** `agree`, `missing on ranks 3, 5`, `sizes differ (8 B on rank 3)`, with `expanded (ring)` behind it. */
function state(one: CollectiveView): string {
  const expanded =
    one.expanded === undefined ? '' : `expanded${one.expanded === 'some' ? ' on some' : ''} (${one.algorithm ?? '?'})`;
  const said = disagreement(one);
  if (said === '') return expanded || 'agree';
  return expanded === '' ? said : `${said}; ${expanded}`;
}

function disagreement(one: CollectiveView): string {
  switch (one.agreement) {
    case 'agree':
      return '';
    case 'missing':
      return `missing on ${ranksText(one.missing!)}`;
    case 'types differ':
      return `types differ (${differing(one, one.types!, one.type, String)})`;
    case 'roots differ':
      return `roots differ (${differing(one, one.roots!, one.root, (root) => `root ${root}`)})`;
    case 'size missing':
    case 'sizes differ':
      return `${one.agreement} (${differing(one, one.sizes!, one.bytes, (size) => (size === null ? 'none' : exactBytes(size)))})`;
  }
}

/** `8 B on rank 3, 16 B on rank 5 and 2 more`: the members whose value is not the one of the row. */
function differing<T>(
  { members, nodes }: CollectiveView,
  values: readonly (T | null)[],
  shown: T | null,
  textOf: (value: T | null) => string,
): string {
  const others = members.flatMap((rank, place) =>
    nodes[place] === null || values[place] === shown ? [] : [`${textOf(values[place])} on rank ${rank}`],
  );
  const more = others.length - NAMED;
  return others.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${grouped(more)} more` : '');
}
