import type { Finding } from '../base/finding.js';
import type { DeviceTrace } from '../formats/pytorch/device-trace.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import { findLaunches } from './launches.js';
import { accountOf, type LinkAccount } from './link-account.js';
import { linkFindings } from './link-findings.js';
import type { Links } from './links.js';
import { matchHosts } from './match-hosts.js';
import { exclusiveTimes, parentsByTime } from './nesting.js';
import { startOrder } from './start-order.js';

export interface LinkOptions {
  readonly rank: number;
  /** Links traces that do not belong together by their names and ids, and says so. */
  readonly force?: boolean;
}

export interface RankLink {
  readonly links: Links;
  /** Absent where only a host trace was given. */
  readonly account: LinkAccount | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Brings the host trace and the device trace of one rank together: which host event each host node is, how long it ran by
 * itself, which call launched each device event, and which host node made the call.
 *
 * No step annotation is needed, and nothing is dropped: what has no partner is counted with its reason. O(n log n).
 * Without a device trace every node is without time.
 * @throws PrepError `LINK_PAIR_REFUSED` where the two do not belong together, unless `force` is set
 */
export function linkRank(
  host: HostTrace,
  device: DeviceTrace | undefined,
  { rank, force = false }: LinkOptions,
): RankLink {
  if (device === undefined) return { links: hostOnly(rank, host), account: undefined, findings: [] };
  const { hostEvents } = device;
  const recorded = hostEvents.recordId.some((id) => id > 0);
  const starts = startOrder(hostEvents, recorded ? hostEvents.recordId : hostEvents.externalId);
  const parent = parentsByTime(hostEvents, starts);
  const match = matchHosts(host, device, starts, parent, force);

  const nodeOf = new Int32Array(hostEvents.length).fill(-1);
  const counts = new Uint8Array(hostEvents.length);
  for (let node = 0; node < host.length; node++) {
    const event = match.hostEvent[node];
    if (event < 0) continue;
    nodeOf[event] = node;
    counts[event] = 1;
  }
  const times = exclusiveTimes(hostEvents, starts, counts);
  const exclusiveNs = new Float64Array(host.length).fill(NaN);
  for (let node = 0; node < host.length; node++) {
    if (match.hostEvent[node] >= 0) exclusiveNs[node] = times.exclusiveNs[match.hostEvent[node]];
  }
  const launches = findLaunches(device, starts, parent, nodeOf);
  const account = accountOf(host, device, match, nodeOf, launches);
  return {
    links: {
      ...{ rank, host, device, method: match.method, confidence: match.confidence, hostEvent: match.hostEvent },
      ...{ exclusiveNs, launcher: launches.launcher, call: launches.call, caller: launches.caller },
    },
    account,
    findings: linkFindings(rank, host, device, match, times, launches, account),
  };
}

function hostOnly(rank: number, host: HostTrace): Links {
  const none = new Int32Array(0);
  return {
    ...{ rank, host, device: undefined, method: undefined, confidence: 0 },
    hostEvent: new Int32Array(host.length).fill(-1),
    exclusiveNs: new Float64Array(host.length).fill(NaN),
    ...{ launcher: none, call: none, caller: none },
  };
}
