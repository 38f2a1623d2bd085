import { readFileSync } from 'node:fs';
import { inputError } from '../base/errors.js';
import { parseCommGroup, type CommGroupFile } from '../formats/comm-group.js';
import { joinDeclarations, type DeclaredGroups, type GroupDeclaration } from '../trace/group-declarations.js';

/**
 * The process groups a traceset declares: those of the group file first, then those of the traces in ascending rank.
 * @throws PrepError `FILE_UNREADABLE` for the group file
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
 * @throws PrepError `FILE_UNREADABLE`
 */
export function readGroupFile(groupFile: string | undefined): CommGroupFile {
  if (groupFile === undefined) return { declarations: [], findings: [] };
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(groupFile);
  } catch (cause) {
    throw inputError('FILE_UNREADABLE', `${groupFile}: ${(cause as Error).message}`);
  }
  return parseCommGroup(bytes, groupFile);
}
