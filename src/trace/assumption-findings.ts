import { finding, type FindingCode } from '../base/catalogue.js';
import { grouped } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { withoutAssumptions, type Assumptions } from './assumptions.js';
import { conventionOf, meaningOf, type ConventionName } from './conventions.js';
import { nodeId } from './listed-ids.js';
import { nodeLabel, nodeName } from './node-label.js';
import type { RankTrace } from './rank-trace.js';

/** What one assumption met in one rank. */
export class AssumptionTally {
  /** Nodes it speaks of. */
  concerned = 0;
  changed = 0;
  inexact = 0;
  /** Of the inexact, those that became 0. */
  zeroed = 0;
  outside = 0;
  first = -1;
  firstChanged = -1;
  firstInexact = -1;
  firstOutside = -1;

  add(node: number, changed: boolean): void {
    if (this.concerned++ === 0) this.first = node;
    if (changed && this.changed++ === 0) this.firstChanged = node;
  }

  addInexact(node: number, becameZero: boolean): void {
    if (this.inexact++ === 0) this.firstInexact = node;
    if (becameZero) this.zeroed++;
  }

  addOutside(node: number): void {
    if (this.outside++ === 0) this.firstOutside = node;
  }
}

/** What several ranks' findings of one assumption have in common, as facts of a finding. */
interface Facts {
  readonly assumption: string;
  readonly convention: ConventionName;
  /** Nodes changed, or rounded. */
  readonly count: number;
  /** Nodes the assumption speaks of. */
  readonly concerned: number;
  readonly zeroed: number;
  readonly first: string;
  readonly firstRank: number;
}

/** What applying one assumption to one rank says; nothing where the rank has no such node. */
export function assumptionFindings(
  trace: RankTrace,
  convention: ConventionName,
  value: string,
  tally: AssumptionTally,
): Finding[] {
  if (tally.concerned === 0) return [];
  const { rank, file } = trace;
  const assumption = `${convention}=${value}`;
  const label = (node: number): string => nodeLabel(nodeId(trace, node), nodeName(trace, node));
  const told = (code: TalliedCode, count: number, node: number): Finding => {
    const { concerned, zeroed } = tally;
    const facts = { assumption, convention, count, concerned, zeroed, first: label(node), firstRank: rank };
    return finding(code, message(code, facts), { rank, file, nodes: [nodeId(trace, node)], ...facts });
  };
  const first = tally.changed > 0 ? tally.firstChanged : tally.first;
  const findings = [told('ASSUMPTION_APPLIED', tally.changed, first)];
  if (tally.inexact > 0) findings.push(told('ASSUMPTION_INEXACT', tally.inexact, tally.firstInexact));
  if (tally.outside > 0) findings.push(outsideFinding(trace, assumption, tally, label(tally.firstOutside)));
  return findings;
}

function outsideFinding(
  trace: RankTrace,
  assumption: string,
  { outside, firstOutside }: AssumptionTally,
  label: string,
): Finding {
  const { rank, file, root, peer } = trace;
  const position = root.get(firstOutside) ?? peer[firstOutside];
  const nodes = outside === 1 ? 'one node names' : `${outside} nodes name`;
  const text =
    `rank ${rank}: ${assumption}: ${nodes} a position that the group does not have, ` +
    `first node ${label}, position ${position}`;
  return finding('ASSUMPTION_POSITION', text, {
    rank,
    file,
    nodes: [nodeId(trace, firstOutside)],
    count: outside,
    assumption,
  });
}

/** That a rank was written with an assumption applied, so that it is not applied again. */
export function doneFinding(
  { rank, file, length }: RankTrace,
  convention: ConventionName,
  value: string,
  before: string,
): Finding {
  const facts = { assumption: `${convention}=${value}`, convention, count: length, concerned: length, before };
  const text = doneMessage(facts.assumption, before, 1);
  return finding('ASSUMPTION_DONE', text, { rank, file, ...facts });
}

function doneMessage(assumption: string, before: string, ranks: number): string {
  const other = before === valueOf(assumption) ? '' : ` as ${before}`;
  const who = ranks === 1 ? 'one rank says' : `${grouped(ranks)} ranks say`;
  return `${assumption}: ${who} that it was applied before${other}; nothing is changed there`;
}

const FOLDED = [
  'ASSUMPTION_APPLIED',
  'ASSUMPTION_INEXACT',
  'ASSUMPTION_DONE',
] as const satisfies readonly FindingCode[];
type FoldedCode = (typeof FOLDED)[number];
type TalliedCode = Exclude<FoldedCode, 'ASSUMPTION_DONE'>;

