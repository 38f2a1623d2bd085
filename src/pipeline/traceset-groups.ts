import { readFileSync } from 'node:fs';
import { inputError } from '../base/errors.js';
import { parseCommGroup } from '../formats/comm-group.js';
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
  if (groupFile === undefined) return joinDeclarations(declarations, worldSize);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(groupFile);
  } catch (cause) {
    throw inputError('FILE_UNREADABLE', `${groupFile}: ${(cause as Error).message}`);
  }
  const file = parseCommGroup(bytes, groupFile);
  const joined = joinDeclarations([...file.declarations, ...declarations], worldSize);
  return { groups: joined.groups, findings: [...file.findings, ...joined.findings] };
}
