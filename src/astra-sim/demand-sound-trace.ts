import { counted } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { findCyclicComponents, shortestCycle } from '../trace/cycles.js';
import { nodeLabel, nodeName } from '../trace/node-label.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { placeOf } from './node-place.js';

/** Nodes of a cycle that a message names. */
const NAMED_NODES = 6;

/**
 * Refuses a trace that the program does not load, or parts of which would never run (astra-sim-semantics section 3).
 * @throws PrepError `NO_NODES`, `DANGLING_DATA`, `DANGLING_CONTROL`, `CYCLE`, `SELF_DATA`, `SELF_CONTROL`
 */
export function demandSoundTrace(trace: RankTrace, deps: 'both' | 'data'): void {
  const { rank, file, length } = trace;
  if (length === 0) {
    throw traceError('NO_NODES', `rank ${rank}: ${file} has no nodes; expected one or more, ASTRA-sim refuses it`);
  }
  demandNoDangling(trace, deps);
  demandNoCycle(trace, deps);
}

function demandNoDangling(trace: RankTrace, deps: 'both' | 'data'): void {
  for (const kind of deps === 'data' ? (['data'] as const) : (['data', 'control'] as const)) {
    const start = kind === 'data' ? trace.dataStart : trace.controlStart;
    const target = kind === 'data' ? trace.dataTarget : trace.controlTarget;
    const edge = target.findIndex((dependency) => dependency < 0);
    if (edge < 0) continue;
    let index = 0;
    while (start[index + 1] <= edge) index++;
    const missing = -1 - target[edge];
    const id = formatId(trace.danglingLow[missing], trace.danglingHigh[missing]);
    const others = target.filter((dependency) => dependency < 0).length - 1;
    const more =
      others === 0 ? '' : `; ${counted(others, 'more such dependency', 'more such dependencies')} on this rank`;
    throw traceError(
      kind === 'data' ? 'DANGLING_DATA' : 'DANGLING_CONTROL',
      `${placeOf(trace, index).label}: ${kind} dependency on ${id}, which no node has${more}`,
      [],
      'drop the dependency; validate --fix does',
    );
  }
}

function demandNoCycle(trace: RankTrace, deps: 'both' | 'data'): void {
  const components = findCyclicComponents(trace, deps);
  if (components.count === 0) return;
  const { nodes, edges } = shortestCycle(trace, components, 0);
  const label = (index: number): string =>
    nodeLabel(formatId(trace.idLow[index], trace.idHigh[index]), nodeName(trace, index));
  const stuck =
    components.neverStart === trace.length
      ? 'no node of the rank can start'
      : `${counted(components.neverStart, 'node')} of ${trace.length} can never start`;
  if (nodes.length === 1) {
    const message = `${placeOf(trace, nodes[0]).label} has a ${edges[0]} dependency on itself; ${stuck}`;
    throw traceError(edges[0] === 'data' ? 'SELF_DATA' : 'SELF_CONTROL', message, [], 'drop the dependency');
  }
  const named = nodes.slice(0, NAMED_NODES).map(label);
  if (nodes.length > NAMED_NODES) named.push(`… ${nodes.length - NAMED_NODES} more …`);
  const chain = [...named, label(nodes[0])].join(' waits for ');
  throw traceError(
    'CYCLE',
    `rank ${trace.rank}: cycle of ${nodes.length} nodes: ${chain}; ${stuck}`,
    [],
    'break the cycle: drop one of these dependencies',
  );
}
