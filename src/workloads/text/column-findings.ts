import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding, Severity } from '../../base/finding.js';
import type { WorkloadLayer } from '../../formats/text-workload/text-workload.js';
import { CollectiveType } from '../../trace/collective-type.js';
import { modeOf, PHASES, PHASE_TITLES, scopeOf, type PhaseName } from './layer-scopes.js';
import type { WorkloadPlan } from './workload-plan.js';
import { wholeMicros } from './write-rank.js';

/**
 * What the columns of a workload say and its traces do not, or not as it stands: `WORKLOAD_COLUMN_UNUSED`, `WORKLOAD_TIMES_ROUNDED`,
 * `WORKLOAD_EMPTY_COLLECTIVES`; each counted, with its first line.
 */
export function columnFindings(plan: WorkloadPlan): Finding[] {
  const findings: Finding[] = [];
  for (const phase of PHASES) unusedCollectives(plan, phase, findings);
  unusedTimes(plan, findings);
  roundedTimes(plan, findings);
  emptyCollectives(plan, findings);
  return findings;
}

function unusedCollectives({ workload }: WorkloadPlan, phase: PhaseName, findings: Finding[]): void {
  const { layers, mode, file } = workload;
  const inColumn = layers.filter((layer) => layer[phase].collective !== undefined);
  const column = PHASE_TITLES[phase];
  // The first layer's is a case of its own: nothing stands before it that would take the gradient.
  const first = phase === 'inputGradient' && leavesFirstInputGradient(mode) ? layers[0] : undefined;
  const left = inColumn.filter((layer) => layer !== first && !isRun(layer, phase));
  if (left.length > 0) {
    const where = `${file}:${left[0].line}`;
    const what = `${left[0][phase].collective!.name} of ${grouped(left[0][phase].collective!.bytes)} bytes`;
    const message = `${where}: ${column} collective ${what} is not run: ${why()} (${counted(left.length, 'line')} like this)`;
    findings.push(finding('WORKLOAD_COLUMN_UNUSED', message, { file, count: left.length }));
  }
  if (first?.inputGradient.collective !== undefined && scopeOf(mode, first, phase) !== undefined) {
    const message = `${file}:${first.line}: ${column} collective ${first.inputGradient.collective.name} of the first layer is not run: no layer before it takes the gradient`;
    findings.push(finding('WORKLOAD_COLUMN_UNUSED', message, { file, severity: 'note', count: 1 }));
  }

  function isRun(layer: WorkloadLayer, of: PhaseName): boolean {
    if (scopeOf(mode, layer, of) === undefined) return false;
    if (!mode.startsWith('HYBRID_DLRM')) return true;
    if (of === 'forward') return layer.forward.collective?.type === CollectiveType.allToAll;
    return of === 'weightGradient' || layer === layers[0];
  }

  function why(): string {
    if (!mode.startsWith('HYBRID_DLRM')) return `mode ${modeOf(mode, left[0])} runs no ${column} collectives`;
    return phase === 'forward' ? `mode ${mode} runs forward ALLTOALL only` : `mode ${mode} runs that of layer 0 only`;
  }
}

/** In the modes of the official converter, which leaves it out too; the DLRM modes have it for the embedding. */
function leavesFirstInputGradient(mode: string): boolean {
  return ['MODEL', 'HYBRID_DATA_MODEL', 'HYBRID_MODEL_DATA', 'HYBRID_CUSTOMIZED'].includes(mode);
}

function unusedTimes({ workload: { layers, mode, file }, nanoseconds }: WorkloadPlan, findings: Finding[]): void {
  const unit = nanoseconds ? 'ns' : 'µs';
  const say = (of: (layer: WorkloadLayer) => number, what: string, reason: string, severity: Severity): void => {
    const left = layers.filter((layer) => of(layer) > 0);
    if (left.length === 0) return;
    const sum = grouped(left.reduce((total, layer) => total + of(layer), 0));
    const message = `${file}:${left[0].line}: ${what} of ${counted(left.length, 'line')}, ${sum} ${unit} in all, are not run: ${reason}`;
    findings.push(finding('WORKLOAD_COLUMN_UNUSED', message, { file, severity, count: left.length }));
  };
  if (mode === 'MICRO') {
    const compute = ({ forward, inputGradient, weightGradient }: WorkloadLayer): number =>
      forward.time + inputGradient.time + weightGradient.time;
    say(compute, 'compute times', 'mode MICRO runs weight-gradient collectives only', 'note');
  }
  say(({ updateTime }) => updateTime, 'update times', 'no node stands for an update, as in chakra_converter', 'note');
}

function roundedTimes({ workload: { layers, mode, file }, nanoseconds }: WorkloadPlan, findings: Finding[]): void {
  if (!nanoseconds || mode === 'MICRO') return;
  const times = layers.flatMap((layer) => PHASES.map((phase) => layer[phase].time));
  const rounded = times.filter((time) => time % 1000 !== 0);
  if (rounded.length === 0) return;
  const zero = rounded.filter((time) => wholeMicros(time) === 0).length;
  const message = `${file}: ${counted(rounded.length, 'compute time')} of ${grouped(times.length)} ${rounded.length === 1 ? 'is' : 'are'} no whole µs and rounded, halves up; ${grouped(zero)} became 0; duration_ns has the exact ones`;
  findings.push(finding('WORKLOAD_TIMES_ROUNDED', message, { file, count: rounded.length, zero }));
}

function emptyCollectives({ workload: { layers, mode, file } }: WorkloadPlan, findings: Finding[]): void {
  const empty = layers.flatMap((layer) =>
    PHASES.filter((phase) => scopeOf(mode, layer, phase) !== undefined && layer[phase].collective!.bytes === 0).map(
      (phase) => ({ layer, phase }),
    ),
  );
  if (empty.length === 0) return;
  const [{ layer, phase }] = empty;
  const message = `${file}:${layer.line}: ${PHASE_TITLES[phase]} collective ${layer[phase].collective!.name} has 0 bytes: it is run and moves nothing (${counted(empty.length, 'collective')} like this)`;
  findings.push(finding('WORKLOAD_EMPTY_COLLECTIVES', message, { file, count: empty.length }));
}
