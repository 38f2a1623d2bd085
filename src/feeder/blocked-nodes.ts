import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import { findCyclicComponents, shortestCycle, type CyclicComponents, type DependencyGraph } from '../trace/cycles.js';
import type { OpenGraph } from './open-graph.js';
import { compareIds, SlotState } from './slot-table.js';

/** Cycles that get a finding of their own; the others are counted. */
const MOST_CYCLES = 5;
/** Nodes of a cycle that a message names, and that a finding lists. */
const NAMED_NODES = 6;
const MOST_NODES = 100;

/**
 * Why no node that is left can ever start, once nothing is in flight and the whole file was read: they are in cycles of
 * dependencies or behind one.
 */
export function blockedNodes(graph: OpenGraph): Finding[] {
  const { rank, file } = graph;
  const left = waitingNodes(graph);
  const components = findCyclicComponents(left, 'both');
  const id = (node: number): number | string => idForJson(left.idLow[node], left.idHigh[node]);
  const count = left.length;
  const findings = [
    finding('NODES_NEVER_START', `rank ${rank}: ${count} nodes can never start, first ${id(0)}`, {
      severity: 'error',
      rank,
      file,
      count,
      nodes: [id(0)],
    }),
  ];
  const shown = Math.min(components.count, MOST_CYCLES);
  for (let component = 0; component < shown; component++)
    findings.push(cycleFinding(graph, left, components, component));
  const rest = components.count - shown;
  if (rest > 0) {
    const message = `rank ${rank}: ${rest} further ${rest === 1 ? 'cycle' : 'cycles'} of dependencies`;
    findings.push(finding('CYCLE', message, { rank, file, count: rest }));
  }
  return findings;
}

/** The nodes left in ascending id, and their dependencies on each other. */
function waitingNodes({ slots, edges }: OpenGraph): DependencyGraph {
  const waiting: number[] = [];
  for (let slot = 0; slot < slots.top; slot++) if (slots.state[slot] === SlotState.waiting) waiting.push(slot);
  waiting.sort((one, other) => compareIds(slots, one, other));
  const length = waiting.length;
  const place = new Int32Array(slots.top);
  waiting.forEach((slot, node) => (place[slot] = node));
  const lists = [false, true].map((control) => {
    const start = new Uint32Array(length + 2);
    const visit = (use: (parent: number, child: number) => void): void => {
      waiting.forEach((slot, parent) => {
        edges.forEach(slots.firstChild[slot], (child, controlOnly) => {
          if (controlOnly === control) use(parent, place[child]);
        });
      });
    };
    // Counted one place too far on, so that filling moves every start to where it belongs.
    visit((_, child) => start[child + 2]++);
    for (let node = 1; node < start.length; node++) start[node] += start[node - 1];
    const target = new Int32Array(start[length + 1]);
    visit((parent, child) => (target[start[child + 1]++] = parent));
    return { start, target };
  });
  return {
    length,
    idLow: Uint32Array.from(waiting, (slot) => slots.idLow[slot]),
    idHigh: Uint32Array.from(waiting, (slot) => slots.idHigh[slot]),
    dataStart: lists[0].start,
    dataTarget: lists[0].target,
    controlStart: lists[1].start,
    controlTarget: lists[1].target,
  };
}

function cycleFinding(
  { rank, file }: OpenGraph,
  left: DependencyGraph,
  components: CyclicComponents,
  component: number,
): Finding {
  const { nodes, edges } = shortestCycle(left, components, component);
  const text = (node: number): string => formatId(left.idLow[node], left.idHigh[node]);
  const facts = {
    rank,
    file,
    nodes: nodes.slice(0, MOST_NODES).map((node) => idForJson(left.idLow[node], left.idHigh[node])),
    edges: edges.slice(0, MOST_NODES),
    cycleLength: nodes.length,
  };
  if (nodes.length === 1) {
    // Of a node that names itself in both lists the data dependency counts.
    const kind = left.dataTarget.subarray(left.dataStart[nodes[0]], left.dataStart[nodes[0] + 1]).includes(nodes[0])
      ? 'data'
      : 'control';
    const message = `rank ${rank}: node ${text(nodes[0])} has a ${kind} dependency on itself`;
    return finding(kind === 'data' ? 'SELF_DATA' : 'SELF_CONTROL', message, { ...facts, severity: 'error' });
  }
  const kinds = new Set(edges);
  const named = nodes.slice(0, NAMED_NODES).map(text);
  if (nodes.length > NAMED_NODES) named.push(`… ${nodes.length - NAMED_NODES} more …`);
  const through = kinds.size === 1 ? `${edges[0]} dependencies` : 'data and control dependencies together';
  const chain = [...named, text(nodes[0])].join(' waits for ');
  return finding('CYCLE', `rank ${rank}: cycle of ${nodes.length} nodes in ${through}: ${chain}`, facts);
}
