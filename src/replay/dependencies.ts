import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { nodeLabel } from './node-label.js';
import type { NodeTable } from './node-table.js';
import type { GatheringOptions } from './replay-options.js';

/** Room beyond what the first ranks let expect. */
const MARGIN = 1.25;

/**
 * Links nodes with those that depend on them. The dependencies of a node are the union of its lists: an id in both, or
 * twice in one, counts once.
 */
export class DependencyLinker {
  readonly #nodes: NodeTable;
  readonly #options: GatheringOptions;
  readonly #findings: Finding[];
  /** By index in the rank: the node that named it last, so that a second naming is seen. */
  #namedBy = new Int32Array(0);
  /** By index in the rank: how many depend on it, then the next free place among the dependents. */
  #cursor = new Int32Array(0);
  #dependents = 0;

  constructor(nodes: NodeTable, options: GatheringOptions, findings: Finding[]) {
    this.#nodes = nodes;
    this.#options = options;
    this.#findings = findings;
  }

  /**
   * Links the nodes of one rank; to be called for the ranks in order.
   * @param first the rank's first node
   * @param order indices in ascending id, `undefined` where the file has that order
   * @param jobToRead how many times the dependents linked so far and these the whole job has, for room
   * @throws PrepError `DANGLING_DATA`
   */
  link(trace: RankTrace, first: number, order: Int32Array | undefined, jobToRead: number): void {
    const nodes = this.#nodes;
    const { length } = trace;
    if (this.#cursor.length < length) {
      this.#cursor = new Int32Array(length);
      this.#namedBy = new Int32Array(length);
    }
    const cursor = this.#cursor.fill(0, 0, length);
    const edges = this.#dependents + this.#count(trace);
    if (edges > nodes.dependents.length) {
      nodes.reserveDependents(Math.ceil(edges * Math.max(jobToRead, 1) * MARGIN), this.#dependents);
    }
    for (let place = 0; place < length; place++) {
      const index = order === undefined ? place : order[place];
      const start = this.#dependents;
      this.#dependents += cursor[index];
      nodes.setDependents(first + place, start, this.#dependents);
      cursor[index] = start;
    }
    const { dependents } = nodes;
    const namedBy = this.#namedBy.fill(-1, 0, length);
    // In ascending place, so that the dependents of a node come in ascending id.
    for (let place = 0; place < length; place++) {
      const index = order === undefined ? place : order[place];
      let dependencies = 0;
      for (let list = 0; list < this.#lists; list++) {
        const target = list === 0 ? trace.dataTarget : trace.controlTarget;
        const start = list === 0 ? trace.dataStart : trace.controlStart;
        for (let edge = start[index]; edge < start[index + 1]; edge++) {
          const dependency = target[edge];
          if (dependency < 0 || namedBy[dependency] === index) continue;
          namedBy[dependency] = index;
          dependents[cursor[dependency]++] = first + place;
          dependencies++;
        }
      }
      nodes.setWaiting(first + place, dependencies);
    }
  }

  get #lists(): number {
    return this.#options.deps === 'data' ? 1 : 2;
  }

  /** Counts the dependents of every node into the cursor; gives how many they are together. */
  #count(trace: RankTrace): number {
    const cursor = this.#cursor;
    const namedBy = this.#namedBy.fill(-1, 0, trace.length);
    const missing = new MissingDependencies(trace, this.#options);
    let dependents = 0;
    for (let index = 0; index < trace.length; index++) {
      for (let list = 0; list < this.#lists; list++) {
        const target = list === 0 ? trace.dataTarget : trace.controlTarget;
        const start = list === 0 ? trace.dataStart : trace.controlStart;
        for (let edge = start[index]; edge < start[index + 1]; edge++) {
          const dependency = target[edge];
          if (dependency < 0) {
            missing.note(index, dependency, list === 0 ? 'data' : 'control');
          } else if (namedBy[dependency] !== index) {
            namedBy[dependency] = index;
            cursor[dependency]++;
            dependents++;
          }
        }
      }
    }
    missing.report(this.#findings);
    return dependents;
  }
}

/** Dependencies of one rank on ids it does not have. */
class MissingDependencies {
  readonly #trace: RankTrace;
  readonly #drop: boolean;
  #data = 0;
  #control = 0;
  #first = -1;

  constructor(trace: RankTrace, options: GatheringOptions) {
    this.#trace = trace;
    this.#drop = options.dropMissingDependencies ?? false;
  }

  /** A control dependency on a missing node is what converters leave of nesting; it holds nothing back. */
  note(index: number, target: number, list: 'data' | 'control'): void {
    if (list === 'data' && !this.#drop) {
      const { danglingLow, danglingHigh } = this.#trace;
      const id = formatId(danglingLow[-1 - target], danglingHigh[-1 - target]);
      throw traceError(
        'DANGLING_DATA',
        `${nodeLabel(this.#trace, index)} has a data dependency on ${id}, which the rank does not have`,
        [],
        'add the node or drop the dependency',
      );
    }
    if (this.#first < 0) this.#first = index;
    if (list === 'data') this.#data++;
    else this.#control++;
  }

  report(findings: Finding[]): void {
    const { rank, file, idLow, idHigh } = this.#trace;
    for (const [code, count] of [
      ['DANGLING_DATA', this.#data],
      ['DANGLING_CONTROL', this.#control],
    ] as const) {
      if (count === 0) continue;
      findings.push(
        finding(
          code,
          `${count} ${code === 'DANGLING_DATA' ? 'data' : 'control'} dependencies on missing nodes were dropped`,
          {
            severity: 'warning',
            rank,
            file,
            count,
            nodes: [idForJson(idLow[this.#first], idHigh[this.#first])],
          },
        ),
      );
    }
  }
}
