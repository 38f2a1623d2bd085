import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import type { OpenGraph } from './open-graph.js';
import { compareIds, SlotState, type SlotTable } from './slot-table.js';

/**
 * Settles, at the end of the file, the dependencies on ids that no node has: one of data is an error unless it
 * is to be dropped, one of control is what converters leave of nesting and holds nothing back. What is dropped is
 * counted in the findings.
 *
 * @throws PrepError `DANGLING_DATA` (exit status 1)
 */
export function settleMissing(graph: OpenGraph, dropData: boolean): Finding[] {
  if (graph.named === 0) return [];
  const { slots, rank, file } = graph;
  const missing: number[] = [];
  for (let slot = 0; slot < slots.top; slot++) if (slots.state[slot] === SlotState.named) missing.push(slot);
  const data = waitingFor(graph, missing, false);
  const control = waitingFor(graph, missing, true);
  if (data.count > 0 && !dropData) {
    const { child, parent } = data.first;
    throw traceError(
      'DANGLING_DATA',
      `rank ${rank}, node ${idText(slots, child)} has a data dependency on ${idText(slots, parent)}, which the rank does not have`,
      [],
      'add the node or drop the dependency',
    );
  }
  const findings: Finding[] = [];
  for (const [code, kind, { count, first }] of [
    ['DANGLING_DATA', 'data', data],
    ['DANGLING_CONTROL', 'control', control],
  ] as const) {
    if (count === 0) continue;
    const message = `${count} ${kind} ${count === 1 ? 'dependency' : 'dependencies'} on missing nodes dropped`;
    const nodes = [idForJson(slots.idLow[first.child], slots.idHigh[first.child])];
    findings.push(finding(code, message, { severity: 'warning', rank, file, count, nodes }));
  }
  for (const slot of missing) {
    graph.satisfyChildren(slot);
    slots.release(slot);
  }
  graph.named = 0;
  return findings;
}

/** How many dependencies of one kind the missing ids have, and the one of the child with the lowest id. */
function waitingFor({ slots, edges }: OpenGraph, missing: readonly number[], control: boolean) {
  let count = 0;
  let first = { child: -1, parent: -1 };
  for (const parent of missing) {
    edges.forEach(slots.firstChild[parent], (child, controlOnly) => {
      if (controlOnly !== control) return;
      const earlier = count++ === 0 ? -1 : compareIds(slots, child, first.child);
      if (earlier < 0 || (earlier === 0 && compareIds(slots, parent, first.parent) < 0)) first = { child, parent };
    });
  }
  return { count, first };
}

function idText({ idLow, idHigh }: SlotTable, slot: number): string {
  return formatId(idLow[slot], idHigh[slot]);
}
