import { counted, grouped } from '../../../base/counts.js';
import { finding } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import { isExpanded } from '../../../collectives/survey.js';
import { WORLD, type ProcessGroup } from '../../../trace/process-group.js';
import type { TracesetRule, TracesetSubject } from '../rule.js';

/** Process groups as ASTRA-sim reads them (chakra-format sections 8, 15; astra-sim-semantics sections 1, 9, 19). */
export const astraGroupRules: readonly TracesetRule[] = [
  { scope: 'traceset', codes: ['ASTRA_GROUP_NAME'], check: names },
  { scope: 'traceset', codes: ['ASTRA_GROUP_ZERO'], check: zero },
  { scope: 'traceset', codes: ['ASTRA_GROUP_UNKNOWN', 'ASTRA_GROUP_FILE'], check: unknown },
  { scope: 'traceset', codes: ['ASTRA_WORLD_AFTER_GROUP'], check: worldAfterGroup },
];

/** Origins of groups that no group file declares. */
const OTHER_ORIGINS = ['metadata', 'process_group:init', 'world', 'use'];

/** The number that the C++ function stoi reads off a text; `undefined` where it throws. */
export function stoi(text: string): number | undefined {
  const digits = /^[ \t\n\v\f\r]*([+-]?[0-9]+)/.exec(text);
  const value = digits === null ? NaN : Number(digits[1]);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}

/** Names that collective nodes give, '0' among them; an expanded collective is none to ASTRA-sim, and its transfers look up no group. */
function namesInUse({ surveys }: TracesetSubject): Set<string> {
  const used = new Set<string>();
  for (const { collectives, groups } of surveys) {
    const { group, groupNames } = collectives;
    group.forEach((index, place) => {
      const name = groupNames[index];
      // Collectives without a name are listed under that of the world.
      if (!isExpanded(collectives, place) && (name !== WORLD || groups.spellsWorld)) used.add(name);
    });
  }
  return used;
}

/** Those that ASTRA-sim looks up. */
function lookedUp(subject: TracesetSubject): string[] {
  return [...namesInUse(subject)].filter((name) => name !== '' && name !== '0').sort();
}

function fileGroups({ groups }: TracesetSubject): ProcessGroup[] {
  return [...groups.values()].filter(({ origin }) => !OTHER_ORIGINS.includes(origin));
}

/** Keys of the group file are read whether they are used or not. */
function names(subject: TracesetSubject): Finding[] {
  const findings: Finding[] = [];
  const file = fileGroups(subject);
  for (const name of [...new Set([...lookedUp(subject), ...file.map((group) => group.name)])].sort()) {
    if (stoi(name) !== undefined) continue;
    const message = `group ${JSON.stringify(name)} does not begin with a number that fits in 32 bits`;
    findings.push(finding('ASTRA_GROUP_NAME', message, { group: name }));
  }
  const byNumber = new Map<number, string>();
  for (const { name } of file) {
    const number = stoi(name);
    if (number === undefined) continue;
    const earlier = byNumber.get(number);
    if (earlier === undefined) byNumber.set(number, name);
    else {
      const message = `groups ${JSON.stringify(earlier)} and ${JSON.stringify(name)} of the group file are both number ${number}`;
      findings.push(finding('ASTRA_GROUP_NAME', message, { group: name }));
    }
  }
  return findings;
}

function zero(subject: TracesetSubject): Finding[] {
  const { groups, context } = subject;
  const group = groups.get('0');
  if (group === undefined || !namesInUse(subject).has('0')) return [];
  if (new Set(group.ranks).size === context.worldSize) return [];
  const message = `group "0" has ${group.ranks.length} of ${context.worldSize} ranks, and collectives use it`;
  return [finding('ASTRA_GROUP_ZERO', message, { group: '0' })];
}

/** What is declared nowhere is an error of the common rules. */
function unknown(subject: TracesetSubject): Finding[] {
  const file = fileGroups(subject);
  const wanted = lookedUp(subject);
  const findings: Finding[] = [];
  const numbers = new Set(file.map(({ name }) => stoi(name)));
  const told = new Set(subject.groupFindings.filter(({ severity }) => severity === 'error').map(({ group }) => group));
  for (const name of wanted) {
    const number = stoi(name);
    if (number === undefined || numbers.has(number) || told.has(name)) continue;
    const origin = subject.groups.get(name)?.origin;
    const where = origin === undefined ? '' : `, it comes from ${ORIGIN_TEXT[origin] ?? origin}`;
    const message = `group ${JSON.stringify(name)} is not in a group file${where}`;
    findings.push(finding('ASTRA_GROUP_UNKNOWN', message, { group: name }));
  }
  const path = file.find(({ origin }) => origin.includes('empty'))?.origin;
  if (path !== undefined && wanted.length > 0) {
    findings.push(
      finding('ASTRA_GROUP_FILE', `${path}: the path has the word "empty" in it, and collectives use groups`),
    );
  }
  return findings;
}

const ORIGIN_TEXT: Readonly<Record<string, string>> = {
  metadata: 'the metadata of the traces',
  'process_group:init': 'process_group:init nodes',
  use: 'the ranks that use it',
};

function ofGroups(count: number): string {
  return count === 0 ? 'no collective of a group' : counted(count, 'collective of a group', 'collectives of groups');
}

/** In the order of ids, which is the order in which it issues what is ready at once. */
function worldAfterGroup({ surveys, plan, context }: TracesetSubject): Finding[] {
  // At the exit of an expanded collective it aborts.
  if (surveys.some(({ collectives }) => collectives.state.some((_, place) => isExpanded(collectives, place))))
    return [];
  const { instances, ranks } = plan;
  const expected = new Map<number, { rank: number; before: number }>(); // instance → groups' collectives before it
  for (let rank = 0; rank < ranks.length; rank++) {
    let before = 0;
    for (const entry of ranks[rank].instance) {
      const { group, instance } = instances[entry];
      if (group.ranks.length < context.worldSize) {
        before++;
        continue;
      }
      const other = expected.get(entry);
      if (other === undefined) expected.set(entry, { rank, before });
      else if (other.before !== before) {
        const message =
          `collective ${instance} over all ranks comes behind ${ofGroups(before)} on rank ${rank}, ` +
          `and behind ${other.before === 0 ? 'none' : grouped(other.before)} on rank ${other.rank}`;
        return [finding('ASTRA_WORLD_AFTER_GROUP', message, { group: group.name })];
      }
    }
  }
  return [];
}
