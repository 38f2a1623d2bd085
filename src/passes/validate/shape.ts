import { byKey } from '../../base/by-key.js';
import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { IdIndex } from '../../base/ids.js';
import type { CyclicComponents, DependencyKind } from '../../trace/cycles.js';
import { NodeType, nodeTypeName } from '../../trace/node-type.js';
import { Occurrences } from '../occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule, TracesetRule, TracesetSubject } from './rule.js';
import { CURRENT_SCHEMA } from './stored-form.js';

/** Ids, types, and whether anything can start at all. */
export const shapeRules: readonly (RankRule | TracesetRule)[] = [
  { scope: 'rank', codes: ['NO_NODES'], check: noNodes },
  { scope: 'rank', codes: ['DUPLICATE_ID'], check: duplicateIds },
  { scope: 'rank', codes: ['NODE_TYPE_UNKNOWN', 'NODE_TYPE_INVALID'], check: nodeTypes },
  { scope: 'rank', codes: ['NO_INITIAL_NODE', 'NODES_NEVER_START'], check: startable },
  { scope: 'traceset', codes: ['SCHEMA_MIXED'], check: ({ surveys }) => mixedVersions(surveys) },
];

function noNodes({ trace, place }: RankSubject): Finding[] {
  return trace.length > 0 ? [] : [finding('NO_NODES', `rank ${trace.rank}: the trace has no nodes`, place)];
}

/** an id is unique in the rank. */
function duplicateIds(subject: RankSubject): Finding[] {
  const { trace, place } = subject;
  const { length, idLow, idHigh, rank } = trace;
  let ascending = true;
  for (let node = 1; node < length && ascending; node++) {
    ascending = idHigh[node] > idHigh[node - 1] || (idHigh[node] === idHigh[node - 1] && idLow[node] > idLow[node - 1]);
  }
  if (ascending) return [];
  const index = new IdIndex(idLow, idHigh, length);
  const found = subject.where((node) => index.indexOf(idLow[node], idHigh[node]) !== node);
  return found.finding(
    'DUPLICATE_ID',
    (places, count) =>
      count === 1
        ? `rank ${rank}: ${places} has an id that an earlier node has`
        : `rank ${rank}: ${grouped(count)} nodes have an id that an earlier node has: ${places}`,
    place,
  );
}

/** */
function nodeTypes(subject: RankSubject): Finding[] {
  const { trace } = subject;
  const { type } = trace;
  const unknown = new Occurrences();
  const invalid = new Occurrences();
  const numbers = new Set<number>();
  for (let node = 0; node < trace.length; node++) {
    if (type[node] === NodeType.invalid) subject.add(invalid, node);
    else if (type[node] > NodeType.collective) {
      subject.add(unknown, node);
      numbers.add(type[node]);
    }
  }
  const types = [...numbers].sort((left, right) => left - right).map(typeText);
  const expected = `known are 1 ${nodeTypeName(1)} to 7 ${nodeTypeName(7)}`;
  return [
    ...subject.told(unknown, 'NODE_TYPE_UNKNOWN', 'node', `of type ${types.join(', ')}, ${expected}`),
    ...subject.told(invalid, 'NODE_TYPE_INVALID', 'node', 'of type 0 INVALID_NODE'),
  ];
}

/** The column holds 255 for every number above 254. */
function typeText(type: number): string {
  return type === 255 ? 'above 254' : String(type);
}

/** what is in or behind a cycle, in the dependencies that hold nodes back. */
function startable(subject: RankSubject): Finding[] {
  const { trace, place, deps } = subject;
  const { neverStart, firstNeverStart } = subject.components(subject.waiting);
  if (neverStart === 0) return [];
  const nodes = [subject.id(firstNeverStart)];
  const kinds = deps === 'data' ? 'data dependencies' : 'dependencies';
  if (neverStart === trace.length) {
    const waits = hasCycle(subject.components(subject.waiting))
      ? 'waits for another one'
      : 'waits for itself or for one that does';
    const who =
      neverStart === 1 ? 'the only node depends on itself' : `each of the ${grouped(neverStart)} nodes ${waits}`;
    const message = `rank ${trace.rank}: ${who}, by its ${kinds}`;
    return [finding('NO_INITIAL_NODE', message, { ...place, ...dataAdvice(subject), count: neverStart, nodes })];
  }
  const message =
    `rank ${trace.rank}: ${counted(neverStart, 'node')} of ${grouped(trace.length)} can never start` +
    neverStartText(subject, subject.waiting, kinds);
  return [finding('NODES_NEVER_START', message, { ...place, ...dataAdvice(subject), count: neverStart, nodes })];
}

/**
 * Which nodes never start and why, behind their number: `, first 2 "loop": they are in a cycle of dependencies or behind
 * one`. One alone depends on itself, and so may several.
 */
export function neverStartText(subject: RankSubject, kind: DependencyKind, dependencies: string): string {
  const components = subject.components(kind);
  const { neverStart, firstNeverStart } = components;
  if (neverStart === 1) return `: node ${subject.label(firstNeverStart)} depends on itself`;
  const why = hasCycle(components)
    ? `they are in a cycle of ${dependencies} or behind one`
    : 'they depend on themselves, or wait for one that does';
  return `, first ${subject.label(firstNeverStart)}: ${why}`;
}

/** Whether some component has more than one node. */
function hasCycle({ count, member }: CyclicComponents): boolean {
  return member.length > count;
}

/** Where data dependencies alone are sound, or no node waits for another one in a circle, the way out. */
function dataAdvice(subject: RankSubject): { advice?: string } {
  if (subject.deps === 'both' && subject.components('data').count === 0) {
    return { advice: 'use --deps data: the data dependencies alone have no cycle' };
  }
  if (hasCycle(subject.components(subject.waiting))) return {};
  return { advice: 'drop the dependencies of nodes on themselves; validate --fix does' };
}

function mixedVersions(surveys: TracesetSubject['surveys']): Finding[] {
  const byVersion = byKey(surveys, ({ version, stored }) => {
    if (stored.schema !== CURRENT_SCHEMA) return `schema ${stored.schema}`;
    return version === '' ? 'no version' : JSON.stringify(version);
  });
  if (byVersion.size < 2) return [];
  const parts = [...byVersion].map(([written, [{ rank }, ...others]]) => {
    const count = others.length === 0 ? `rank ${rank}` : `${grouped(1 + others.length)} ranks from rank ${rank}`;
    return `${written} on ${count}`;
  });
  return [finding('SCHEMA_MIXED', `the ranks were written with different versions: ${parts.join(', ')}`)];
}
