import type { FindingCode } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { collectiveId } from '../../collectives/survey.js';
import { collectiveName } from '../../trace/collective-type.js';
import { Occurrences } from '../occurrences.js';
import { tagFindings } from '../tag-space.js';
import type { TracesetRule, TracesetSubject } from './rule.js';

/** What planning finds that no other rule does; missing types, sizes and groups have rules of their own. */
const PAIRING: readonly FindingCode[] = [
  'COLLECTIVE_COUNT',
  'COLLECTIVE_TYPE',
  'COLLECTIVE_SIZE',
  'COLLECTIVE_ROOT',
  'ROOT_NOT_MEMBER',
  'ROOT_ASSUMED',
  'SPLITS_DISAGREE',
  'SPLITS_MISSING',
  'ALGORITHM_GROUP_SIZE',
  'ALGORITHM_ROOT',
  'ALGORITHM_SPLITS',
  'ALGORITHM_SIZE',
  'PREPARED_PARTLY',
  'ORDER_PARTIAL',
  'RANK_OUTSIDE_GROUP',
];

/** That the members of a group run the same collectives. */
export const collectiveRules: readonly TracesetRule[] = [
  {
    scope: 'traceset',
    codes: PAIRING,
    check: pairing,
  },
  { scope: 'traceset', codes: ['COMM_SIZE_ZERO'], check: zeroSizes },
  { scope: 'traceset', codes: ['NUMBER_TOO_LARGE'], check: tags },
];

/** What a rank without a trace would have run is not known; that it is missing is an error of its own. */
function pairing({ surveys, plan, groups }: TracesetSubject): Finding[] {
  const ranks = new Set(surveys.map(({ rank }) => rank));
  const known = (name: string | undefined): boolean =>
    name === undefined || (groups.get(name)?.ranks.every((rank) => ranks.has(rank)) ?? true);
  return plan.findings
    .filter(
      ({ code, group }) =>
        (PAIRING as readonly string[]).includes(code) && (code !== 'COLLECTIVE_COUNT' || known(group)),
    )
    .map(firstOfSeveral);
}

/** Planning tells of the first occurrence and counts the others; only here nobody adds the count. */
function firstOfSeveral(found: Finding): Finding {
  const { code, count = 1, message } = found;
  if (count === 1 || code === 'RANK_OUTSIDE_GROUP') return found;
  return { ...found, message: `${message} (the first of ${grouped(count)})` };
}

/** a size of 0 on all members is legal; on some of them it is a mistake. */
function zeroSizes({ surveys, plan }: TracesetSubject): Finding[] {
  return surveys.flatMap(({ rank, file, collectives }) => {
    const { node, instance } = plan.ranks[rank];
    const found = new Occurrences();
    let first = '';
    for (let entry = 0, place = 0; entry < node.length; entry++) {
      // Both lists are in ascending id; the plan leaves some out.
      while (collectives.node[place] !== node[entry]) place++;
      const { type, size, group, instance: number } = plan.instances[instance[entry]];
      if (collectives.size[place] !== 0 || size === 0) continue;
      if (found.count === 0)
        first = `${collectiveName(type)} ${number} of ${group.name}, which has ${grouped(size)} bytes on another rank`;
      found.add(collectiveId(collectives, place));
    }
    return found.finding(
      'COMM_SIZE_ZERO',
      (places, count) =>
        `rank ${rank}: ${counted(count, 'collective')} with comm_size 0, ${count === 1 ? '' : 'the first '}${first}: ${places}`,
      { rank, file },
    );
  });
}

/** that the tags of expanded collectives and of barriers have room above those in the traces. */
function tags({ surveys, plan, context }: TracesetSubject): Finding[] {
  const sync = context.addedOrder?.sync ?? true;
  const advice = 'lower the largest comm_tag';
  return tagFindings(plan, surveys, { expand: true, sync })
    .filter(({ code }) => code === 'NUMBER_TOO_LARGE')
    .map((found) => ({ ...found, advice }));
}
