import { finding } from '../base/catalogue.js';
import { counted, grouped } from '../base/counts.js';
import { byKey } from '../base/by-key.js';
import type { Finding } from '../base/finding.js';
import type { LinkedDependencies } from './dependencies/dependencies.js';
import type { Links } from './links.js';
import { SYNTHETIC_NAME, type NodeOrder } from './node-order.js';

/** What is to be said of the nodes of a linked rank and of what they wait for. */
export function nodeFindings(
  { rank, host, device }: Links,
  order: NodeOrder,
  dependencies: LinkedDependencies,
): Finding[] {
  const findings: Finding[] = [];
  const tell = (code: Parameters<typeof finding>[0], message: string, facts: Partial<Finding> = {}): void => {
    findings.push(finding(code, message, { rank, ...facts }));
  };
  const nameOf = (node: number): string => {
    const origin = order.origin[node];
    if (origin === host.length) return SYNTHETIC_NAME;
    return origin >= 0 ? host.names[host.name[origin]] : device!.names[device!.deviceEvents.name[-1 - origin]];
  };
  const label = (node: number): string => `node ${node} ${JSON.stringify(nameOf(node).slice(0, 60))}`;
  if (device === undefined) {
    tell(
      'LINK_WITHOUT_DEVICE',
      `${host.file} has no device trace: its ${counted(host.length, 'node')} are written without times, kernels and copies`,
      { file: host.file },
    );
  }
  const { orphans, lateCallers, earlyLaunches } = order;
  if (orphans.length > 0) {
    const [first] = orphans;
    tell(
      'LINK_CALLER_MISSING',
      `${counted(orphans.length, 'host node')} ${orphans.length === 1 ? 'has a caller' : 'have callers'} that ` +
        `${orphans.length === 1 ? 'is' : 'are'} not in ${host.file}, first ${label(order.hostNode[first])}, called by ` +
        `${host.parent[first]}; they are kept below node ${order.synthetic}`,
      { count: orphans.length, nodes: orphans.slice(0, 100).map((place) => order.hostNode[place]) },
    );
  }
  if (lateCallers.length > 0) {
    const [first] = lateCallers;
    tell(
      'LINK_CALLER_LATE',
      `${counted(lateCallers.length, 'host node')} with a caller of a larger id, first ${label(order.hostNode[first])} ` +
        `with id ${host.id[first]}, called by ${host.parent[first]}; no control dependency is written for them`,
      { count: lateCallers.length, nodes: lateCallers.slice(0, 100).map((place) => order.hostNode[place]) },
    );
  }
  if (earlyLaunches.length > 0) {
    const [first] = earlyLaunches;
    tell(
      'LINK_LAUNCH_REFUSED',
      `${counted(earlyLaunches.length, 'device event')} started before the op that is said to have launched them, first ` +
        `${label(order.deviceNode[first])}; they wait for what their stream did before, and for no op`,
      { count: earlyLaunches.length, nodes: earlyLaunches.slice(0, 100).map((event) => order.deviceNode[event]) },
    );
  }
  for (const [kind, refused] of byKey(dependencies.refused, ({ kind }) => kind)) {
    const [{ node, waitsFor }] = refused;
    tell(
      'LINK_DEPENDENCY_REFUSED',
      `${counted(refused.length, 'dependency', 'dependencies')} (${kind}) would lead back to a later node and ` +
        `${refused.length === 1 ? 'is' : 'are'} left out, first of ${label(node)} on ${label(waitsFor)}`,
      { count: refused.length, nodes: [node, waitsFor], kind },
    );
  }
  const { hostWaits, hostWaitsGuessed, streamWaitsInferred, streamWaitsLost } = dependencies;
  if (hostWaitsGuessed > 0) {
    tell(
      'LINK_WAIT_GUESSED',
      `of ${counted(hostWaits, 'call')} by which the host waits for the device, ${grouped(hostWaitsGuessed)} ` +
        `${hostWaitsGuessed === 1 ? 'does' : 'do'} not say for which stream or event: taken is what ended last before the call returned`,
      { count: hostWaitsGuessed },
    );
  }
  if (streamWaitsInferred > 0) {
    tell(
      'LINK_STREAM_WAIT_INFERRED',
      `${counted(streamWaitsInferred, 'wait')} of a stream for an event without a cuda_sync event: taken from where ` +
        'collectives are launched and waited for',
      { count: streamWaitsInferred },
    );
  }
  if (streamWaitsLost > 0) {
    tell(
      'LINK_STREAM_WAIT_LOST',
      `${counted(streamWaitsLost, 'wait')} of a stream for an event ${streamWaitsLost === 1 ? 'is' : 'are'} not kept: the trace ` +
        `has no cuda_sync event for ${streamWaitsLost === 1 ? 'it' : 'them'}, and nothing else tells what is waited for`,
      { count: streamWaitsLost },
    );
  }
  return findings;
}
