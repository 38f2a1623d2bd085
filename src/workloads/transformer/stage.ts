import { DataParallel } from './data-parallel.js';
import { optimizerCost } from './operations.js';
import { microBatchesOf, type TransformerParameters } from './parameters.js';
import { partsOf, type Part } from './part.js';
import { RankNodes } from './rank-nodes.js';
import { scheduleOf, type Leg } from './schedule.js';
import type { StageProgram } from './stage-program.js';
import { sumOfWeights } from './weights.js';

/** The nodes of a pipeline stage. */
export function stageProgram(parameters: TransformerParameters, stage: number): StageProgram {
  const nodes = new StageNodes(parameters, stage);
  for (let step = 0; step < parameters.steps; step++) nodes.step(step);
  return nodes.program;
}

/** Adds the nodes of one stage, step by step. */
class StageNodes {
  readonly #parameters: TransformerParameters;
  readonly #stage: number;
  readonly #nodes: RankNodes;
  readonly #data: DataParallel;
  readonly #parts: readonly (readonly Part[])[]; // by chunk, in forward order
  readonly #legs: readonly Leg[];
  readonly #lastBackward: readonly number[]; // [chunk] place of its last backward leg
  readonly #microBatches: number;

  constructor(parameters: TransformerParameters, stage: number) {
    this.#parameters = parameters;
    this.#stage = stage;
    this.#nodes = new RankNodes(parameters);
    this.#data = new DataParallel(this.#nodes);
    this.#parts = partsOf(parameters, stage);
    this.#legs = scheduleOf(parameters, stage);
    this.#lastBackward = this.#parts.map((_, of) =>
      this.#legs.findLastIndex(({ backward, chunk }) => backward && chunk === of),
    );
    this.#microBatches = microBatchesOf(parameters);
  }

  get program(): StageProgram {
    return this.#nodes.program;
  }

  step(step: number): void {
    this.#legs.forEach((leg, place) => {
      const direction = leg.backward ? 'backward' : 'forward';
      this.#nodes.beginLeg(`step ${step} micro-batch ${leg.microBatch} ${direction} `);
      this.#leg(leg, step, place === this.#lastBackward[leg.chunk]);
    });
    if (this.#parameters.forwardOnly) return;
    this.#nodes.beginLeg(`step ${step} `);
    this.#data.useGradients();
    const parts = this.#parts.flat();
    this.#nodes.compute('optimizer', optimizerCost(this.#parameters, sumOfWeights(parts.map((part) => part.weights))));
    for (const part of parts) {
      this.#nodes.at(`${part.name} `);
      this.#data.gatherUpdated(part);
    }
  }

  /** Receives, runs the parts of the chunk one way, and sends. Weights of a part are gathered while the part before runs. */
  #leg(leg: Leg, step: number, last: boolean): void {
    const parts = leg.backward ? [...this.#parts[leg.chunk]].reverse() : this.#parts[leg.chunk];
    this.#gather(parts[0]);
    this.#receive(leg, step);
    parts.forEach((part, place) => {
      if (place + 1 < parts.length) this.#gather(parts[place + 1]);
      this.#data.use(part);
      if (!leg.backward) {
        this.#nodes.at(part.where);
        part.forward(this.#nodes);
        return;
      }
      if (part.recomputed) {
        this.#nodes.at(`${part.where}recompute `);
        part.forward(this.#nodes);
      }
      this.#nodes.at(part.where);
      part.backward(this.#nodes);
      this.#nodes.at(`${part.name} `);
      this.#data.reduceGradients(part, last);
    });
    this.#send(leg, step);
  }

  #gather(part: Part): void {
    this.#nodes.at(`${part.name} `);
    this.#data.gatherForUse(part, this.#nodes.front);
  }

  #receive(leg: Leg, step: number): void {
    const { pp } = this.#parameters;
    const { place, last } = this.#placeOf(leg);
    if (place === (leg.backward ? last : 0)) return;
    const from = (this.#stage + (leg.backward ? 1 : pp - 1)) % pp;
    const boundary = leg.backward ? place : place - 1;
    this.#nodes.receive(`${textOf(leg)} from stage ${from}`, from, this.#tag(leg, step, boundary));
  }

  #send(leg: Leg, step: number): void {
    const { pp } = this.#parameters;
    const { place, last } = this.#placeOf(leg);
    if (place === (leg.backward ? 0 : last)) return;
    const to = (this.#stage + (leg.backward ? pp - 1 : 1)) % pp;
    const boundary = leg.backward ? place - 1 : place;
    this.#nodes.send(`${textOf(leg)} to stage ${to}`, to, this.#tag(leg, step, boundary));
  }

  /** Place of the chunk among all chunks of the model, and the last such place. */
  #placeOf({ chunk }: Leg): { place: number; last: number } {
    const { pp, virtualStages } = this.#parameters;
    return { place: chunk * pp + this.#stage, last: pp * virtualStages - 1 };
  }

  /** The tag of what crosses from one place of the model to the next, or back, which no other transfer of the pair has. */
  #tag({ microBatch, backward }: Leg, step: number, boundary: number): number {
    const { pp, virtualStages } = this.#parameters;
    const counted = step * this.#microBatches + microBatch;
    return 2 * (counted * virtualStages + Math.floor(boundary / pp)) + (backward ? 1 : 0);
  }
}

function textOf({ backward }: Leg): string {
  return backward ? 'gradient' : 'activation';
}
