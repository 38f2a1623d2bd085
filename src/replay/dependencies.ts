import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId, idForJson } from '../base/ids.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { inverse } from './id-order.js';
import type { NodeColumns } from './node-columns.js';
import { nodeLabel } from './node-label.js';
import type { ReplayOptions } from './replay-options.js';

/**
 * Fills `waiting` and gives the dependents of every node. The dependencies of a node are the union of its lists: an id in
 * both, or twice in one, counts once.
 */
export function linkDependencies(
  nodes: Omit<NodeColumns, 'dependentStart' | 'dependent'>,
  options: ReplayOptions,
  findings: Finding[],
): Pick<NodeColumns, 'dependentStart' | 'dependent'> {
  const { traces, offset, traceIndex, waiting, rankCount, length } = nodes;
  const control = options.deps !== 'data';
  const dependentStart = new Uint32Array(length + 1);
  const longest = traces.reduce((most, trace) => Math.max(most, trace.length), 0);
  // By index in the rank: the node that named it last, so that a second naming is seen.
  const namedBy = new Int32Array(longest);

  for (let rank = 0; rank < rankCount; rank++) {
    const trace = traces[rank];
    const order = traceIndex[rank];
    const places = order && inverse(order);
    const first = offset[rank];
    const missing = new MissingDependencies();
    namedBy.fill(-1, 0, trace.length);
    for (let index = 0; index < trace.length; index++) {
      let count = 0;
      for (let list = 0; list < (control ? 2 : 1); list++) {
        const starts = list === 0 ? trace.dataStart : trace.controlStart;
        const targets = list === 0 ? trace.dataTarget : trace.controlTarget;
        const end = starts[index + 1];
        for (let edge = starts[index]; edge < end; edge++) {
          const target = targets[edge];
          if (target < 0) {
            missing.note(trace, index, target, list === 0 ? 'data' : 'control', options);
          } else if (namedBy[target] !== index) {
            namedBy[target] = index;
            dependentStart[first + (places === undefined ? target : places[target]) + 1]++;
            count++;
          }
        }
      }
      waiting[first + (places === undefined ? index : places[index])] = count;
    }
    missing.report(trace, findings);
  }
  for (let node = 0; node < length; node++) dependentStart[node + 1] += dependentStart[node];

  const dependent = new Int32Array(dependentStart[length]);
  const fill = dependentStart.slice(0, length);
  for (let rank = 0; rank < rankCount; rank++) {
    const trace = traces[rank];
    const order = traceIndex[rank];
    const places = order && inverse(order);
    const first = offset[rank];
    namedBy.fill(-1, 0, trace.length);
    // In ascending place, so that the dependents of a node come in ascending id.
    for (let place = 0; place < trace.length; place++) {
      const index = order === undefined ? place : order[place];
      for (let list = 0; list < (control ? 2 : 1); list++) {
        const starts = list === 0 ? trace.dataStart : trace.controlStart;
        const targets = list === 0 ? trace.dataTarget : trace.controlTarget;
        const end = starts[index + 1];
        for (let edge = starts[index]; edge < end; edge++) {
          const target = targets[edge];
          if (target < 0 || namedBy[target] === index) continue;
          namedBy[target] = index;
          dependent[fill[first + (places === undefined ? target : places[target])]++] = first + place;
        }
      }
    }
  }
  return { dependentStart, dependent };
}

/** Dependencies of one rank on ids it does not have. */
class MissingDependencies {
  #data = 0;
  #control = 0;
  #first = -1;

  note(trace: RankTrace, index: number, target: number, list: 'data' | 'control', options: ReplayOptions): void {
    if (!options.dropMissingDependencies) {
      const id = formatId(trace.danglingLow[-1 - target], trace.danglingHigh[-1 - target]);
      throw traceError(
        list === 'data' ? 'DANGLING_DATA' : 'DANGLING_CONTROL',
        `${nodeLabel(trace, index)} has a ${list} dependency on ${id}, which the rank does not have`,
        [],
        list === 'data' ? 'add the node or drop the dependency' : 'use --deps data where control records nesting',
      );
    }
    if (this.#first < 0) this.#first = index;
    if (list === 'data') this.#data++;
    else this.#control++;
  }

  report(trace: RankTrace, findings: Finding[]): void {
    const { rank, file, idLow, idHigh } = trace;
    for (const [code, count] of [
      ['DANGLING_DATA', this.#data],
      ['DANGLING_CONTROL', this.#control],
    ] as const) {
      if (count === 0) continue;
      findings.push(
        finding(code, `${count} dependencies on missing nodes were dropped`, {
          severity: 'warning',
          rank,
          file,
          count,
          nodes: [idForJson(idLow[this.#first], idHigh[this.#first])],
        }),
      );
    }
  }
}
