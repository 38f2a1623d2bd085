import type { HostTrace } from '../formats/pytorch/host-trace.js';

/** Callers without an event that are passed on the way outwards; more are a circle. */
const MOST_STEPS = 1000;

/**
 * Part of the pairs that nest alike in both traces, 0 to 1: the nearest caller of the node that has an event, and the nearest
 * event around its event that has a node, are a pair too; or neither is there.
 * @param hostEvent [host.length] event of each node, −1
 * @param parent innermost host event around each host event, −1
 */
export function nestingAgreement(host: HostTrace, hostEvent: Int32Array, parent: Int32Array): number {
  const hasNode = new Uint8Array(parent.length);
  for (const event of hostEvent) if (event >= 0) hasNode[event] = 1;
  const nodeOfId = new Map<number, number>();
  for (let node = 0; node < host.length; node++) nodeOfId.set(host.id[node], node);
  const caller = host.parent.map((id) => nodeOfId.get(id) ?? -1);

  let pairs = 0;
  let alike = 0;
  for (let node = 0; node < host.length; node++) {
    if (hostEvent[node] < 0) continue;
    pairs++;
    let outer = caller[node];
    // The root of the process is its own parent.
    for (let steps = 0; outer >= 0 && hostEvent[outer] < 0; steps++) {
      outer = caller[outer] === outer || steps === MOST_STEPS ? -1 : caller[outer];
    }
    if (outer >= 0 && host.thread[outer] !== host.thread[node]) outer = -1;
    let around = parent[hostEvent[node]];
    while (around >= 0 && hasNode[around] === 0) around = parent[around];
    if ((outer < 0 ? -1 : hostEvent[outer]) === around) alike++;
  }
  return pairs === 0 ? 0 : alike / pairs;
}
