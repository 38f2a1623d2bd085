/** Options that can be given several times; their values are joined with commas. */
export const REPEATABLE: readonly string[] = ['assume'];

/**
 * The words of a command line with every repeatable option given once, in its first place. The parser keeps the last
 * of several.
 */
export function withJoined(words: readonly string[], names: readonly string[]): string[] {
  const joined: string[] = [];
  const placeOf = new Map<string, number>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === '--') return [...joined, ...words.slice(at)];
    const name = names.find((known) => word === `--${known}` || word.startsWith(`--${known}=`));
    if (name === undefined) {
      joined.push(word);
      continue;
    }
    const value = word === `--${name}` ? words[++at] : word.slice(name.length + 3);
    const place = placeOf.get(name);
    if (value === undefined || value.startsWith('--')) {
      joined.push(word); // the parser says that its value is missing
      if (value !== undefined) at--;
    } else if (place === undefined) {
      placeOf.set(name, joined.push(`--${name}=${value}`) - 1);
    } else joined[place] += `,${value}`;
  }
  return joined;
}
