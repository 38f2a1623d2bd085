import { MAX_EXACT } from '../../../base/units.js';
import { decimalFraction } from '../../byte-rate.js';
import { hostsOf, type Topology } from '../../topology/topology.js';
import type { NicKind, PfcMode } from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import type { StatedSettings } from './stated-settings.js';

/** How switches treat a transport (SW-0). */
export interface SwitchProfile {
  readonly pfc: PfcMode;
  readonly trimming: boolean;
}

/**
 * PFC and trimming of a transport, each of which can be overridden: trimming is on by default where PFC is not.
 * @throws PrepError `PACKET_SETTING` for what does not go together (SW-8, MR-2) or with the transport
 */
export function switchProfile(nic: NicKind, { PfcMode, Trimming }: StatedSettings): SwitchProfile {
  const pfc = PfcMode ?? (nic === 'roce' ? 'static' : 'off');
  const trimming = Trimming ?? (nic !== 'roce' && pfc === 'off');
  if (trimming && nic === 'roce') {
    const message = 'Trimming is on, and RoCEv2 has no answer to a trimmed packet; expected it off';
    throw settingRefused(message, 'leave Trimming out, or take uet or mrc');
  }
  if (pfc !== 'off' && nic === 'mrc') {
    throw settingRefused(`PfcMode is ${pfc}; MRC runs without PFC (MR-2)`, 'leave PfcMode out, or take roce or uet');
  }
  if (trimming && pfc !== 'off') {
    const message = `Trimming is on and PfcMode is ${pfc}; packets are trimmed only where PFC is off (SW-8)`;
    throw settingRefused(message, 'turn one of the two off');
  }
  return { pfc, trimming };
}

/** Rates of the links of hosts, Gbit/s. */
export interface HostRates {
  readonly fastestGbps: number;
  readonly slowestGbps: number;
}

/** @returns undefined where no host has a link */
export function hostRatesOf(topology: Topology): HostRates | undefined {
  const hosts = new Set(hostsOf(topology));
  let fastestGbps = 0;
  let slowestGbps = Infinity;
  for (const { a, b, gbps } of topology.links) {
    if (!hosts.has(a) && !hosts.has(b)) continue;
    fastestGbps = Math.max(fastestGbps, gbps);
    slowestGbps = Math.min(slowestGbps, gbps);
  }
  return fastestGbps === 0 ? undefined : { fastestGbps, slowestGbps };
}

/** PlaneBDP: what a host's fastest port sends in one base round trip, whole bytes. */
export function planeBdpOf(fastestGbps: number, initialBaseRttPs: number): number {
  const { numerator, denominator } = decimalFraction(fastestGbps);
  return Math.min(MAX_EXACT, Number((numerator * BigInt(initialBaseRttPs)) / (denominator * 8000n)));
}

/** Number of links at each node. */
export function linkCounts({ nodes, links }: Topology): Int32Array {
  const counts = new Int32Array(nodes.length);
  for (const { a, b } of links) {
    counts[a]++;
    counts[b]++;
  }
  return counts;
}
