import { formatId } from '../base/ids.js';
import { nodeLabel as idAndName, nodeName } from '../trace/node-label.js';
import { nodeTypeName } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { indicesById } from '../trace/id-order.js';
import type { Job } from './job.js';
import type { NodeIds } from './node-ids.js';
import type { NodeTable } from './node-table.js';

/** A node for a message: `rank 3 node 7 "all_reduce"`; the name only where the trace has one. */
export function nodeLabel(trace: RankTrace, index: number): string {
  return `rank ${trace.rank} node ${idAndName(formatId(trace.idLow[index], trace.idHigh[index]), nodeName(trace, index))}`;
}

/** What messages say of the nodes of a job. Names and types are read back from the traces, so only few nodes should be asked for. */
export class NodeLabels {
  readonly #job: Job;
  readonly #nodes: NodeTable;
  readonly #ids: NodeIds;
  /** Nodes asked for before. */
  readonly #known = new Map<number, { readonly name: string; readonly type: string }>();

  constructor(job: Job, nodes: NodeTable, ids: NodeIds) {
    this.#job = job;
    this.#nodes = nodes;
    this.#ids = ids;
  }

  id(node: number): number | string {
    return this.#ids.json(this.#nodes.rank(node), this.#place(node));
  }

  name(node: number): string {
    return this.#readBack(node).name;
  }

  typeName(node: number): string {
    return this.#readBack(node).type;
  }

  /** `rank 3 node 7 "all_reduce"` */
  full(node: number): string {
    return `rank ${this.#nodes.rank(node)} ${this.short(node)}`;
  }

  /** `node 7 "all_reduce"` */
  short(node: number): string {
    return `node ${idAndName(this.#ids.text(this.#nodes.rank(node), this.#place(node)), this.name(node))}`;
  }

  #place(node: number): number {
    return node - this.#nodes.offset[this.#nodes.rank(node)];
  }

  #readBack(node: number): { readonly name: string; readonly type: string } {
    let known = this.#known.get(node);
    if (known === undefined) {
      const place = this.#place(node);
      known = this.#job.withTrace(this.#nodes.rank(node), (trace) => {
        const index = indicesById(trace)?.[place] ?? place;
        return { name: nodeName(trace, index), type: nodeTypeName(trace.type[index]) };
      });
      this.#known.set(node, known);
    }
    return known;
  }
}
