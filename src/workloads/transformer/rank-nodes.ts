import { CollectiveType } from '../../trace/collective-type.js';
import { NodeType } from '../../trace/node-type.js';
import { computeNs } from './durations.js';
import { Scope } from './layout.js';
import { operationCosts, type Cost, type Operation } from './operations.js';
import type { TransformerParameters } from './parameters.js';
import { StageProgram } from './stage-program.js';

/**
 * Adds the nodes of a stage in the order in which its ranks run them. What runs next waits for the front: the last compute, which
 * stands for the stream of computes, and what was communicated for it. A collective that is not waited for runs beside
 * the computes until somebody joins it.
 */
export class RankNodes {
  readonly program = new StageProgram();
  readonly parameters: TransformerParameters;
  /** Elements of a micro-batch between layers. */
  readonly elements: number;
  readonly #costs: ReadonlyMap<string, Cost>;
  #front: readonly number[] = [];
  #where = '';

  constructor(parameters: TransformerParameters) {
    this.parameters = parameters;
    this.elements = parameters.microBatch * parameters.sequence * parameters.hidden;
    this.#costs = operationCosts(parameters);
  }

  /** Ids that the next node waits for; parents of what runs beside from here. */
  get front(): readonly number[] {
    return this.#front;
  }

  /** Names of what follows begin with `leg`, such as `step 0 micro-batch 1 forward `. */
  beginLeg(leg: string): void {
    this.program.begin(leg);
    this.#where = '';
  }

  /** Names of what follows have this behind the leg, such as `layer 3 `. */
  at(where: string): void {
    this.#where = where;
  }

  compute(operation: Operation, cost: Cost = this.#costs.get(operation)!): void {
    const costOf = () => ({ ...cost, ns: computeNs(this.parameters, operation, cost) });
    this.#front = [this.program.compute(`${this.#where}${operation}`, operation, costOf, this.#front)];
  }

  /** What runs next waits for these too. */
  join(ids: readonly number[]): void {
    const more = ids.filter((id) => !this.#front.includes(id));
    if (more.length > 0) this.#front = [...this.#front, ...more];
  }

  /** A collective that runs beside what follows. @param what names it, before its kind @returns its id */
  beside(scope: number, type: number, bytes: number, what: string, parents = this.#front): number[] {
    return [this.program.collective(`${this.#where}${what} ${KIND[type]}`, type, bytes, scope, parents)];
  }

  /** All-reduce or, with sequence parallelism, reduce-scatter of `elements` over tensor-parallel ranks, beside what follows. */
  reduceBeside(elements: number, what: string): number[] {
    const { tp, sp, elementBytes } = this.parameters;
    if (tp === 1) return [];
    const type = sp ? CollectiveType.reduceScatter : CollectiveType.allReduce;
    return this.beside(Scope.tensor, type, elements * elementBytes, what);
  }

  /** As before, and waited for. */
  reduce(elements: number, what: string): void {
    this.#waitFor(this.reduceBeside(elements, what));
  }

  /** With sequence parallelism the all-gather of `elements` from the parts of tensor-parallel ranks, beside what follows. */
  gatherBeside(elements: number, what: string): number[] {
    const { tp, sp, elementBytes } = this.parameters;
    return sp ? this.beside(Scope.tensor, CollectiveType.allGather, (elements / tp) * elementBytes, what) : [];
  }

  /** As before, and waited for. */
  gather(elements: number, what: string): void {
    this.#waitFor(this.gatherBeside(elements, what));
  }

  /** A collective over tensor-parallel ranks that is waited for. */
  tensor(type: number, bytes: number, what: string): void {
    if (this.parameters.tp > 1) this.#waitFor(this.beside(Scope.tensor, type, bytes, what));
  }

  /** All-to-all of expert-parallel ranks: `elements` leave this rank, the same number for each; waited for. */
  exchange(elements: number, what: string): void {
    const { ep, elementBytes } = this.parameters;
    if (ep === 1) return;
    const bytes = Math.ceil(elements / ep) * ep * elementBytes;
    this.#waitFor(this.beside(Scope.expert, CollectiveType.allToAll, bytes, what));
  }

  send(what: string, peerStage: number, tag: number): void {
    this.program.transfer(`send ${what}`, NodeType.send, { peerStage, tag, bytes: this.#stageBytes }, this.#front);
  }

  /** A receive, which is posted when everything before it is done. */
  receive(what: string, peerStage: number, tag: number): void {
    const transfer = { peerStage, tag, bytes: this.#stageBytes };
    this.#waitFor([this.program.transfer(`receive ${what}`, NodeType.receive, transfer, this.#front)]);
  }

  /** Bytes between stages: a micro-batch, of which each tensor-parallel rank sends its part where it holds only that. */
  get #stageBytes(): number {
    const { tp, sp, elementBytes } = this.parameters;
    return (sp ? this.elements / tp : this.elements) * elementBytes;
  }

  #waitFor(ids: readonly number[]): void {
    if (ids.length > 0) this.#front = ids;
  }
}

const KIND: Readonly<Record<number, string>> = {
  [CollectiveType.allReduce]: 'all-reduce',
  [CollectiveType.allGather]: 'all-gather',
  [CollectiveType.reduceScatter]: 'reduce-scatter',
  [CollectiveType.allToAll]: 'all-to-all',
};
