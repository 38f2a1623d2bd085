import { counted, grouped } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import type { DeviceTrace } from '../formats/pytorch/device-trace.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import { comparableNames } from './comparable-names.js';
import type { LinkMethod } from './links.js';
import { likelyShift, matchById, type IdMatch, type IdSides } from './match-by-id.js';
import { matchByName, type NameMatch } from './match-by-name.js';
import { nestingAgreement } from './nesting-agreement.js';
import type { StartOrder } from './start-order.js';
import { startedNodes, type StartedNodes } from './started-nodes.js';

/** Which host event each host node is, and what speaks for it. */
export interface HostMatch {
  readonly method: LinkMethod;
  readonly hostEvent: Int32Array; // [host.length] −1 where there is none
  readonly nodes: StartedNodes;
  readonly pairs: number;
  /** Pairs whose names mean the same op. */
  readonly agreeing: number;
  readonly confidence: number;
  /** Added to the ids of nodes to find those of events. */
  readonly shift: number;
  readonly doubledNodes: number;
  readonly doubledEvents: number;
  readonly byName?: NameMatch;
  /** Why the pair would have been refused, where it was forced. */
  readonly doubt?: string;
}

/** Part of the pairs by id whose names have to agree. */
const LEAST_AGREEING = 0.9;
/** Part of the shorter side that names and order have to bring together. */
const LEAST_MATCHED = 0.5;
/** Part of the pairs by name that have to nest alike. */
const LEAST_NESTED = 0.75;

/**
 * Brings host nodes and host events together: by "Record function id", which equals `rf_id` in traces of one run (PyTorch 2.2
 * and later); without it by "External id" where that equals `rf_id`, which names have to confirm; else by name and order.
 * @param parent innermost host event around each host event
 * @throws PrepError `LINK_PAIR_REFUSED` where the traces do not belong together, unless `force` is set
 */
export function matchHosts(
  host: HostTrace,
  device: DeviceTrace,
  starts: StartOrder,
  parent: Int32Array,
  force: boolean,
): HostMatch {
  const { hostEvents } = device;
  const names = comparableNames(host.names, device.names);
  const nodes = startedNodes(host);
  const hostName = host.name.map((name) => names.host[name]);
  const eventName = hostEvents.name.map((name) => names.event[name]);
  const sides = { hostId: host.recordId, hostName, eventName };
  const refuse = (doubt: string): string => {
    if (force) return doubt;
    throw traceError(
      'LINK_PAIR_REFUSED',
      `${host.file} and ${device.file} do not belong together: ${doubt}`,
      [],
      'give the two traces of one rank and one run, or use --force',
    );
  };
  const named = (): HostMatch => {
    const byName = matchByName(host, hostName, nodes.nodes, nodes.order, hostEvents, eventName, starts);
    const confidence = nestingAgreement(host, byName.hostEvent, parent);
    return {
      ...{ method: 'name-and-order', hostEvent: byName.hostEvent, nodes, pairs: byName.pairs, agreeing: byName.pairs },
      ...{ confidence, shift: 0, doubledNodes: 0, doubledEvents: 0, byName },
    };
  };

  const byRecord: IdSides = { ...sides, eventId: hostEvents.recordId };
  if (hostEvents.recordId.some((id) => id > 0) && host.recordId.some((id) => id > 0)) {
    const plain = matchById(byRecord);
    if (isConvincing(plain)) return byId('record-id', plain, 0, nodes);
    const shift = likelyShift(byRecord);
    const shifted = shift === 0 ? plain : matchById(byRecord, shift);
    const doubt = refuse(doubtOfIds(host, device, byRecord, plain, shift, shifted));
    if (isConvincing(shifted)) return { ...byId('record-id', shifted, shift, nodes), doubt };
    const byName = named();
    return { ...(byName.pairs > plain.agreeing ? byName : byId('record-id', plain, 0, nodes)), doubt };
  }
  const byExternal = matchById({ ...sides, eventId: hostEvents.externalId });
  const shorter = Math.min(nodes.nodes.length, hostEvents.length);
  if (isConvincing(byExternal) && byExternal.pairs >= LEAST_MATCHED * shorter) {
    return byId('external-id', byExternal, 0, nodes);
  }
  const byName = named();
  if (byName.pairs > 0 && byName.pairs >= LEAST_MATCHED * shorter && byName.confidence >= LEAST_NESTED) return byName;
  return { ...byName, doubt: refuse(doubtOfNames(byName, nodes, device)) };
}

function isConvincing({ pairs, agreeing }: IdMatch): boolean {
  return pairs > 0 && agreeing >= LEAST_AGREEING * pairs;
}

function byId(method: LinkMethod, match: IdMatch, shift: number, nodes: StartedNodes): HostMatch {
  const { hostEvent, pairs, agreeing, doubledNodes, doubledEvents } = match;
  const confidence = pairs === 0 ? 0 : agreeing / pairs;
  return { method, hostEvent, nodes, pairs, agreeing, confidence, shift, doubledNodes, doubledEvents };
}

/** What is wrong with ids, with figures: how many names agree, the first that do not, and the shift that explains it. */
function doubtOfIds(
  host: HostTrace,
  device: DeviceTrace,
  { hostName, eventName }: IdSides,
  plain: IdMatch,
  shift: number,
  shifted: IdMatch,
): string {
  const better = shifted.agreeing > plain.agreeing;
  const explained = better
    ? `; with ${shift < 0 ? grouped(-shift) + ' taken from' : grouped(shift) + ' added to'} every rf_id, ` +
      `${grouped(shifted.agreeing)} of ${grouped(shifted.pairs)} names agree, as in two runs of one program`
    : '';
  if (plain.pairs === 0) return `no rf_id of a host node is a "Record function id" of the device trace${explained}`;
  const examples: string[] = [];
  for (let node = 0; node < host.length && examples.length < 3; node++) {
    const event = plain.hostEvent[node];
    if (event < 0 || hostName[node] === eventName[event]) continue;
    examples.push(
      `${host.recordId[node]} is ${host.names[host.name[node]]} and ${device.names[device.hostEvents.name[event]]}`,
    );
  }
  return (
    `of ${counted(plain.pairs, 'host node')} whose rf_id is in both, ` +
    `${grouped(plain.agreeing)} have the name of their event (${examples.join(', ')})${explained}`
  );
}

function doubtOfNames({ pairs, confidence }: HostMatch, { nodes }: StartedNodes, { hostEvents }: DeviceTrace): string {
  if (hostEvents.length === 0) return 'the device trace has no host events';
  if (nodes.length === 0) return 'the host trace has no ops';
  if (pairs === 0) return 'they share no ids, and no thread of the one runs through the same names as one of the other';
  return (
    `they share no ids, and names and order bring ${grouped(pairs)} of ${counted(nodes.length, 'host node')} and ` +
    `${counted(hostEvents.length, 'host event')} together, ${Math.round(100 * confidence)} % of them nested alike`
  );
}
