import { readFileSync } from 'node:fs';
import { inputError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { parseCommGroup } from '../formats/comm-group.js';
import { joinDeclarations, type GroupDeclaration } from '../trace/group-declarations.js';
import { resolveGroups, type GroupUse, type ResolvedGroups } from '../trace/group-use.js';

/** What one rank says about process groups. */
export interface RankGroups {
  readonly declarations: readonly GroupDeclaration[];
  readonly use: GroupUse;
}

/**
 * The process groups of a traceset, from the group file, the traces' own declarations, and use.
 * @param strict whether a group that is used and not declared is an error even where there is only one reading of it
 * @throws PrepError `FILE_UNREADABLE` for the group file
 */
export function tracesetGroups(
  groupFile: string | undefined,
  ranks: readonly RankGroups[],
  strict: boolean,
): ResolvedGroups {
  const findings: Finding[] = [];
  const declarations: GroupDeclaration[] = [];
  if (groupFile !== undefined) {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(groupFile);
    } catch (cause) {
      throw inputError('FILE_UNREADABLE', `${groupFile}: ${(cause as Error).message}`);
    }
    const file = parseCommGroup(bytes, groupFile);
    declarations.push(...file.declarations);
    findings.push(...file.findings);
  }
  for (const rank of ranks) declarations.push(...rank.declarations);
  const declared = joinDeclarations(declarations, ranks.length);
  const resolved = resolveGroups(
    declared.groups,
    ranks.map(({ use }) => use),
    { ranks: ranks.map(({ use }) => use.rank), strict },
  );
  return { groups: resolved.groups, findings: [...findings, ...declared.findings, ...resolved.findings] };
}
