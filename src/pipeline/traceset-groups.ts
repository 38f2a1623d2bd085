import { PrepError } from '../base/errors.js';
import { parseCommGroup, type CommGroupFile } from '../formats/comm-group.js';
import { readWholeFile } from '../formats/open-source.js';
import { joinDeclarations, type DeclaredGroups, type GroupDeclaration } from '../trace/group-declarations.js';
import { failureFindings } from './failure-findings.js';

/**
 * The process groups a traceset declares: those of the group file first, then those of the traces in ascending rank.
 * @throws PrepError `FILE_UNREADABLE`, `GZIP_BROKEN` for the group file
 */
export function declaredGroups(
  groupFile: string | undefined,
  declarations: readonly GroupDeclaration[],
  worldSize: number,
): DeclaredGroups {
  const file = readGroupFile(groupFile);
  const joined = joinDeclarations([...file.declarations, ...declarations], worldSize);
  return { groups: joined.groups, findings: [...file.findings, ...joined.findings] };
}

/**
 * What a group file declares; nothing where there is none.
 * @throws PrepError `FILE_UNREADABLE`, `GZIP_BROKEN`
 */
export function readGroupFile(groupFile: string | undefined): CommGroupFile {
  if (groupFile === undefined) return { declarations: [], findings: [] };
  return parseCommGroup(readWholeFile(groupFile), groupFile);
}

/** As {@link declaredGroups}; that the group file cannot be read is a finding like any other. */
export function declaredGroupsOrFindings(
  groupFile: string | undefined,
  declarations: readonly GroupDeclaration[],
  worldSize: number,
): DeclaredGroups {
  try {
    return declaredGroups(groupFile, declarations, worldSize);
  } catch (error) {
    if (!(error instanceof PrepError) || groupFile === undefined) throw error;
    const joined = joinDeclarations(declarations, worldSize);
    return { groups: joined.groups, findings: [...failureFindings(error, { file: groupFile }), ...joined.findings] };
  }
}
