import type { OutputFiles } from '../base/output-files.js';
import { storedFile } from '../formats/open-source.js';
import type { ProcessGroup } from '../trace/process-group.js';

/** Name of the group file that is written beside the traces. */
export const GROUP_FILE = 'comm_group.json';

/**
 * Groups beside the traces, for readers that take them from a file; the world needs no declaration there. Where no pass
 * looked at groups, the file that came with the traces stays with them.
 * @throws PrepError `FILE_UNREADABLE` for that file
 */
export function writeGroupFile(
  files: OutputFiles,
  groups: ReadonlyMap<string, ProcessGroup> | undefined,
  groupFile: string | undefined,
): void {
  if (groups === undefined) {
    if (groupFile === undefined) return;
    const bytes = storedFile(groupFile);
    files.write(GROUP_FILE, (write) => write(bytes));
    return;
  }
  const declared = [...groups.values()].filter(({ origin }) => origin !== 'world');
  if (declared.length === 0) return;
  const bytes = groupFileBytes(declared.map(({ name, ranks }) => [name, ranks]));
  files.write(GROUP_FILE, (write) => write(bytes));
}

/** A group file with these groups, one a line. */
export function groupFileBytes(groups: Iterable<readonly [name: string, ranks: readonly number[]]>): Uint8Array {
  const lines = [...groups].map(([name, ranks]) => `  ${JSON.stringify(name)}: ${JSON.stringify(ranks)}`);
  return Buffer.from(`{\n${lines.join(',\n')}\n}\n`);
}
