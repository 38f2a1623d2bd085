import { counted } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { COLLECTIVE_NAMES, CollectiveType, COMM_TYPE_ABSENT } from '../../../trace/collective-type.js';
import { isCommunication, isMemory, isTransfer, NodeType } from '../../../trace/node-type.js';
import { NodeFlag } from '../../../trace/rank-trace.js';
import { TRANSFER_NOUN, type Noun, type RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { censusOf, READER_ATTRIBUTES } from './attribute-census.js';
import { isAsStored } from '../stored-form.js';

/** What collectives, sends and receives must say (chakra-format section 19; astra-sim-semantics sections 3, 5, 11, 18). */
export const astraCommunicationRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['ASTRA_COMM_ON_CPU'], check: onHost },
  { scope: 'rank', codes: ['ASTRA_COLLECTIVE_TYPE', 'ASTRA_BROADCAST'], check: collectiveTypes },
  { scope: 'rank', codes: ['ASTRA_ATTRIBUTE_MISSING'], check: missingAttributes },
  { scope: 'rank', codes: ['ASTRA_ARM'], check: arms },
  { scope: 'rank', codes: ['ASTRA_END'], check: foreignEnds },
  { scope: 'rank', codes: ['ASTRA_SIZE_ZERO', 'ASTRA_GATHER_SMALL'], check: sizes },
  { scope: 'rank', codes: ['ASTRA_DIMENSIONS'], check: dimensions },
  { scope: 'rank', codes: ['ASTRA_TAG'], check: tags },
  { scope: 'rank', codes: ['ASTRA_GROUP_UNREAD'], check: unreadGroups },
];

const RUN: readonly number[] = [
  CollectiveType.allReduce,
  CollectiveType.allGather,
  CollectiveType.allToAll,
  CollectiveType.reduceScatter,
];
/** Splits beyond which no public system file goes; the number itself is in a file that is not at hand. */
export const USUAL_SPLITS = 64;
/** Tags are taken modulo this. */
export const TAG_LIMIT = 500_000_000;

function onHost(subject: RankSubject): Finding[] {
  const { type, flags } = subject.trace;
  const found = subject.where((node) => (flags[node] & NodeFlag.cpu) !== 0 && isCommunication(type[node]));
  return subject.told(found, 'ASTRA_COMM_ON_CPU', 'communication node', 'with is_cpu_op true');
}

/** One finding a type; numbers of no known collective together. A missing type is told as a missing attribute. */
function collectiveTypes(subject: RankSubject): Finding[] {
  const { type, commType } = subject.trace;
  const findings: Finding[] = [];
  COLLECTIVE_NAMES.forEach(({ schema }, number) => {
    if (RUN.includes(number)) return;
    const found = subject.where((node) => type[node] === NodeType.collective && commType[node] === number);
    const code = number === CollectiveType.broadcast ? 'ASTRA_BROADCAST' : 'ASTRA_COLLECTIVE_TYPE';
    findings.push(...subject.told(found, code, 'collective', `of type ${number} ${schema}`));
  });
  const unknown = subject.where(
    (node) => type[node] === NodeType.collective && commType[node] < 0 && commType[node] !== COMM_TYPE_ABSENT,
  );
  findings.push(...subject.told(unknown, 'ASTRA_COLLECTIVE_TYPE', 'collective', 'of a type that is none of 0 to 9'));
  return findings;
}

/**
 * Attributes without a default. A missing partner is an error of the common rules; an attribute with a value that
 * cannot be used is told by its arm.
 */
function missingAttributes(subject: RankSubject): Finding[] {
  const { type, commType, commSize, commTag } = subject.trace;
  const { present } = censusOf(subject);
  const missing = (attribute: keyof typeof READER_ATTRIBUTES, needs: (node: number) => boolean, noun: Noun) => {
    const { bit } = READER_ATTRIBUTES[attribute];
    const found = subject.where((node) => needs(node) && (present[node] & bit) === 0);
    return subject.told(found, 'ASTRA_ATTRIBUTE_MISSING', noun, `without ${attribute}`, { attribute });
  };
  return [
    ...missing(
      'comm_type',
      (node) => type[node] === NodeType.collective && commType[node] === COMM_TYPE_ABSENT,
      'collective',
    ),
    ...missing(
      'comm_size',
      (node) => isCommunication(type[node]) && Number.isNaN(commSize[node]),
      'communication node',
    ),
    ...missing('comm_tag', (node) => isTransfer(type[node]) && Number.isNaN(commTag[node]), TRANSFER_NOUN),
    ...missing('tensor_size', (node) => isMemory(type[node]), 'memory node'),
  ];
}

