import { existsSync, statSync } from 'node:fs';
import type { Flags } from '../command.js';

/**
 * Tells what the word behind `--groups` is. The option asks for the view of process groups, and may name a group file;
 * the parser gives it whatever word comes next. A word is the group file where there are inputs beside it and it ends in
 * .json and holds no trace, or holds process groups whatever its name; any other word is an input. Where the option is
 * given again, each word is looked at by itself, and of several group files the last counts.
 *
 * @param words inputs that the parser found
 * @param given flags of the command line, one that was given several times as the list of its values
 */
export async function sortGroups(
  words: readonly string[],
  given: Flags,
): Promise<{ words: readonly string[]; given: Flags }> {
  const { groups, ...others } = given;
  const all = [groups].flat();
  if (groups === undefined || all.at(-1) === false) return { words, given: others };
  const viewed: Flags = { ...others, groupsView: true };
  const inputs: string[] = [];
  const files: string[] = [];
  for (const word of all.map(String).filter((one) => !['', 'true', 'false'].includes(one))) {
    ((await isGroupFile(word)) ? files : inputs).push(word);
  }
  // A group file alone is what is to be looked into.
  if (words.length + inputs.length === 0) return { words: files, given: viewed };
  const file = files.at(-1);
  return { words: [...inputs, ...words], given: file === undefined ? viewed : { ...viewed, groups: file } };
}

async function isGroupFile(path: string): Promise<boolean> {
  const named = path.toLowerCase().endsWith('.json');
  if (!existsSync(path)) return named;
  if (!statSync(path).isFile()) return false;
  const { detectFile } = await import('../../formats/sniff.js');
  const format = detectFile(path);
  if (format === 'comm-group') return true;
  return named && !['chakra-et', 'chakra-jsonl', 'feeder-json', 'stage-json', 'jsonizer-json'].includes(format);
}
