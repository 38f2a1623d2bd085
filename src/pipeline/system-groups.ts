import { finding, type FindingCode } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { stoi } from '../passes/validate/targets/astra-groups.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { resolveGroups, type GroupUse } from '../trace/group-use.js';
import { WORLD, type ProcessGroup } from '../trace/process-group.js';
import type { OpenTraceset } from './open-traceset.js';
import { declaredGroups } from './traceset-groups.js';

/** Groups of a run on ASTRA-sim's system layer. */
export interface SystemGroups {
  /** Every declared group, and every name in use that stands for one, by name. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  readonly findings: readonly Finding[];
}

/**
 * Gives the group names in use their members as ASTRA-sim does (astra-sim-semantics section 9): no name and `0` are all ranks, a
 * name is the declared group of the same number, and nothing is guessed from who uses a name. Names that are no numbers are
 * taken too, where they are declared.
 * @param uses one entry a rank, ascending
 */
export function systemGroups(
  opened: OpenTraceset,
  declarations: readonly GroupDeclaration[],
  uses: readonly GroupUse[],
): SystemGroups {
  const ranks = opened.files.map(({ rank }) => rank);
  const declared = declaredGroups(opened.groupFile, declarations, ranks.length);
  const groups = new Map(declared.groups);
  const findings = [...declared.findings];
  const used = new Set(uses.flatMap(({ names }) => [...names.keys()]));
  if (used.has('0')) {
    const zero = groups.get('0');
    if (zero === undefined) groups.set('0', { name: '0', ranks, origin: 'world' });
    else if (zero.ranks.length !== ranks.length) findings.push(notTheWorld(zero, ranks.length));
  }
  for (const name of used) {
    if (name === '' || name === WORLD || groups.has(name)) continue;
    const namesake = namesakeOf(name, declared.groups);
    if (namesake !== undefined) groups.set(name, { ...namesake, name });
  }
  findings.push(...unreadNames(used, groups));
  const resolved = resolveGroups(groups, uses, { ranks, strict: true, guess: false });
  return { groups: resolved.groups, findings: [...findings, ...resolved.findings] };
}

/** The declared group whose name has the same number: `3` for `3.0`. */
function namesakeOf(name: string, declared: ReadonlyMap<string, ProcessGroup>): ProcessGroup | undefined {
  const number = stoi(name);
  if (number === undefined) return undefined;
  for (const [other, group] of declared) if (stoi(other) === number) return group;
  return undefined;
}

function notTheWorld(zero: ProcessGroup, rankCount: number): Finding {
  const message = `group "0" has ${zero.ranks.length} of ${rankCount} ranks, and collectives use it`;
  return finding('ASTRA_GROUP_ZERO', message, { group: '0' });
}

/** Groups in use that the program does not find: those of METADATA nodes and metadata, and those whose name is no number. */
function unreadNames(used: ReadonlySet<string>, groups: ReadonlyMap<string, ProcessGroup>): Finding[] {
  const declared = [...used].filter((name) => name !== '' && groups.has(name)).sort();
  const from = (origin: string): string[] => declared.filter((name) => groups.get(name)!.origin === origin);
  return [
    ...told('ASTRA_GROUP_UNKNOWN', from('process_group:init'), 'comes from METADATA nodes, at which ASTRA-sim aborts'),
    ...told('ASTRA_GROUP_UNKNOWN', from('metadata'), 'comes from the metadata, which ASTRA-sim does not read'),
    ...told(
      'ASTRA_GROUP_NAME',
      declared.filter((name) => name !== WORLD && stoi(name) === undefined),
      'does not begin with a number, and ASTRA-sim throws at it',
    ),
  ];
}

function told(code: FindingCode, names: readonly string[], what: string): Finding[] {
  const [first, ...rest] = names;
  if (first === undefined) return [];
  const more = rest.length === 0 ? '' : `; ${counted(rest.length, 'more group')} alike`;
  return [finding(code, `group ${JSON.stringify(first)} ${what}${more}`, { severity: 'note', group: first })];
}
