import { PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { planPreparation, type PreparationPlan } from '../passes/preparation-plan.js';
import { validateTraceset as runRules } from '../passes/validate/validate.js';
import type { DeclaredGroups, GroupDeclaration } from '../trace/group-declarations.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { resolveGroups, type GroupUse, type ResolvedGroups } from '../trace/group-use.js';
import { demandNoErrors } from './demand-no-errors.js';
import { ExpansionSystem } from './expansion-system.js';
import type { OpenTraceset } from './open-traceset.js';
import { NOTHING_WRITTEN, type PreparationRequest } from './preparation-request.js';
import type { RankReading } from './survey-rank.js';
import { surveyTraceset } from './survey-traceset.js';
import { systemGroups } from './system-groups.js';
import { declaredGroups } from './traceset-groups.js';
import type { Workers } from './workers.js';

/** What all ranks together say about how each of them is to be written. */
export interface Planned {
  readonly plan: PreparationPlan;
  /** Groups to declare in the outputs; absent where no pass needs them. */
  readonly groups?: ResolvedGroups['groups'];
  readonly findings: readonly Finding[];
}

/**
 * Surveys every rank and plans the passes of a request; where no pass looks across ranks nothing is read.
 * @throws PrepError when the traces have errors
 */
export async function planTraceset(
  request: PreparationRequest,
  opened: OpenTraceset,
  workers: Workers,
  progress: () => void,
): Promise<Planned> {
  const { steps } = request;
  const { expand = false, serialize = false, sync = false, annotate = false, order = 'recorded', scale } = steps;
  const options = {
    algorithms: steps.algorithms ?? {},
    expand,
    serialize,
    sync,
    annotate,
    order,
    rankCount: opened.files.length,
    ...(scale === undefined ? {} : { scale }),
  };
  if (!(expand || serialize || sync || steps.validate)) {
    // Each rank is changed by itself, so it does not matter which others there are, nor on stdout which it is.
    // Not so where sizes or roots are read by who is in a group.
    const { groupFindings } = opened;
    const unneeded = request.output.folder === undefined ? ['RANK_MISSING', 'RANK_ASSUMED'] : ['RANK_MISSING'];
    const needed = opened.findings.filter(({ code }) => groupFindings !== undefined || !unneeded.includes(code));
    const findings = [...needed, ...(groupFindings ?? [])];
    return { plan: planPreparation([], { ...options, groups: new Map() }), findings };
  }
  const system = expand && steps.system !== undefined ? new ExpansionSystem(steps.system, opened, request) : undefined;
  const job = {
    ...{ deps: request.deps, validate: steps.validate === true, prepare: true, keepGoing: false },
    dimensions: system !== undefined,
  };
  const readings = await surveyTraceset(opened, workers, job, progress);
  const declarations = readings.flatMap(({ declarations: own }) => own);
  const declared = declaredGroups(opened.groupFile, declarations, opened.files.length);
  const found = foldAssumptions(
    steps.validate
      ? [...(system?.findings ?? []), ...rulesOf(request, readings, declared, opened)]
      : [
          ...opened.findings,
          ...(system?.findings ?? []),
          ...readings.flatMap(({ findings }) => findings),
          ...declared.findings,
        ],
    opened.assumptions,
  );
  demandNoErrors(found, request, NOTHING_WRITTEN);
  const uses = readings.map(({ groups }) => groups!);
  const resolved =
    system === undefined
      ? resolvedGroups(declared, uses, opened, steps.validate === true)
      : groupsOfSystem(opened, declarations, uses, found);
  const findings = [...found, ...resolved.findings];
  demandNoErrors(findings, request, NOTHING_WRITTEN);
  const surveys = readings.map(({ survey }) => survey!);
  try {
    const choice = system === undefined ? {} : { choice: system.choice(resolved.groups) };
    return {
      plan: planPreparation(surveys, { ...options, ...choice, groups: resolved.groups }),
      groups: resolved.groups,
      findings: [...findings, ...(system?.customFindings ?? [])],
    };
  } catch (error) {
    // What was found before is told too.
    if (error instanceof PrepError) demandNoErrors([...findings, ...error.findings], {}, NOTHING_WRITTEN);
    throw error;
  }
}

type GroupsInUse = Pick<ResolvedGroups, 'groups' | 'findings'>;

/** Groups by their declarations and by who uses them; the rules of `validate` tell the same of them. */
function resolvedGroups(
  { groups }: DeclaredGroups,
  uses: readonly GroupUse[],
  { files }: OpenTraceset,
  isValidated: boolean,
): GroupsInUse {
  const resolved = resolveGroups(groups, uses, { ranks: files.map(({ rank }) => rank), strict: false });
  return isValidated ? { ...resolved, findings: [] } : resolved;
}

/** Groups as ASTRA-sim takes them, and what was not found of them yet. */
function groupsOfSystem(
  opened: OpenTraceset,
  declarations: readonly GroupDeclaration[],
  uses: readonly GroupUse[],
  found: readonly Finding[],
): GroupsInUse {
  const told = new Set(found.map(({ code, message }) => `${code} ${message}`));
  const { groups, findings } = systemGroups(opened, declarations, uses);
  return { groups, findings: findings.filter(({ code, message }) => !told.has(`${code} ${message}`)) };
}

function rulesOf(
  { steps }: PreparationRequest,
  readings: readonly RankReading[],
  declared: DeclaredGroups,
  opened: OpenTraceset,
): Finding[] {
  return runRules(
    readings.map(({ validation }) => validation!),
    {
      worldSize: opened.files.length,
      declared,
      strict: false,
      algorithms: steps.algorithms ?? {},
      // The chain is looked at when it is written.
      addedOrder: { serialize: false, sync: steps.sync === true },
      findings: opened.findings,
    },
  );
}
