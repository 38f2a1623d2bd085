import type { Validation } from '../pipeline/validate-traceset.js';

/** How a traceset was read, for a person: one line a convention, then what is legal and was given a meaning. */
export function conventionLines({
  conventions,
  observations,
}: Pick<Validation, 'conventions' | 'observations'>): string[] {
  const read = conventions.map(({ name, value, assumed, meaning }) => {
    const asked = name === 'deps' ? `--deps ${value}` : `${assumed ? '--assume ' : ''}${name}=${value}`;
    return `${meaning} (${asked})`;
  });
  return [
    ...listed('read as: ', read),
    ...listed(
      'legal:   ',
      observations.map(({ message }) => message),
    ),
  ];
}

/** The heading before the first line, room under it before the others. */
function listed(heading: string, lines: readonly string[]): string[] {
  return lines.map((line, place) => `${place === 0 ? heading : ' '.repeat(heading.length)}${line}`);
}