/**
 * Findings of all ranks with those of one assumption joined to one, last, and a warning for every assumption that met no
 * node.
 *
 * @param assumptions those that were applied to every rank the findings are of; without any, the findings are given back
 */
export function foldAssumptions(findings: readonly Finding[], assumptions: Assumptions | undefined): Finding[] {
  if (assumptions === undefined) return [...findings];
  const others = findings.filter(({ code }) => !(FOLDED as readonly string[]).includes(code));
  const folded: Finding[] = [];
  for (const [convention, value] of assumptions.chosen) {
    const assumption = `${convention}=${value}`;
    const own = findings.filter((one) => one.assumption === assumption);
    for (const code of FOLDED) {
      const [first, ...rest] = own.filter((one) => one.code === code);
      if (first !== undefined) folded.push(joined(code, first, rest));
    }
    if (!own.some(({ code }) => code === 'ASSUMPTION_APPLIED' || code === 'ASSUMPTION_DONE'))
      folded.push(unused(convention, assumption));
  }
  return [...others, ...folded];
}

function joined(code: FoldedCode, first: Finding, rest: readonly Finding[]): Finding {
  if (code === 'ASSUMPTION_DONE') return joinedDone(first, rankCount([first, ...rest]));
  const all = [first, ...rest] as unknown as Facts[];
  const sum = (of: (facts: Facts) => number): number => all.reduce((total, facts) => total + of(facts), 0);
  // The first node that was changed, wherever some rank changed none.
  const named = [first, ...rest].find(({ count }) => count! > 0) ?? first;
  const facts = {
    ...(named as unknown as Facts),
    count: sum(({ count }) => count),
    concerned: sum(({ concerned }) => concerned),
    zeroed: sum(({ zeroed }) => zeroed),
  };
  const { assumption, convention, count, concerned } = facts;
  return finding(code, message(code, facts), {
    nodes: named.nodes!,
    ...(count === 0 ? {} : { count }),
    assumption,
    convention,
    concerned,
    ranks: rankCount([first, ...rest]),
  });
}

/** Ranks that findings are of: a feeder has several of one rank, one a window. */
function rankCount(findings: readonly Finding[]): number {
  return new Set(findings.map(({ rank }) => rank)).size;
}

function joinedDone({ assumption, convention, before }: Finding, ranks: number): Finding {
  const text = doneMessage(assumption as string, before as string, ranks);
  return finding('ASSUMPTION_DONE', text, { assumption, convention, before, ranks });
}

/** The assumptions that met a node, by what folded findings say: not those without effect or applied before. */
export function assumptionsInForce(
  assumptions: Assumptions | undefined,
  findings: readonly Finding[],
): Assumptions | undefined {
  if (assumptions === undefined) return undefined;
  const applied = new Set(findings.filter(({ code }) => code === 'ASSUMPTION_APPLIED').map((one) => one.convention));
  return withoutAssumptions(assumptions, new Set([...assumptions.chosen.keys()].filter((name) => !applied.has(name))));
}

function message(code: TalliedCode, facts: Facts): string {
  return code === 'ASSUMPTION_APPLIED' ? appliedMessage(facts) : inexactMessage(facts);
}

function appliedMessage({ assumption, convention, count, concerned, first, firstRank }: Facts): string {
  const read = `${assumption}: ${conventionOf(convention).subject} read as ${meaningOf(convention, valueOf(assumption))}`;
  const changed =
    count === 0 || count === concerned ? nodesText(count) : `${grouped(count)} of ${nodesText(concerned)}`;
  return `${read}; ${changed} changed${count === 0 ? '' : `, first node ${first} of rank ${firstRank}`}`;
}

function inexactMessage({ assumption, convention, count, zeroed, first, firstRank }: Facts): string {
  const where = `first node ${first} of rank ${firstRank}`;
  if (convention !== 'duration-unit') {
    return `${assumption}: the size of ${nodesText(count)} is no multiple of the group size, rounded up; ${where}`;
  }
  const none = zeroed === 0 ? '' : `, ${zeroed === count ? 'all' : grouped(zeroed)} to 0`;
  return `${assumption}: the duration of ${nodesText(count)} is no whole µs, rounded${none}; ${where}`;
}

function unused(convention: ConventionName, assumption: string): Finding {
  const text = `${assumption} changes nothing: these traces have no ${conventionOf(convention).node}`;
  return finding('ASSUMPTION_UNUSED', text, { assumption });
}

function valueOf(assumption: string): string {
  return assumption.slice(assumption.indexOf('=') + 1);
}

function nodesText(count: number): string {
  return `${count === 0 ? 'no' : grouped(count)} node${count === 1 || count === 0 ? '' : 's'}`;
}