/** Any integer arm is converted; a group must be a text. Files in another form are told as such. */
function arms(subject: RankSubject): Finding[] {
  if (!isAsStored(subject.stored)) return [];
  return censusOf(subject).odd.flatMap(({ attribute, arm, integer, found }) => {
    if (integer && attribute !== 'pg_name') return [];
    const what = arm === 'UNSET' ? `with ${attribute} without a value` : `with ${attribute} in ${arm}`;
    // Only the roofline model asks for these on compute nodes.
    const mode = attribute === 'num_ops' ? { severity: 'note' as const } : {};
    return subject.told(found, 'ASTRA_ARM', 'node', what, { attribute, arm, ...mode });
  });
}

function foreignEnds(subject: RankSubject): Finding[] {
  const { foreign } = censusOf(subject);
  return subject.told(foreign, 'ASTRA_END', TRANSFER_NOUN, 'that names another rank as its own end');
}

function sizes(subject: RankSubject): Finding[] {
  const { type, commType, commSize } = subject.trace;
  const gathers = (node: number): boolean =>
    type[node] === NodeType.collective && commType[node] === CollectiveType.allGather;
  const empty = subject.where((node) => commSize[node] === 0 && (isTransfer(type[node]) || gathers(node)));
  let smallest = USUAL_SPLITS;
  const small = subject.where((node) => {
    if (!gathers(node) || !(commSize[node] > 0 && commSize[node] < USUAL_SPLITS)) return false;
    smallest = Math.min(smallest, commSize[node]);
    return true;
  });
  return [
    ...subject.told(empty, 'ASTRA_SIZE_ZERO', 'communication node', 'with comm_size 0'),
    ...subject.told(
      small,
      'ASTRA_GATHER_SMALL',
      'all-gather',
      small.count === 1 ? `of ${counted(smallest, 'byte')}` : `of few bytes, the smallest ${smallest}`,
    ),
  ];
}

/** `involved_dim` counts where a collective runs over all ranks; where it names a group it must be readable only. */
function dimensions(subject: RankSubject): Finding[] {
  const { kept, frameOffset, frameLength, group, groupNames } = subject.trace;
  const { present, badDimensions } = censusOf(subject);
  const { bit } = READER_ATTRIBUTES.involved_dim;
  const none = subject.where((node) => {
    if ((present[node] & bit) === 0 || kept === undefined) return false;
    if (group[node] >= 0 && groupNames[group[node]] !== '' && groupNames[group[node]] !== '0') return false;
    const list = kept.flagList(frameOffset[node], frameLength[node], 'involved_dim');
    return list !== undefined && !list.includes(true);
  });
  return [
    ...subject.told(badDimensions, 'ASTRA_DIMENSIONS', 'collective', 'with involved_dim that is no list of booleans'),
    ...subject.told(none, 'ASTRA_DIMENSIONS', 'collective', 'with involved_dim true for no dimension'),
  ];
}

function tags(subject: RankSubject): Finding[] {
  const { type, commTag } = subject.trace;
  const found = subject.where((node) => isTransfer(type[node]) && (commTag[node] < 0 || commTag[node] >= TAG_LIMIT));
  return subject.told(found, 'ASTRA_TAG', TRANSFER_NOUN, 'with a tag outside 0 to 499,999,999');
}

function unreadGroups(subject: RankSubject): Finding[] {
  const { type } = subject.trace;
  const { present } = censusOf(subject);
  const { comm_group, pg_name } = READER_ATTRIBUTES;
  const found = subject.where(
    (node) =>
      type[node] === NodeType.collective &&
      (present[node] & comm_group.bit) !== 0 &&
      (present[node] & pg_name.bit) === 0,
  );
  return subject.told(found, 'ASTRA_GROUP_UNREAD', 'collective', 'with comm_group and without pg_name');
}
