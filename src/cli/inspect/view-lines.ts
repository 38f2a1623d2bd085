import type { Inspection } from '../../pipeline/inspect-files.js';
import { collectivesLines } from './collectives.js';
import { groupsLines } from './groups.js';
import { nodesLines } from './nodes.js';
import { pairsLines } from './pairs.js';

/** The views of an inspection for a person, an empty line between them. */
export function viewLines({ groups, pairs, collectives, nodes }: Inspection): string[] {
  const views = [
    groups && groupsLines(groups),
    pairs && pairsLines(pairs),
    collectives && collectivesLines(collectives),
    nodes && nodesLines(nodes),
  ].filter((lines) => lines !== undefined);
  return views.flatMap((lines, place) => (place === 0 ? lines : ['', ...lines]));
}
