import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { applyAssumptions } from '../trace/apply-assumptions.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { assumptionsOf, needGroups, type Assumptions } from '../trace/assumptions.js';
import type { RankTrace, TraceMetadata } from '../trace/rank-trace.js';
import type { TraceWindows } from '../trace/trace-windows.js';
import type { FeederOptions } from './feeder-options.js';

/** Windows of a trace in other conventions, as windows in the usual ones. */
class AssumedWindows implements TraceWindows {
  readonly #windows: TraceWindows;
  readonly #assumptions: Assumptions;
  readonly #found: Finding[] = [];
  readonly #undeclared = new Map<string, number>();

  constructor(windows: TraceWindows, assumptions: Assumptions) {
    this.#windows = windows;
    this.#assumptions = assumptions;
  }

  get metadata(): TraceMetadata {
    return this.#windows.metadata;
  }

  next(mostNodes: number): RankTrace | undefined {
    const window = this.#windows.next(mostNodes);
    if (window === undefined) return undefined;
    const { trace, findings, undeclared } = applyAssumptions(window, this.#assumptions);
    this.#found.push(...findings);
    for (const [name, count] of undeclared) this.#undeclared.set(name, (this.#undeclared.get(name) ?? 0) + count);
    return trace;
  }

  findings(): Finding[] {
    const undeclared = [...this.#undeclared].map(([group, count]) => {
      const nodes = count === 1 ? 'one collective keeps its size' : `${count} collectives keep their sizes`;
      return finding('GROUP_UNDECLARED', `group ${JSON.stringify(group)} is not in groups: ${nodes}`, { group, count });
    });
    return foldAssumptions([...this.#windows.findings(), ...undeclared, ...this.#found], this.#assumptions);
  }
}

/**
 * Windows in the usual conventions. A feeder sees one rank, so conventions about groups need `groups`; roots and peers it
 * takes from the file, so that conventions about them cannot be applied.
 * @throws PrepError `ASSUMPTION_UNKNOWN` (exit status 2)
 */
export function withAssumptions(windows: TraceWindows, { assume = [], groups }: FeederOptions): TraceWindows {
  const assumptions = assumptionsOf(assume);
  if (assumptions === undefined) return windows;
  for (const name of ['root', 'peer'] as const) {
    if (!assumptions.chosen.has(name)) continue;
    throw requestError('ASSUMPTION_UNKNOWN', `${name}=position: a feeder gives roots and peers as the file has them`);
  }
  if (needGroups(assumptions) && groups === undefined) {
    const sizes = [...assumptions.chosen].find(([name]) => name.endsWith('-size'))!;
    throw requestError(
      'ASSUMPTION_UNKNOWN',
      `${sizes.join('=')}: the sizes of groups are not known to a feeder, which reads one rank`,
      'give groups, name → ranks, with "world" for collectives that name none',
    );
  }
  return new AssumedWindows(windows, { ...assumptions, groups: new Map(Object.entries(groups ?? {})) });
}
