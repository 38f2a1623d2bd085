import { grouped } from '../base/counts.js';
import { collectiveName, isRooted } from '../trace/collective-type.js';
import type { AgreedCollective } from './agreement.js';
import type { Algorithm } from './algorithm.js';
import { ALGORITHMS } from './catalogue.js';
import type { FoldedFindings } from './folded-findings.js';
import type { GroupMembers } from './group-members.js';
import { largerBuffer } from './programs/program-algorithm.js';

/** Whether an algorithm is for a collective: for its group, its root, its split lists and its size. Adds what is not. */
export function demandFit(
  algorithm: Algorithm,
  { type, instance, size, root, group, splits }: AgreedCollective,
  { members }: GroupMembers,
  findings: FoldedFindings,
): void {
  const { length } = group.ranks;
  const { groupSize = length, madeFor } = algorithm;
  const { survey, places } = members[0];
  const add = (code: Parameters<FoldedFindings['addOnGroup']>[0], message: () => string): void =>
    findings.addOnGroup(code, group.name, survey, places[instance], message);
  const subject = (): string =>
    `${group.name}: ${collectiveName(type)} ${instance} (${size} bytes) with ${algorithm.name}`;
  if (length === 1) return; // nothing is moved
  if ((algorithm.powerOfTwo && (length & (length - 1)) !== 0) || groupSize !== length) {
    const needs = algorithm.powerOfTwo ? 'a power of two' : `${groupSize} ranks`;
    add(
      'ALGORITHM_GROUP_SIZE',
      () => `${subject()} needs ${needs}, the group has ${length} ranks; what fits: ${fittingNames(type)}`,
    );
    return;
  }
  if (isRooted(type) && algorithm.root !== undefined && algorithm.root !== root) {
    const [has, stated] = [algorithm.root, root].map(
      (position) => `rank ${group.ranks[position]} (position ${position})`,
    );
    add('ALGORITHM_ROOT', () => `${subject()} has its root at ${has}, the collective at ${stated}`);
  }
  if (algorithm.evenOnly === true && splits !== undefined) {
    add('ALGORITHM_SPLITS', () => `${subject()}: send_split_bytes do not count, equal parts of comm_size are sent`);
  }
  const bytes = largerBuffer(type, { groupSize: length, bytes: size, root });
  if (madeFor !== undefined && !(bytes >= madeFor.least && bytes <= madeFor.most)) {
    const most = madeFor.most === Infinity ? 'more' : grouped(madeFor.most);
    add(
      'ALGORITHM_SIZE',
      () =>
        `${subject()}: made for buffers of ${grouped(madeFor.least)} to ${most} bytes, these have ${grouped(bytes)}`,
    );
  }
}

/** Algorithms of a collective that run in a group of any size. */
function fittingNames(type: number): string {
  return ALGORITHMS[type]
    .filter(({ powerOfTwo }) => !powerOfTwo)
    .map(({ name }) => name)
    .join(', ');
}
