import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { annotateRank } from './annotate.js';
import { arrangeCollectives } from './arrange-collectives.js';
import { emptyBalance, type Balance } from './balance.js';
import { withPass } from './pass-names.js';
import type { PreparationPlan } from './preparation-plan.js';
import { scaleRank } from './scale.js';

/** Applies the passes of a plan to one rank; the trace given is left alone. */
export function prepareRank(trace: RankTrace, plan: PreparationPlan): { trace: RankTrace; balance: Balance } {
  const balance: Balance = { ...emptyBalance(), ranks: 1, nodesIn: trace.length };
  let prepared = trace;
  if (plan.expand || plan.serialize || plan.sync) {
    prepared = arrangeCollectives(trace, plan, balance);
    for (const pass of ['expand', 'serialize', 'sync'] as const) {
      if (plan[pass]) prepared = { ...prepared, metadata: withPass(prepared.metadata, pass) };
    }
  }
  if (plan.scale !== undefined) {
    const scaled = scaleRank(prepared, plan.scale);
    balance.scaledNodes = changedNodes(prepared, scaled);
    if (scaled !== prepared) balance.findings.push(...scaledBeforeExpansion(scaled));
    prepared = scaled;
  }
  if (plan.annotate) {
    const annotated = annotateRank(prepared);
    balance.findings.push(...annotated.findings);
    prepared = annotated.trace;
  }
  balance.nodesOut = prepared.length;
  if (plan.expand) balance.unexpandedNodes = countCollectives(prepared);
  return { trace: prepared, balance };
}

function changedNodes(before: RankTrace, after: RankTrace): number {
  if (before === after) return 0;
  let changed = 0;
  for (let node = 0; node < after.length; node++) {
    if (after.commSize[node] < before.commSize[node] || after.durationMicros[node] < before.durationMicros[node]) {
      changed++;
    }
  }
  return changed;
}

function scaledBeforeExpansion(trace: RankTrace): Finding[] {
  const { rank, file } = trace;
  const count = countCollectives(trace);
  if (count === 0) return [];
  const nodes =
    count === 1
      ? '1 collective is not expanded yet: its size is scaled, not those of its transfers'
      : `${count} collectives are not expanded yet: their sizes are scaled, not those of their transfers`;
  return [finding('SCALED_BEFORE_EXPANSION', `rank ${rank}: ${nodes}`, { rank, file, count })];
}

function countCollectives({ length, type }: RankTrace): number {
  let count = 0;
  for (let node = 0; node < length; node++) if (type[node] === NodeType.collective) count++;
  return count;
}
