import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN, CollectiveType } from '../../trace/collective-type.js';
import { NodeType } from '../../trace/node-type.js';
import { NodeFlag } from '../../trace/rank-trace.js';
import { counted, grouped } from './occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule } from './rule.js';

/**
 * What communication and compute nodes must say. That a value is in an unusual oneof arm, or no number, is found
 * where the file is read.
 */
export const attributeRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['COMM_SIZE_MISSING'], check: missingSizes },
  { scope: 'rank', codes: ['COMM_TYPE_MISSING'], check: missingTypes },
  { scope: 'rank', codes: ['COMM_TYPE_UNKNOWN'], check: unknownTypes },
  { scope: 'rank', codes: ['COMM_ON_CPU'], check: communicationOnCpu },
  { scope: 'rank', codes: ['DURATIONS_ABSENT'], check: durationsAbsent },
];

/** a barrier needs no size. */
function missingSizes(subject: RankSubject): Finding[] {
  const { type, commType, commSize, rank } = subject.trace;
  return subject
    .where(
      (node) =>
        Number.isNaN(commSize[node]) &&
        (type[node] === NodeType.send ||
          type[node] === NodeType.receive ||
          (type[node] === NodeType.collective && commType[node] !== CollectiveType.barrier)),
    )
    .finding(
      'COMM_SIZE_MISSING',
      (places, count) => `rank ${rank}: ${counted(count, 'communication node')} without comm_size (bytes): ${places}`,
      subject.place,
    );
}

/** */
function missingTypes(subject: RankSubject): Finding[] {
  const { type, commType, rank } = subject.trace;
  return subject
    .where((node) => type[node] === NodeType.collective && commType[node] === COMM_TYPE_ABSENT)
    .finding(
      'COMM_TYPE_MISSING',
      (places, count) => `rank ${rank}: ${counted(count, 'collective')} without comm_type: ${places}`,
      subject.place,
    );
}

function unknownTypes(subject: RankSubject): Finding[] {
  const { type, commType, rank } = subject.trace;
  return subject
    .where((node) => type[node] === NodeType.collective && commType[node] === COMM_TYPE_UNKNOWN)
    .finding(
      'COMM_TYPE_UNKNOWN',
      (places, count) =>
        `rank ${rank}: ${counted(count, 'collective')} with a comm_type that is none of 0 ALL_REDUCE to 9 BARRIER: ${places}`,
      subject.place,
    );
}

function communicationOnCpu(subject: RankSubject): Finding[] {
  const { type, flags, rank } = subject.trace;
  return subject
    .where(
      (node) => (flags[node] & NodeFlag.cpu) !== 0 && type[node] >= NodeType.send && type[node] <= NodeType.collective,
    )
    .finding(
      'COMM_ON_CPU',
      (places, count) => `rank ${rank}: ${counted(count, 'communication node')} with is_cpu_op true: ${places}`,
      subject.place,
    );
}

function durationsAbsent(subject: RankSubject): Finding[] {
  const { length, type, durationMicros, rank } = subject.trace;
  let compute = 0;
  for (let node = 0; node < length; node++) {
    if (type[node] !== NodeType.compute) continue;
    if (durationMicros[node] > 0) return [];
    compute++;
  }
  if (compute === 0) return [];
  const message =
    compute === 1
      ? `rank ${rank}: the only compute node has no duration_micros`
      : `rank ${rank}: none of the ${grouped(compute)} compute nodes has duration_micros`;
  return [finding('DURATIONS_ABSENT', message, { ...subject.place, count: compute })];
}
