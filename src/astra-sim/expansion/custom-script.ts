import { counted } from '../../base/counts.js';
import { traceError } from '../../base/errors.js';
import { NodeType } from '../../trace/node-type.js';
import type { AlgorithmNode } from '../custom-collectives.js';
import type { CustomPosition, CustomScript } from './collective-script.js';

/** A collective that traces describe, and what its transfers leave out. */
export interface CustomExpansion {
  readonly script: CustomScript;
  /** Compute nodes over all positions. */
  readonly computations: number;
}

/**
 * The transfers of a custom collective (astra-sim-semantics section 10). What waits for a compute node waits for what that
 * waits for. Sends and receives of equal tag, size and pair match in the order in which they can be issued.
 * @param prefix of the traces, for messages
 * @param positions what each runs
 * @throws PrepError `SYSTEM_CUSTOM` for nodes that wait for each other and for a receive that no send is for: the collective would not
 *   end
 */
export function customScript(
  name: string,
  prefix: string,
  positions: readonly (readonly AlgorithmNode[])[],
): CustomExpansion {
  const sent = new Map<string, number[]>();
  const messages = new Int32Array(positions.length ** 2);
  let indexCount = 0;
  const orders = positions.map((nodes, position) => issueOrder(nodes, `${prefix}.${position}.et`));
  for (const [position, nodes] of positions.entries()) {
    for (const at of orders[position]) {
      const { type, partner } = nodes[at];
      if (type !== NodeType.send) continue;
      const index = messages[position * positions.length + partner]++;
      indexCount = Math.max(indexCount, index + 1);
      const key = messageKey(position, partner, nodes[at]);
      const indices = sent.get(key);
      if (indices === undefined) sent.set(key, [index]);
      else indices.push(index);
    }
  }
  const written: CustomPosition[] = [];
  // Indices of sends come back in the order in which those of their key were given out.
  const given = new Map<string, number>();
  const indexOf = (key: string, isSend: boolean): number | undefined => {
    const place = given.get(`${isSend} ${key}`) ?? 0;
    given.set(`${isSend} ${key}`, place + 1);
    return sent.get(key)?.[place];
  };
  for (const [position, nodes] of positions.entries()) {
    const transfers = orders[position].filter((at) => nodes[at].type !== NodeType.compute);
    const index = transfers.map((at) => {
      const { type, partner, amount } = nodes[at];
      const isSend = type === NodeType.send;
      const key = isSend ? messageKey(position, partner, nodes[at]) : messageKey(partner, position, nodes[at]);
      const found = indexOf(key, isSend);
      if (found !== undefined) return found;
      throw traceError(
        'SYSTEM_CUSTOM',
        `${prefix}.${position}.et: no send of position ${partner} is for a receive of ${counted(amount, 'byte')} from it`,
      );
    });
    written.push({
      send: Uint8Array.from(transfers, (at) => Number(nodes[at].type === NodeType.send)),
      peer: Int32Array.from(transfers, (at) => nodes[at].partner),
      bytes: Float64Array.from(transfers, (at) => nodes[at].amount),
      index: Int32Array.from(index),
      dependencies: transfersBefore(nodes, orders[position], transfers),
    });
  }
  const computations = positions.flat().filter(({ type }) => type === NodeType.compute).length;
  return { script: { kind: 'custom', name, positions: written, indexCount }, computations };
}

function messageKey(from: number, to: number, { tag, amount }: AlgorithmNode): string {
  return `${from} ${to} ${tag} ${amount}`;
}

/** The nodes, each after those it waits for. */
function issueOrder(nodes: readonly AlgorithmNode[], file: string): number[] {
  const waiting = nodes.map(({ dependencies }) => dependencies);
  const order = [...nodes.keys()].filter((at) => waiting[at] === 0);
  for (const at of order) {
    for (const dependent of nodes[at].dependents) if (--waiting[dependent] === 0) order.push(dependent);
  }
  if (order.length === nodes.length) return order;
  const stuck = nodes.length - order.length;
  throw traceError('SYSTEM_CUSTOM', `${file}: ${counted(stuck, 'node')} that wait for each other never start`);
}

/** For each transfer the transfers that it waits for, as places in their list. */
function transfersBefore(
  nodes: readonly AlgorithmNode[],
  order: readonly number[],
  transfers: readonly number[],
): number[][] {
  const placeOf = new Map(transfers.map((at, place) => [at, place]));
  const before: Set<number>[] = nodes.map(() => new Set());
  for (const at of order) {
    const place = placeOf.get(at);
    const passedOn = place === undefined ? before[at] : [place];
    for (const dependent of nodes[at].dependents) for (const transfer of passedOn) before[dependent].add(transfer);
  }
  return transfers.map((at) => [...before[at]].sort((a, b) => a - b));
}
