import { NodeType } from '../../../trace/node-type.js';
import { isTransformer } from '../../../formats/text-workload/text-workload.js';
import { modeOf } from '../layer-scopes.js';
import { asListed, oneForwardOneBackward, type Leg } from '../legs.js';
import { RankProgram } from '../rank-program.js';
import type { WorkloadPlan } from '../workload-plan.js';
import { LayerNodes, NONE, nodesOf } from './layer-nodes.js';

/**
 * MODEL, the hybrid modes, transformers, HYBRID_CUSTOMIZED: forward compute → collective, which the next layer waits for; then from
 * the last layer to the first the input-gradient compute → collective and beside it the weight-gradient compute → collective; the
 * layer before waits for the input-gradient collective and the weight-gradient compute. Micro-batches run as {@link Leg}s, one
 * behind the other; between stages each leg begins with a receive and ends with a send.
 */
export function layered(plan: WorkloadPlan, stage: number): RankProgram {
  const { workload, listed, microBatches, dimensions, passes } = plan;
  const count = workload.layers.length;
  const stages = new StageNodes(plan, stage);
  const legs =
    listed === undefined
      ? oneForwardOneBackward(count, microBatches, stage, dimensions.stages)
      : asListed(count, listed);
  const perPass = listed?.count ?? microBatches;
  for (let pass = 0; pass < passes; pass++) {
    stages.beginPass(pass * perPass);
    for (const leg of legs) stages.run(leg);
  }
  return stages.program;
}

/** Adds the nodes of one stage, leg by leg. */
class StageNodes {
  readonly program = new RankProgram();
  readonly #plan: WorkloadPlan;
  readonly #stage: number;
  readonly #layers: readonly LayerNodes[];
  readonly #dataParallel: readonly boolean[]; // [layer] a DATA layer of HYBRID_CUSTOMIZED
  /** [layer] first layer whose forward is done again before the layer's backward; itself where none is */
  readonly #again: Int32Array;
  /** [layer] node that ended the weight update in the pass before, until the layer's forward has waited for it */
  readonly #weights: Int32Array;
  /** Whether the first input-gradient collective is run: in the modes of the official converter nobody is there to take it. */
  readonly #firstInputGradient: boolean;
  /** What the next node of the stage waits for. */
  #last: number[] = [];
  /** Whether #last is the end of a pass, whose first element is the weight-gradient compute of layer 0. */
  #atPassEnd = false;
  #firstMicroBatch = 0;

  constructor(plan: WorkloadPlan, stage: number) {
    const { mode, layers } = plan.workload;
    this.#plan = plan;
    this.#stage = stage;
    this.#layers = layers.map((layer) => new LayerNodes(this.program, layer, mode));
    this.#dataParallel = layers.map((layer) => modeOf(mode, layer) === 'DATA');
    this.#firstInputGradient = isTransformer(mode);
    this.#weights = new Int32Array(layers.length).fill(NONE);
    this.#again = recomputedFrom(plan);
  }

  beginPass(firstMicroBatch: number): void {
    this.#firstMicroBatch = firstMicroBatch;
    this.#atPassEnd = firstMicroBatch > 0;
  }

  run(leg: Leg): void {
    if (leg.transfers) this.#receive(leg);
    if (leg.backward) for (let place = leg.to - 1; place >= leg.from; place--) this.#backward(place, leg);
    else for (let place = leg.from; place < leg.to; place++) this.#forward(place);
    if (leg.transfers) this.#send(leg);
  }

  #forward(place: number): void {
    const layer = this.#layers[place];
    const weights = this.#weights[place];
    this.#weights[place] = NONE;
    // Behind the weight update of layer 0, which waits for it, its weight-gradient compute need not be named.
    const last = this.#atPassEnd && weights !== NONE ? this.#last.slice(1) : this.#last;
    this.#atPassEnd = false;
    const compute = layer.forward([...nodesOf(weights), ...last]);
    const collective = layer.forwardCollective(compute);
    this.#last = [collective === NONE ? compute : collective];
  }

  #backward(place: number, leg: Leg): void {
    for (let again = this.#again[place]; again < place; again++) {
      const compute = this.#layers[again].forwardAgain(this.#last);
      const collective = this.#layers[again].forwardCollective(compute);
      this.#last = [collective === NONE ? compute : collective];
    }
    const layer = this.#layers[place];
    if (this.#dataParallel[place]) {
      const weight = layer.weightGradient(this.#last);
      this.#weightCollective(place, weight, leg);
      this.#last = [place === 0 ? weight : layer.inputGradient([weight])];
      return;
    }
    const input = layer.inputGradient(this.#last);
    const collective = place > 0 || this.#firstInputGradient ? layer.inputGradientCollective(input) : NONE;
    const weight = layer.weightGradient([input]);
    this.#weightCollective(place, weight, leg);
    this.#last = nodesOf(weight, collective);
  }

  #weightCollective(place: number, compute: number, { weightCollectives }: Leg): void {
    if (!weightCollectives) return;
    const collective = this.#layers[place].weightGradientCollective(compute);
    this.#weights[place] = collective === NONE ? compute : collective;
  }

  #receive(leg: Leg): void {
    const from = leg.backward ? 1 : -1;
    if (!this.#hasStage(from)) return;
    const { microBatch } = this.#transferOf(leg);
    const name = Buffer.from(`COMM_RECV_NODE_${leg.backward ? 'GRADIENT' : 'ACTIVATION'}_${microBatch}`);
    const { stageBytes } = this.#plan;
    const id = this.program.transfer(name, NodeType.receive, from, this.#transferOf(leg).tag, stageBytes, this.#last);
    this.#last = [id];
    this.#atPassEnd = false;
  }

  #send(leg: Leg): void {
    const to = leg.backward ? -1 : 1;
    if (!this.#hasStage(to)) return;
    const { microBatch, tag } = this.#transferOf(leg);
    const name = Buffer.from(`COMM_SEND_NODE_${leg.backward ? 'GRADIENT' : 'ACTIVATION'}_${microBatch}`);
    this.program.transfer(name, NodeType.send, to, tag, this.#plan.stageBytes, this.#last);
  }

  /** The micro-batch counted over all passes, and the tag of what is sent of it, which no other transfer of the pair has. */
  #transferOf({ microBatch, backward }: Leg): { microBatch: number; tag: number } {
    const counted = this.#firstMicroBatch + microBatch;
    return { microBatch: counted, tag: 2 * counted + (backward ? 1 : 0) };
  }

  #hasStage(distance: 1 | -1): boolean {
    const stage = this.#stage + distance;
    return stage >= 0 && stage < this.#plan.dimensions.stages;
  }
}

/** Where the forward pass is done again from before the backward of each layer: the nearest checkpoint at or before it. */
function recomputedFrom({ workload: { mode, layers, layerLists } }: WorkloadPlan): Int32Array {
  const from = Int32Array.from(layers, (_, place) => place);
  if (mode !== 'HYBRID_TRANSFORMER_FWD_IN_BCKWD') return from;
  const checkpoints = layerLists.get('checkpoints')?.value ?? [];
  for (const layer of layerLists.get('checkpoint_initiates')?.value ?? []) {
    from[layer] = checkpoints.reduce((nearest, at) => (at <= layer && at > nearest ? at : nearest), 0);
  }
  return from;
}
