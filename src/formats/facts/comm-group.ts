import type { GroupDeclaration } from '../../trace/group-declarations.js';

/** Facts of a process group file (chakra-format section 15). */
export function commGroupFacts(declarations: readonly GroupDeclaration[]) {
  const ranks = new Set(declarations.flatMap((declaration) => declaration.ranks));
  return {
    format: 'comm-group',
    groups: declarations.length,
    keys: declarations.map(({ name }) => name),
    sizes: Object.fromEntries(declarations.map(({ name, ranks: members }) => [name, members.length])),
    ranks: [...ranks].sort((left, right) => left - right),
  };
}
