import type { Finding } from '../../../base/finding.js';
import { isCommunication, isMemory, isTransfer, NodeType } from '../../../trace/node-type.js';
import { NodeFlag } from '../../../trace/rank-trace.js';
import type { Occurrences } from '../../occurrences.js';
import { TRANSFER_NOUN, type Noun, type RankSubject } from '../rank-subject.js';
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
  const { odd, repeated } = censusOf(subject);
  return [
    ...odd.flatMap(({ attribute, arm, found }) => {
      const held = arm === 'UNSET' ? `${attribute} without a value` : `${attribute} in ${arm}`;
      const what = `with ${held}, expected ${READER_ATTRIBUTES[attribute].arm}`;
      return subject.told(found, 'FEEDER_ARM', 'node', what, { attribute, arm });
    }),
    ...[...repeated].flatMap(([attribute, found]) =>
      subject.told(found, 'FEEDER_ATTRIBUTE_REPEATED', 'node', `with two values of ${attribute}`, { attribute }),
    ),
  ];
}

/** A missing partner is an error of the common rules. */
function absent(subject: RankSubject): Finding[] {
  if (isFeederJson(subject)) return [];
  const { type } = subject.trace;
  const { present } = censusOf(subject);
  const communicates = (node: number): boolean => isCommunication(type[node]);
  const collectives = (node: number): boolean => type[node] === NodeType.collective;
  const lacking = (attribute: ReaderAttributeName, needs: (node: number) => boolean): Occurrences =>
    subject.where((node) => needs(node) && (present[node] & READER_ATTRIBUTES[attribute].bit) === 0);
  const demanded = (attribute: ReaderAttributeName, needs: (node: number) => boolean, noun: Noun): Finding[] =>
    subject.told(lacking(attribute, needs), 'FEEDER_ATTRIBUTE_ABSENT', noun, `without ${attribute}`, { attribute });
  const optional = (attribute: ReaderAttributeName, needs: (node: number) => boolean, noun: Noun): Finding[] =>
    subject.toldAlike(lacking(attribute, needs), 'FEEDER_OPTIONAL_ABSENT', noun, `without ${attribute}`, { attribute });
  const groups = (node: number): boolean =>
    collectives(node) && (present[node] & READER_ATTRIBUTES.comm_group.bit) !== 0;
  return [
    ...demanded('comm_type', collectives, 'collective'),
    ...demanded('comm_size', communicates, 'communication node'),
    ...demanded('comm_tag', (node) => isTransfer(type[node]), TRANSFER_NOUN),
    ...demanded('tensor_size', (node) => isMemory(type[node]), 'memory node'),
    ...optional('comm_priority', communicates, 'communication node'),
    ...optional('tensor_size', (node) => type[node] === NodeType.compute, 'compute node'),
    ...subject.told(
      lacking('pg_name', groups),
      'FEEDER_GROUP_UNREAD',
      'collective',
      'with comm_group and without pg_name',
      {
        attribute: 'pg_name',
      },
    ),
  ];
}

/** An exit of an expanded collective, or another METADATA node, is on no side. */
function sideAbsent(subject: RankSubject): Finding[] {
  if (isFeederJson(subject)) return [];
  const { type, flags } = subject.trace;
  const found = subject.where((node) => (flags[node] & NodeFlag.cpuGiven) === 0 && type[node] > NodeType.metadata);
  return subject.toldAlike(found, 'FEEDER_SIDE_ABSENT', 'node', 'without is_cpu_op');
}
