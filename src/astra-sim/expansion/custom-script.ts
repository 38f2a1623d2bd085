import { counted } from '../../base/counts.js';
import { traceError } from '../../base/errors.js';
import { Role, type SystemNodes } from '../system-nodes.js';
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
 * @param positions what each runs, partners being positions
 * @throws PrepError `SYSTEM_CUSTOM` for nodes that wait for each other and for a receive that no send is for: the collective would not
 *   end
 */
export function customScript(name: string, prefix: string, positions: readonly SystemNodes[]): CustomExpansion {
  const sent = new Map<string, number[]>();
  const messages = new Int32Array(positions.length ** 2);
  let indexCount = 0;
  const orders = positions.map((nodes, position) => issueOrder(nodes, `${prefix}.${position}.et`));
  for (const [position, nodes] of positions.entries()) {
    for (const node of orders[position]) {
      if (nodes.role[node] !== Role.send) continue;
      const index = messages[position * positions.length + nodes.partner[node]]++;
      indexCount = Math.max(indexCount, index + 1);
      const key = messageKey(position, nodes.partner[node], nodes, node);
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
  let computations = 0;
  for (const [position, nodes] of positions.entries()) {
    const { role, partner, amount } = nodes;
    const transfers = orders[position].filter((node) => role[node] !== Role.timed);
    computations += nodes.length - transfers.length;
    const index = transfers.map((node) => {
      const isSend = role[node] === Role.send;
      const [from, to] = isSend ? [position, partner[node]] : [partner[node], position];
      const found = indexOf(messageKey(from, to, nodes, node), isSend);
      if (found !== undefined) return found;
      throw traceError(
        'SYSTEM_CUSTOM',
        `${prefix}.${position}.et: no send of position ${from} is for a receive of ${counted(amount[node], 'byte')} from it`,
      );
    });
    written.push({
      send: Uint8Array.from(transfers, (node) => Number(role[node] === Role.send)),
      peer: Int32Array.from(transfers, (node) => partner[node]),
      bytes: Float64Array.from(transfers, (node) => amount[node]),
      index: Int32Array.from(index),
      dependencies: transfersBefore(nodes, orders[position], transfers),
    });
  }
  return { script: { kind: 'custom', name, positions: written, indexCount }, computations };
}

function messageKey(from: number, to: number, { tag, amount }: SystemNodes, node: number): string {
  return `${from} ${to} ${tag[node]} ${amount[node]}`;
}

function dependentsOf({ dependentStart, dependents }: SystemNodes, node: number): Int32Array {
  return dependents.subarray(dependentStart[node], dependentStart[node + 1]);
}

/** The nodes, each after those it waits for. */
function issueOrder(nodes: SystemNodes, file: string): number[] {
  const { length } = nodes;
  const waiting = nodes.waiting.slice();
  const order: number[] = [];
  for (let node = 0; node < length; node++) if (waiting[node] === 0) order.push(node);
  for (const node of order) {
    for (const dependent of dependentsOf(nodes, node)) if (--waiting[dependent] === 0) order.push(dependent);
  }
  if (order.length === length) return order;
  const stuck = length - order.length;
  throw traceError('SYSTEM_CUSTOM', `${file}: ${counted(stuck, 'node')} that wait for each other never start`);
}

/** For each transfer the transfers that it waits for, as places in their list. */
function transfersBefore(nodes: SystemNodes, order: readonly number[], transfers: readonly number[]): number[][] {
  const placeOf = new Map(transfers.map((node, place) => [node, place]));
  const before: Set<number>[] = Array.from({ length: nodes.length }, () => new Set());
  for (const node of order) {
    const place = placeOf.get(node);
    const passedOn = place === undefined ? before[node] : [place];
    for (const dependent of dependentsOf(nodes, node)) for (const transfer of passedOn) before[dependent].add(transfer);
  }
  return transfers.map((node) => [...before[node]].sort((a, b) => a - b));
}
