import { existsSync, statSync } from 'node:fs';
import type { Flags } from '../command.js';

/**
 * Tells what the word behind `--groups` is. The option asks for the view of process groups, and may name a group file;
 * the parser gives it whatever word comes next. A word is the group file where there are inputs beside it and it ends in
 * .json and holds no trace, or holds process groups whatever its name; any other word is an input.
 *
 * @param words inputs that the parser found
 * @param given flags of the command line
 */
export async function sortGroups(
  words: readonly string[],
  given: Flags,
): Promise<{ words: readonly string[]; given: Flags }> {
  const { groups, ...others } = given;
  if (groups === undefined || groups === false) return { words, given: others };
  const viewed: Flags = { ...others, groupsView: true };
  if (groups === '') return { words, given: viewed };
  const word = String(groups);
  if (words.length > 0 && (await isGroupFile(word))) return { words, given: { ...viewed, groups: word } };
  return { words: [word, ...words], given: viewed };
}

async function isGroupFile(path: string): Promise<boolean> {
  const named = path.toLowerCase().endsWith('.json');
  if (!existsSync(path)) return named;
  if (!statSync(path).isFile()) return false;
  const { detectFile } = await import('../../formats/sniff.js');
  const format = detectFile(path);
  if (format === 'comm-group') return true;
  return named && !['chakra-et', 'chakra-jsonl', 'feeder-json'].includes(format);
}
