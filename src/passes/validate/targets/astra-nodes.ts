import { finding, type FindingCode } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import { NodeType } from '../../../trace/node-type.js';
import { NodeFlag } from '../../../trace/rank-trace.js';
import { counted, grouped } from '../occurrences.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { censusOf, READER_ATTRIBUTES } from './attribute-census.js';

/** Node types, and what compute and memory nodes must say (astra-sim-semantics sections 3, 4, 16, 18). */
export const astraNodeRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['ASTRA_NODE_TYPE'], check: unknownTypes },
  { scope: 'rank', codes: ['ASTRA_METADATA_NODE'], check: metadataNodes },
  { scope: 'rank', codes: ['ASTRA_NODE_SKIPPED'], check: skippedParents },
  { scope: 'rank', codes: ['ASTRA_STATISTICS', 'ASTRA_REMOTE_MEMORY'], check: otherOperators },
  { scope: 'rank', codes: ['ASTRA_ROOFLINE', 'ASTRA_LOCAL_MEMORY'], check: modes },
];

function unknownTypes(subject: RankSubject): Finding[] {
  const { rank, type } = subject.trace;
  return subject
    .where((node) => type[node] > NodeType.collective)
    .finding(
      'ASTRA_NODE_TYPE',
      (places, count) => `rank ${rank}: ${counted(count, 'node')} of a type that ASTRA-sim does not know: ${places}`,
      subject.place,
    );
}

/** Exits of expanded collectives are METADATA nodes (R-080), and so is process_group:init. */
function metadataNodes(subject: RankSubject): Finding[] {
  const { rank, type, collective } = subject.trace;
  let exits = 0;
  const found = subject.where((node) => {
    if (type[node] !== NodeType.metadata) return false;
    if (collective[node] >= 0) exits++;
    return true;
  });
  return found.finding(
    'ASTRA_METADATA_NODE',
    (places, count) => {
      let what = '';
      if (exits > 0 && count === 1) what = ', the exit of an expanded collective';
      else if (exits > 0) what = `, ${exits === count ? 'all' : grouped(exits)} of them exits of expanded collectives`;
      return `rank ${rank}: ${counted(count, 'METADATA node')}${what}: ${places}`;
    },
    { ...subject.place, ...(exits === 0 ? { advice: 'leave the node out, and declare groups in a group file' } : {}) },
  );
}

/** An INVALID node that no one waits for does no harm. */
function skippedParents(subject: RankSubject): Finding[] {
  const { length, rank, type, dataStart, dataTarget, controlStart, controlTarget } = subject.trace;
  if (!type.subarray(0, length).includes(NodeType.invalid)) return [];
  const waited = new Uint8Array(length);
  for (const [targets, edges] of [
    [dataTarget, dataStart[length]],
    [controlTarget, controlStart[length]],
  ] as const) {
    for (let edge = 0; edge < edges; edge++) if (targets[edge] >= 0) waited[targets[edge]] = 1;
  }
  return subject
    .where((node) => type[node] === NodeType.invalid && waited[node] === 1)
    .finding(
      'ASTRA_NODE_SKIPPED',
      (places, count) => `rank ${rank}: ${counted(count, 'INVALID node')} that others wait for: ${places}`,
      subject.place,
    );
}

/** Kinds of operators that its overlap statistics do not know. */
function otherOperators(subject: RankSubject): Finding[] {
  const { length, rank, type, flags } = subject.trace;
  let memory = 0;
  let host = 0;
  let invalid = 0;
  for (let node = 0; node < length; node++) {
    if (isMemory(type[node])) memory++;
    else if (type[node] === NodeType.compute && (flags[node] & NodeFlag.cpu) !== 0) host++;
    else if (type[node] === NodeType.invalid) invalid++;
  }
  const kinds = [
    ...(host > 0 ? [counted(host, 'CPU operation')] : []),
    ...(memory > 0 ? [counted(memory, 'memory node')] : []),
    ...(invalid > 0 ? [counted(invalid, 'INVALID node')] : []),
  ];
  if (kinds.length === 0) return [];
  const findings = [
    finding('ASTRA_STATISTICS', `rank ${rank}: statistics fail at ${kinds.join(', ')}`, {
      ...subject.place,
      count: host + memory + invalid,
    }),
  ];
  if (memory > 0) {
    const message = `rank ${rank}: ${memory === 1 ? '1 memory node needs' : `${grouped(memory)} memory nodes need`} a remote memory`;
    findings.push(finding('ASTRA_REMOTE_MEMORY', message, { ...subject.place, count: memory }));
  }
  return findings;
}

export function isMemory(type: number): boolean {
  return type === NodeType.memoryLoad || type === NodeType.memoryStore;
}

/** What only a mode of ASTRA-sim needs. */
function modes(subject: RankSubject): Finding[] {
  const { trace, place } = subject;
  const { rank, type, flags } = trace;
  const { present, emptyTensor } = censusOf(subject);
  const roofline = READER_ATTRIBUTES.num_ops.bit | READER_ATTRIBUTES.tensor_size.bit;
  const tensors = READER_ATTRIBUTES.inputs.bit | READER_ATTRIBUTES.outputs.bit;
  // Without the places, so that ranks that say the same are printed in one line.
  const note = (code: FindingCode, lacks: (node: number) => boolean, noun: string, what: string): Finding[] =>
    subject.where(lacks).finding(code, (_, count) => `rank ${rank}: ${counted(count, noun)} without ${what}`, place);
  return [
    ...note(
      'ASTRA_ROOFLINE',
      (node) =>
        type[node] === NodeType.compute &&
        (flags[node] & NodeFlag.cpu) === 0 &&
        (present[node] & roofline) !== roofline,
      'device compute node',
      'num_ops or tensor_size',
    ),
    ...emptyTensor.finding(
      'ASTRA_ROOFLINE',
      (_, count) => `rank ${rank}: ${counted(count, 'compute node')} with a tensor_size of 0`,
      place,
    ),
    ...note('ASTRA_LOCAL_MEMORY', (node) => (present[node] & tensors) !== tensors, 'node', 'inputs or outputs'),
  ];
}
