import type { Finding } from '../base/finding.js';
import { assumptionsOf, needGroups, type Assumptions } from '../trace/assumptions.js';
import { resolveGroups } from '../trace/group-use.js';
import { threadsFor, worldSizeOf, type OpenTraceset, type Reading } from './open-traceset.js';
import { surveyTraceset } from './survey-traceset.js';
import { declaredGroups } from './traceset-groups.js';
import { Workers } from './workers.js';

/**
 * A traceset whose ranks are read as `reading.assume` says. Where a convention speaks of groups, every rank is read once
 * before for who is in them.
 * @throws PrepError `ASSUMPTION_UNKNOWN` (exit status 2)
 */
export async function assumed(opened: OpenTraceset, reading: Reading): Promise<OpenTraceset> {
  const assumptions = assumptionsOf(reading.assume ?? []);
  if (assumptions === undefined) return opened;
  if (!needGroups(assumptions)) return { ...opened, ...applied(opened, assumptions) };
  const { groups, findings } = await groupsOf(opened, reading);
  return { ...opened, ...applied(opened, { ...assumptions, groups }), groupFindings: findings };
}

function applied(
  { files }: OpenTraceset,
  assumptions: Assumptions,
): Required<Pick<OpenTraceset, 'files' | 'assumptions'>> {
  return { assumptions, files: files.map((file) => ({ ...file, assumptions })) };
}

interface Groups {
  readonly groups: Assumptions['groups'];
  readonly findings: readonly Finding[];
}

/** The members of every group that is declared or used, by the rules of every other command. */
async function groupsOf(opened: OpenTraceset, { deps, threads }: Reading): Promise<Groups> {
  const workers = new Workers(threadsFor(opened, threads));
  try {
    // A file that cannot be read is reported when it is read for its own sake.
    const job = { deps, validate: false, prepare: false, groups: true, keepGoing: true };
    const read = (await surveyTraceset(opened, workers, job, undefined)).filter(({ failure }) => failure === undefined);
    const worldSize = worldSizeOf(opened);
    const declared = declaredGroups(
      opened.groupFile,
      read.flatMap(({ declarations }) => declarations),
      worldSize,
    );
    const resolved = resolveGroups(
      declared.groups,
      read.map(({ groups }) => groups!),
      { ranks: Array.from({ length: worldSize }, (_, rank) => rank), strict: false },
    );
    return {
      groups: new Map([...resolved.groups].map(([name, { ranks }]) => [name, ranks])),
      findings: [...declared.findings, ...resolved.findings],
    };
  } finally {
    await workers.close();
  }
}
