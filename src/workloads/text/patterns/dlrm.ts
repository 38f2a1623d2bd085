import { CollectiveType } from '../../../trace/collective-type.js';
import { RankProgram } from '../rank-program.js';
import type { WorkloadPlan } from '../workload-plan.js';
import { LayerNodes, NONE, nodesOf } from './layer-nodes.js';

/**
 * HYBRID_DLRM n, HYBRID_DLRM_ENHANCED n: layer 0 is the embedding, layers 1 to n the bottom, the rest the top. As DATA, and the
 * all-to-all of the embedding runs beside the bottom layers: layer n waits for it in the forward pass, and in the backward pass it
 * comes behind layer n + 1, for the embedding to wait for.
 */
export function dlrm({ workload: { layers, mode, lastBottomLayer }, passes }: WorkloadPlan): RankProgram {
  const bottom = lastBottomLayer!.value;
  const program = new RankProgram();
  const nodes = layers.map((layer) => new LayerNodes(program, layer, mode));
  const weights = new Int32Array(layers.length).fill(NONE); // node that ends the weight update of each layer
  for (let pass = 0; pass < passes; pass++) {
    let last = NONE;
    let exchanged = NONE; // all-to-all of the embedding
    nodes.forEach((layer, place) => {
      last = layer.forward(nodesOf(weights[place], last, place === bottom && place > 0 ? exchanged : NONE));
      if (layer.layer.forward.collective?.type !== CollectiveType.allToAll) return;
      const collective = layer.forwardCollective(last);
      if (place === 0) exchanged = collective;
    });
    let returned = NONE; // the embedding's all-to-all of gradients
    for (let place = layers.length - 1; place >= 0; place--) {
      const compute = nodes[place].weightGradient(nodesOf(last, place === 0 ? returned : NONE));
      const collective = nodes[place].weightGradientCollective(compute);
      weights[place] = collective === NONE ? compute : collective;
      if (place > 0) last = nodes[place].inputGradient([compute]);
      if (place === bottom + 1) returned = nodes[0].inputGradientCollective(last);
    }
  }
  return program;
}
