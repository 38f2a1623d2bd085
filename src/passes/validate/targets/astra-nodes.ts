import { finding } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { isMemory, NodeType } from '../../../trace/node-type.js';
import { NodeFlag } from '../../../trace/rank-trace.js';
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
  const { type } = subject.trace;
  const found = subject.where((node) => type[node] > NodeType.collective);
  return subject.told(found, 'ASTRA_NODE_TYPE', 'node', 'of a type that ASTRA-sim does not know');
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
    subject.place,
  );
}

/** An INVALID node that no one waits for does no harm. */
function skippedParents(subject: RankSubject): Finding[] {
  const { length, type, dataStart, dataTarget, controlStart, controlTarget } = subject.trace;
  if (!type.subarray(0, length).includes(NodeType.invalid)) return [];
  const waited = new Uint8Array(length);
  for (const [targets, edges] of [
    [dataTarget, dataStart[length]],
    [controlTarget, controlStart[length]],
  ] as const) {
    for (let edge = 0; edge < edges; edge++) if (targets[edge] >= 0) waited[targets[edge]] = 1;
  }
  const found = subject.where((node) => type[node] === NodeType.invalid && waited[node] === 1);
  return subject.told(found, 'ASTRA_NODE_SKIPPED', 'INVALID node', 'that others wait for');
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

/** What only a mode of ASTRA-sim needs. */
function modes(subject: RankSubject): Finding[] {
  const { type, flags } = subject.trace;
  const { present, emptyTensor } = censusOf(subject);
  const roofline = READER_ATTRIBUTES.num_ops.bit | READER_ATTRIBUTES.tensor_size.bit;
  const tensors = READER_ATTRIBUTES.inputs.bit | READER_ATTRIBUTES.outputs.bit;
  const unmeasured = subject.where(
    (node) =>
      type[node] === NodeType.compute && (flags[node] & NodeFlag.cpu) === 0 && (present[node] & roofline) !== roofline,
  );
  const withoutTensors = subject.where((node) => (present[node] & tensors) !== tensors);
  return [
    ...subject.toldAlike(unmeasured, 'ASTRA_ROOFLINE', 'device compute node', 'without num_ops or tensor_size'),
    ...subject.toldAlike(emptyTensor, 'ASTRA_ROOFLINE', 'compute node', 'with a tensor_size of 0'),
    ...subject.toldAlike(withoutTensors, 'ASTRA_LOCAL_MEMORY', 'node', 'without inputs or outputs'),
  ];
}
