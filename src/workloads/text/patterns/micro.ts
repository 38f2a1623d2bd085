import { RankProgram } from '../rank-program.js';
import type { WorkloadPlan } from '../workload-plan.js';
import { LayerNodes } from './layer-nodes.js';

/** MICRO: the weight-gradient collective of each layer, nothing else and no dependencies. */
export function micro({ workload: { layers, mode }, passes }: WorkloadPlan): RankProgram {
  const program = new RankProgram();
  const nodes = layers.map((layer) => new LayerNodes(program, layer, mode));
  for (let pass = 0; pass < passes; pass++) for (const layer of nodes) layer.weightGradientCollective();
  return program;
}
