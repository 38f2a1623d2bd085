import { COLLECTIVE_NAMES } from '../../trace/collective-type.js';
import { NodeType } from '../../trace/node-type.js';
import type { ComputeRow, TrafficRow, WorkloadSummary } from '../generated-job.js';
import { SCOPE_NAMES } from './layout.js';
import type { StageProgram } from './stage-program.js';

/** Kinds of collectives, and one more for sends. */
const KINDS = COLLECTIVE_NAMES.length;

/** Adds up the programs of all stages. */
export class SummaryOfStages {
  /** [scope] whether any node names its groups. */
  readonly used: boolean[] = SCOPE_NAMES.map(() => false);
  /** Operations of computes, by name. */
  readonly operations = new Set<string>();
  #nodes = 0;
  readonly #count = new Float64Array(SCOPE_NAMES.length * KINDS + 1); // [scope × kind, send] nodes of all ranks
  readonly #bytes = new Float64Array(SCOPE_NAMES.length * KINDS + 1); // the same, bytes
  readonly #compute: ComputeRow[] = [];

  /** @param ranks of the stage */
  add(program: StageProgram, stage: number, ranks: number): void {
    const { type, costs, cost } = program;
    const compute = { nodes: 0, operations: 0, bytes: 0, durationNs: 0 };
    for (let id = 0; id < program.nodes; id++) {
      if (type[id] === NodeType.compute) {
        const { operations, bytes, ns } = costs[cost[id]];
        compute.nodes++;
        compute.operations += operations;
        compute.bytes += bytes;
        compute.durationNs += ns;
      } else if (type[id] === NodeType.collective) {
        const scope = program.scope[id];
        this.used[scope] = true;
        this.#add(scope * KINDS + program.commType[id], ranks, program.bytes[id]);
      } else if (type[id] === NodeType.send) this.#add(this.#count.length - 1, ranks, program.bytes[id]);
    }
    for (const operation of program.operations) this.operations.add(operation);
    this.#nodes += ranks * program.nodes;
    this.#compute.push({ stage, ranks, ...compute });
  }

  summary(ranks: number): WorkloadSummary {
    const traffic: TrafficRow[] = [];
    this.#count.forEach((nodes, place) => {
      if (nodes === 0) return;
      const send = place === this.#count.length - 1;
      const group = send ? 'pipeline' : SCOPE_NAMES[Math.floor(place / KINDS)];
      const kind = send ? 'send' : COLLECTIVE_NAMES[place % KINDS].record;
      traffic.push({ group, kind, nodes, bytes: this.#bytes[place] });
    });
    return { ranks, nodes: this.#nodes, traffic, compute: this.#compute };
  }

  #add(place: number, ranks: number, bytes: number): void {
    this.#count[place] += ranks;
    this.#bytes[place] += ranks * bytes;
  }
}
