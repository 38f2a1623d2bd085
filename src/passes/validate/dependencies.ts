import { finding, type FindingCode } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding, Severity } from '../../base/finding.js';
import { shortestCycle, type CyclicComponents, type DependencyKind } from '../../trace/cycles.js';
import { danglingId } from '../../trace/listed-ids.js';
import { missingIds } from '../../trace/node-label.js';
import { Occurrences } from '../occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule } from './rule.js';

/** Dependencies on missing nodes, on the node itself, and in circles. A repeated id in one list is legal (R-040). */
export const dependencyRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['DANGLING_DATA', 'SELF_DATA'], check: (subject) => oddDependencies(subject, 'data') },
  {
    scope: 'rank',
    codes: ['DANGLING_CONTROL', 'SELF_CONTROL'],
    check: (subject) => oddDependencies(subject, 'control'),
  },
  { scope: 'rank', codes: ['CYCLE'], check: cycles },
];

/** Cycles of one kind that get a finding of their own; the others of the rank are counted. */
const MOST_CYCLES = 5;
/** Ids of one cycle that are listed. */
const MOST_IDS = 100;
/** Of these the message shows names. */
const NAMED_IDS = 6;

function oddDependencies(subject: RankSubject, kind: 'data' | 'control'): Finding[] {
  const { trace, place } = subject;
  const { rank, length } = trace;
  const start = kind === 'data' ? trace.dataStart : trace.controlStart;
  const targets = kind === 'data' ? trace.dataTarget : trace.controlTarget;
  const waiting = new Occurrences(); // nodes with a dangling dependency
  const self = new Occurrences();
  const missing = new Uint8Array(trace.danglingLow.length);
  let dangling = 0;
  let distinct = 0;
  let first = -1;
  for (let node = 0; node < length; node++) {
    let own = false;
    let waits = false;
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      const target = targets[edge];
      if (target === node) own = true;
      if (target >= 0) continue;
      const id = -1 - target;
      if (dangling++ === 0) first = id;
      if (missing[id] === 0) distinct++;
      missing[id] = 1;
      waits = true;
    }
    if (own) subject.add(self, node);
    if (waits) subject.add(waiting, node);
  }
  const [danglingCode, selfCode]: FindingCode[] =
    kind === 'data' ? ['DANGLING_DATA', 'SELF_DATA'] : ['DANGLING_CONTROL', 'SELF_CONTROL'];
  const facts = { ...place, ...severityOf(subject, kind) };
  return [
    ...waiting.finding(
      danglingCode,
      (places) =>
        `rank ${rank}: ${counted(dangling, `${kind} dependency`, `${kind} dependencies`)} on ` +
        `${missingIds(distinct, danglingId(trace, first))}: ${places}`,
      { ...facts, ...(dangling > 1 && { count: dangling }), missingIds: distinct },
    ),
    ...self.finding(
      selfCode,
      (places, count) =>
        count === 1
          ? `rank ${rank}: ${places} has a ${kind} dependency on itself`
          : `rank ${rank}: ${grouped(count)} nodes have a ${kind} dependency on themselves: ${places}`,
      facts,
    ),
  ];
}

/** Control dependencies hold nothing back under `--deps data`: what is wrong with them is a note then. */
function severityOf(subject: RankSubject, kind: DependencyKind): { severity?: Severity; advice?: string } {
  if (kind === 'data' || subject.deps === 'both') return {};
  return { severity: 'note', advice: 'nothing to do with --deps data: control dependencies hold no node back' };
}

function cycles(subject: RankSubject): Finding[] {
  const { trace } = subject;
  const data = subject.components('data');
  const findings = cyclesOf(subject, data, () => false);
  if (trace.controlTarget.length === 0) return findings;
  const control = subject.components('control');
  findings.push(...cyclesOf(subject, control, () => false));
  // Only what neither kind closes alone: a component with such a cycle in it was reported with its kind.
  const alone = (node: number): boolean => inCycle(data, node) || inCycle(control, node);
  findings.push(...cyclesOf(subject, subject.components('both'), alone));
  return findings;
}

function inCycle(components: CyclicComponents, node: number): boolean {
  return components.count > 0 && components.componentOf[node] >= 0 && !isSelf(components, components.componentOf[node]);
}

/** A component of one node is a self dependency, which has a code of its own. */
function isSelf({ memberStart }: CyclicComponents, component: number): boolean {
  return memberStart[component + 1] - memberStart[component] === 1;
}

function cyclesOf(subject: RankSubject, components: CyclicComponents, skip: (node: number) => boolean): Finding[] {
  const { count, memberStart, member, kind } = components;
  const shown: number[] = [];
  let found = 0;
  for (let component = 0; component < count; component++) {
    if (isSelf(components, component)) continue;
    if (member.subarray(memberStart[component], memberStart[component + 1]).some(skip)) continue;
    if (found++ < MOST_CYCLES) shown.push(component);
  }
  if (found === 0) return [];
  const facts = {
    ...subject.place,
    kind,
    // As `inspect` counts them: self dependencies included.
    components: count,
    componentNodes: member.length,
    ...(severityOf(subject, kind).severity === undefined ? adviceFor(subject, kind) : severityOf(subject, kind)),
  };
  const findings = shown.map((component) => cycleFinding(subject, components, component, facts));
  const rest = found - shown.length;
  if (rest > 0) {
    const message =
      `rank ${subject.trace.rank}: ${counted(rest, 'further cycle')} in ${kindText(kind)}; with self dependencies ` +
      `${counted(count, 'cyclic component')} over ${counted(member.length, 'node')}`;
    findings.push(finding('CYCLE', message, { ...facts, count: rest }));
  }
  return findings;
}

function cycleFinding(
  subject: RankSubject,
  components: CyclicComponents,
  component: number,
  facts: Partial<Finding>,
): Finding {
  const { nodes, edges } = shortestCycle(subject.trace, components, component);
  const link = (place: number): string => {
    const name = subject.label(nodes[place % nodes.length]);
    return place > 0 && components.kind === 'both' ? `(${edges[place - 1]}) ${name}` : name;
  };
  const shown = Array.from({ length: Math.min(nodes.length, NAMED_IDS) }, (_, place) => link(place));
  if (nodes.length > NAMED_IDS) shown.push(`… ${counted(nodes.length - NAMED_IDS, 'node')} more …`);
  const chain = [...shown, link(nodes.length)].join(' waits for ');
  const message = `rank ${subject.trace.rank}: cycle of ${counted(nodes.length, 'node')} in ${kindText(components.kind)}: ${chain}`;
  return finding('CYCLE', message, {
    ...facts,
    nodes: nodes.slice(0, MOST_IDS).map((node) => subject.id(node)),
    edges: edges.slice(0, MOST_IDS),
    cycleLength: nodes.length,
  });
}

function kindText(kind: DependencyKind): string {
  return kind === 'both' ? 'data and control dependencies together' : `${kind} dependencies`;
}

function adviceFor(subject: RankSubject, kind: DependencyKind): { advice: string } {
  if (kind === 'data') return { advice: 'break the cycle: drop one of these dependencies' };
  if (subject.components('data').count === 0) {
    return { advice: 'use --deps data: the data dependencies alone have no cycle' };
  }
  return { advice: 'break the cycle; --deps data alone does not help, the data dependencies have cycles too' };
}
