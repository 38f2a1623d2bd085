import type { FindingCode } from '../../../base/catalogue.js';
import { counted } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { isCommunication, isMemory, isTransfer, NodeType } from '../../../trace/node-type.js';
import { NodeFlag } from '../../../trace/rank-trace.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { censusOf, READER_ATTRIBUTES, type ReaderAttributeName } from './attribute-census.js';
import { isFeederJson } from './feeder-files.js';
import { isAsStored } from '../stored-form.js';

/** Attributes and their oneof arms (chakra-format sections 4, 18). */
export const feederAttributeRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['FEEDER_ARM', 'FEEDER_ATTRIBUTE_REPEATED'], check: values },
  { scope: 'rank', codes: ['FEEDER_ATTRIBUTE_ABSENT', 'FEEDER_OPTIONAL_ABSENT', 'FEEDER_GROUP_UNREAD'], check: absent },
  { scope: 'rank', codes: ['FEEDER_SIDE_ABSENT'], check: sideAbsent },
];

/** A 0 in another arm is read as 0, which is right, and has no finding. */
function values(subject: RankSubject): Finding[] {
  if (!isAsStored(subject.stored)) return [];
  const { rank } = subject.trace;
  const { odd, repeated } = censusOf(subject);
  return [
    ...odd.flatMap(({ attribute, arm, found }) =>
      found.finding(
        'FEEDER_ARM',
        (places, count) => {
          const held = arm === 'UNSET' ? `${attribute} without a value` : `${attribute} in ${arm}`;
          const expected = READER_ATTRIBUTES[attribute].arm;
          return `rank ${rank}: ${counted(count, 'node')} with ${held}, expected ${expected}: ${places}`;
        },
        { ...subject.place, attribute, arm },
      ),
    ),
    ...[...repeated].flatMap(([attribute, found]) =>
      found.finding(
        'FEEDER_ATTRIBUTE_REPEATED',
        (places, count) => `rank ${rank}: ${counted(count, 'node')} with two values of ${attribute}: ${places}`,
        { ...subject.place, attribute },
      ),
    ),
  ];
}

/** A missing partner is an error of the common rules. */
function absent(subject: RankSubject): Finding[] {
  if (isFeederJson(subject)) return [];
  const { rank, type } = subject.trace;
  const { present } = censusOf(subject);
  const communicates = (node: number): boolean => isCommunication(type[node]);
  const transfers = (node: number): boolean => isTransfer(type[node]);
  const collectives = (node: number): boolean => type[node] === NodeType.collective;
  const lacks = (
    code: FindingCode,
    attribute: ReaderAttributeName,
    needs: (node: number) => boolean,
    noun: string,
    what = `without ${attribute}`,
  ): Finding[] =>
    subject
      .where((node) => needs(node) && (present[node] & READER_ATTRIBUTES[attribute].bit) === 0)
      .finding(
        code,
        // A note says no places, so that ranks that say the same are printed in one line.
        (places, count) =>
          `rank ${rank}: ${counted(count, noun)} ${what}${code === 'FEEDER_OPTIONAL_ABSENT' ? '' : `: ${places}`}`,
        { ...subject.place, attribute },
      );
  const groups = (node: number): boolean =>
    collectives(node) && (present[node] & READER_ATTRIBUTES.comm_group.bit) !== 0;
  return [
    ...lacks('FEEDER_ATTRIBUTE_ABSENT', 'comm_type', collectives, 'collective'),
    ...lacks('FEEDER_ATTRIBUTE_ABSENT', 'comm_size', communicates, 'communication node'),
    ...lacks('FEEDER_ATTRIBUTE_ABSENT', 'comm_tag', transfers, 'send or receive'),
    ...lacks('FEEDER_ATTRIBUTE_ABSENT', 'tensor_size', (node) => isMemory(type[node]), 'memory node'),
    ...lacks('FEEDER_OPTIONAL_ABSENT', 'comm_priority', communicates, 'communication node'),
    ...lacks('FEEDER_OPTIONAL_ABSENT', 'tensor_size', (node) => type[node] === NodeType.compute, 'compute node'),
    ...lacks('FEEDER_GROUP_UNREAD', 'pg_name', groups, 'collective', 'with comm_group and without pg_name'),
  ];
}

/** An exit of an expanded collective, or another METADATA node, is on no side. */
function sideAbsent(subject: RankSubject): Finding[] {
  if (isFeederJson(subject)) return [];
  const { rank, type, flags } = subject.trace;
  return subject
    .where((node) => (flags[node] & NodeFlag.cpuGiven) === 0 && type[node] > NodeType.metadata)
    .finding(
      'FEEDER_SIDE_ABSENT',
      (_, count) => `rank ${rank}: ${counted(count, 'node')} without is_cpu_op`,
      subject.place,
    );
}
