import { groupsDeclaredIn } from '../../src/formats/process-group-init.js';
import type { DeclaredInTraceset } from '../../src/passes/views/listed-groups.js';
import { surveyForViews, type CollectiveViewSurvey, type ViewSurvey } from '../../src/passes/views/view-survey.js';
import { joinDeclarations } from '../../src/trace/group-declarations.js';
import { traceOf, type NodeObject } from './traces.js';

/** Surveys of these ranks for every view, as they come out of a worker; by default rank 0 first. */
export function viewSurveys(
  ranks: readonly (readonly NodeObject[])[],
  numbers: readonly number[] = ranks.map((_, rank) => rank),
): ViewSurvey[] {
  return ranks.map((nodes, place) => {
    const trace = traceOf(nodes, numbers[place]);
    const views = { groups: true, pairs: true, collectives: true };
    return structuredClone(surveyForViews(trace, views, groupsDeclaredIn(trace).declarations));
  });
}

/** What the views of groups and collectives take: the surveys, and the groups of a file before those of the traces. */
export function collectiveViewInput(
  ranks: readonly (readonly NodeObject[])[],
  groups: Readonly<Record<string, readonly number[]>> = {},
  numbers?: readonly number[],
): [CollectiveViewSurvey[], DeclaredInTraceset] {
  const surveys = viewSurveys(ranks, numbers).map(({ collective }) => collective!);
  const declarations = [
    ...Object.entries(groups).map(([name, members]) => ({ name, ranks: members, origin: 'comm_group.json' })),
    ...surveys.flatMap((survey) => survey.declarations),
  ];
  return [surveys, { declarations, joined: joinDeclarations(declarations, Infinity) }];
}
