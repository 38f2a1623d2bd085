import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { MAX_EXACT } from '../../base/units.js';
import { COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN, CollectiveType } from '../../trace/collective-type.js';
import { isCommunication, isMemory, NodeType } from '../../trace/node-type.js';
import { NodeFlag } from '../../trace/rank-trace.js';
import { Occurrences } from '../occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule } from './rule.js';

/**
 * What communication and compute nodes must say. That a value is in an unusual oneof arm, or cannot be used, is found
 * where the file is read.
 */
export const attributeRules: readonly RankRule[] = [
  {
    scope: 'rank',
    codes: ['COMM_SIZE_MISSING', 'COMM_TYPE_MISSING', 'COMM_TYPE_UNKNOWN', 'COMM_ON_CPU'],
    check: communication,
  },
  { scope: 'rank', codes: ['DURATIONS_ABSENT', 'NODE_IDLE', 'NUMBER_TOO_LARGE'], check: work },
  { scope: 'rank', codes: ['SIDE_PARTIAL', 'START_TIMES_PARTIAL'], check: partly },
];

/** a barrier needs no size. */
function communication(subject: RankSubject): Finding[] {
  const { length, type, flags, commType, commSize } = subject.trace;
  const sizeless = new Occurrences();
  const typeless = new Occurrences();
  const unknown = new Occurrences();
  const onCpu = new Occurrences();
  for (let node = 0; node < length; node++) {
    if (!isCommunication(type[node])) continue;
    if ((flags[node] & NodeFlag.cpu) !== 0) subject.add(onCpu, node);
    const isCollective = type[node] === NodeType.collective;
    if (Number.isNaN(commSize[node]) && !(isCollective && commType[node] === CollectiveType.barrier)) {
      subject.add(sizeless, node);
    }
    if (!isCollective || commType[node] >= 0) continue;
    if (commType[node] === COMM_TYPE_ABSENT) subject.add(typeless, node);
    if (commType[node] === COMM_TYPE_UNKNOWN) subject.add(unknown, node);
  }
  return [
    ...subject.told(sizeless, 'COMM_SIZE_MISSING', 'communication node', 'without comm_size (bytes)'),
    ...subject.told(typeless, 'COMM_TYPE_MISSING', 'collective', 'without comm_type'),
    ...subject.told(
      unknown,
      'COMM_TYPE_UNKNOWN',
      'collective',
      'with a comm_type that is none of 0 ALL_REDUCE to 9 BARRIER',
    ),
    ...subject.told(onCpu, 'COMM_ON_CPU', 'communication node', 'with is_cpu_op true'),
  ];
}

/** The longest duration that is a whole number of picoseconds below 2^53, µs. */
const LONGEST_MICROS = MAX_EXACT / 1e6;

/**
 * Compute and memory nodes that state no work, by duration, operations or bytes, beside others that do, and those that
 * last longer than time is counted.
 */
function work(subject: RankSubject): Finding[] {
  const { length, type, flags, durationMicros, rank } = subject.trace;
  const idleCompute = new Occurrences();
  const idleMemory = new Occurrences();
  const tooLong = new Occurrences();
  let longest = 0;
  let compute = 0;
  let timed = 0;
  let memory = 0;
  for (let node = 0; node < length; node++) {
    if (durationMicros[node] > LONGEST_MICROS && isTimed(type[node])) {
      subject.add(tooLong, node);
      longest = Math.max(longest, durationMicros[node]);
    }
    if (type[node] === NodeType.compute) {
      compute++;
      if (durationMicros[node] > 0) timed++;
      else if ((flags[node] & NodeFlag.work) === 0) subject.add(idleCompute, node);
    } else if (isMemory(type[node])) {
      memory++;
      if (!(durationMicros[node] > 0) && (flags[node] & NodeFlag.work) === 0) subject.add(idleMemory, node);
    }
  }
  const findings = tooLong.finding(
    'NUMBER_TOO_LARGE',
    (places, count) =>
      `rank ${rank}: ${counted(count, 'node')} of a duration above 2^53 ps (9007 s), up to ${grouped(longest)} µs: ${places}`,
    { ...subject.place, advice: 'check the unit: --assume duration-unit=ns reads nanoseconds' },
  );
  if (compute > 0 && timed === 0) {
    const message =
      compute === 1
        ? `rank ${rank}: the only compute node has no duration_micros`
        : `rank ${rank}: none of the ${grouped(compute)} compute nodes has duration_micros`;
    findings.push(finding('DURATIONS_ABSENT', message, { ...subject.place, count: compute }));
  }
  for (const [what, idle, all] of [
    ['compute', idleCompute, compute],
    ['memory', idleMemory, memory],
  ] as const) {
    if (idle.count === all) continue; // none of them says more
    findings.push(
      ...idle.finding(
        'NODE_IDLE',
        (places, count) =>
          `rank ${rank}: ${grouped(count)} of ${grouped(all)} ${what} nodes ${count === 1 ? 'has' : 'have'} ` +
          `neither duration_micros nor num_ops nor tensor_size: ${places}`,
        subject.place,
      ),
    );
  }
  return findings;
}

function isTimed(type: number): boolean {
  return type === NodeType.compute || type === NodeType.memoryLoad || type === NodeType.memoryStore;
}

/**
 * What is stated on some nodes and left open on others. Metadata nodes do nothing on either side, and nodes that a pass
 * added have no time of their own.
 */
function partly(subject: RankSubject): Finding[] {
  const { length, type, flags, collective, rank } = subject.trace;
  const sideless = new Occurrences();
  const timeless = new Occurrences();
  let sided = 0;
  let started = 0;
  for (let node = 0; node < length; node++) {
    if (type[node] === NodeType.metadata || type[node] === NodeType.invalid || collective[node] >= 0) continue;
    if ((flags[node] & NodeFlag.cpuGiven) !== 0) sided++;
    else subject.add(sideless, node);
    if ((flags[node] & NodeFlag.startTime) !== 0) started++;
    else subject.add(timeless, node);
  }
  return [
    ...(sided === 0
      ? []
      : sideless.finding(
          'SIDE_PARTIAL',
          (places, count) =>
            `rank ${rank}: is_cpu_op (CPU or device) is on ${counted(sided, 'node')} and not on ` +
            `${grouped(count)} ${count === 1 ? 'other' : 'others'}: ${places}`,
          subject.place,
        )),
    ...(started === 0
      ? []
      : timeless.finding(
          'START_TIMES_PARTIAL',
          (places, count) =>
            `rank ${rank}: start_time_micros is on ${counted(started, 'node')} and not on ` +
            `${grouped(count)} ${count === 1 ? 'other' : 'others'}: ${places}`,
          subject.place,
        )),
  ];
}
