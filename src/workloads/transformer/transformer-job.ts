import { finding } from '../../base/catalogue.js';
import { requestError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { MAX_EXACT } from '../../base/units.js';
import type { GeneratedJob } from '../generated-job.js';
import { wholeMicros } from '../whole-micros.js';
import { completeTransformer } from './complete.js';
import { demandDurations } from './durations.js';
import { TransformerLayout } from './layout.js';
import { ranksOf, type StatedTransformer, type TransformerParameters } from './parameters.js';
import { stageProgram } from './stage.js';
import type { ComputeCost, StageProgram } from './stage-program.js';
import { SummaryOfStages } from './summary.js';
import { writeRank } from './write-rank.js';

/** Nodes of stages that are kept for the next rank; a stage costs about 50 bytes a node. */
const KEPT_NODES = 4_000_000;

/**
 * Training steps, or the forward pass, of a decoder-only transformer on `dp × tp × pp` ranks (docs/generate.md).
 * @throws PrepError `OPTION_MISSING`, `CASE_PARAMETER`
 */
export function transformerJob(stated: StatedTransformer): GeneratedJob {
  const { parameters, findings } = completeTransformer(stated);
  const stages = new Stages(parameters);
  const counted = new SummaryOfStages();
  const costs = new Map<string, ComputeCost>();
  const ranks = ranksOf(parameters);
  for (let stage = 0; stage < parameters.pp; stage++) {
    const program = stages.program(stage);
    counted.add(program, stage, ranks / parameters.pp);
    program.operations.forEach((operation, place) => costs.set(operation, program.costs[place]));
    demandExact(program);
  }
  demandDurations(parameters, counted.operations);
  const layout = new TransformerLayout(parameters, counted.used);
  const timed = parameters.peakTflops !== undefined || parameters.durationsMicros !== undefined;
  return {
    rankCount: ranks,
    prefix: 'transformer',
    groups: layout.groups,
    findings: [...findings, ...durationFindings(parameters, costs)],
    summary: counted.summary(ranks),
    writeRank: (rank, out) => writeRank(stages.program(layout.stageOf(rank)), layout, rank, timed, out),
  };
}

/** Programs of stages, made when they are asked for. */
class Stages {
  readonly #parameters: TransformerParameters;
  readonly #kept = new Map<number, StageProgram>();
  #nodes = 0;

  constructor(parameters: TransformerParameters) {
    this.#parameters = parameters;
  }

  program(stage: number): StageProgram {
    const kept = this.#kept.get(stage);
    if (kept !== undefined) return kept;
    const program = stageProgram(this.#parameters, stage);
    if (this.#nodes + program.nodes > KEPT_NODES) {
      this.#kept.clear();
      this.#nodes = 0;
    }
    this.#kept.set(stage, program);
    this.#nodes += program.nodes;
    return program;
  }
}

/** @throws PrepError `CASE_PARAMETER` where a count of a node is beyond what numbers hold */
function demandExact({ nodes, costs, bytes, operations }: StageProgram): void {
  costs.forEach((cost, place) => {
    const count = Math.max(cost.operations, cost.bytes);
    if (count > MAX_EXACT) throw tooMuch(`${operations[place]}: ${count} operations or bytes`);
  });
  for (let id = 0; id < nodes; id++) if (bytes[id] > MAX_EXACT) throw tooMuch(`a message of ${bytes[id]} bytes`);
}

function tooMuch(what: string): Error {
  return requestError(
    'CASE_PARAMETER',
    `transformer: ${what}: a node counts up to ${MAX_EXACT}`,
    'use a smaller model or micro-batch',
  );
}

/** What is to be said of the durations of computes. @param costs by operation */
function durationFindings(parameters: TransformerParameters, costs: ReadonlyMap<string, ComputeCost>): Finding[] {
  const { peakTflops, durationsMicros } = parameters;
  const findings: Finding[] = [];
  const roofline = peakTflops !== undefined;
  const without = roofline ? [] : [...costs.keys()].filter((name) => !Object.hasOwn(durationsMicros ?? {}, name));
  if (without.length > 0) {
    const which = durationsMicros === undefined ? 'computes' : `${without.length} of ${costs.size} operations`;
    const listed = durationsMicros === undefined ? '' : ` (${without.join(', ')})`;
    const message = `transformer: ${which} have duration 0${listed}: neither --peak-tflops with --memory-gbps nor --durations says how long they take`;
    findings.push(finding('WORKLOAD_NO_DURATIONS', message, { count: without.length }));
  }
  const rounded = [...costs].filter(([, { ns }]) => ns % 1000 !== 0);
  if (rounded.length > 0) {
    const zero = rounded.filter(([, { ns }]) => wholeMicros(ns) === 0).length;
    const message =
      `transformer: durations of ${rounded.length} of ${costs.size} operations are no whole µs and rounded, halves up` +
      `${zero > 0 ? `; ${zero} became 0` : ''}; duration_ns has the exact ones`;
    findings.push(finding('WORKLOAD_TIMES_ROUNDED', message, { count: rounded.length, zero }));
  }
  return findings;
}
