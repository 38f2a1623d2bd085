import { RankProgram } from '../rank-program.js';
import type { WorkloadPlan } from '../workload-plan.js';
import { LayerNodes, NONE, nodesOf } from './layer-nodes.js';

/**
 * DATA: forward computes in a chain, then from the last layer to the first the weight-gradient compute with its collective and the
 * input-gradient compute, which the next layer waits for. The first layer has no input gradient. In a further pass a layer's
 * forward compute waits for its weight-gradient collective of the pass before, or for the compute where there is none.
 */
export function dataParallel({ workload: { layers, mode }, passes }: WorkloadPlan): RankProgram {
  const program = new RankProgram();
  const nodes = layers.map((layer) => new LayerNodes(program, layer, mode));
  const weights = new Int32Array(layers.length).fill(NONE); // node that ends the weight update of each layer
  for (let pass = 0; pass < passes; pass++) {
    let last = NONE;
    nodes.forEach((layer, place) => {
      last = layer.forward(nodesOf(last, weights[place]));
    });
    for (let place = layers.length - 1; place >= 0; place--) {
      const compute = nodes[place].weightGradient([last]);
      const collective = nodes[place].weightGradientCollective(compute);
      weights[place] = collective === NONE ? compute : collective;
      if (place > 0) last = nodes[place].inputGradient([compute]);
    }
  }
  return program;
}
