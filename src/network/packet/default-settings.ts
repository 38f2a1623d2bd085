import { grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import type { Topology } from '../topology/topology.js';
import { frameSettings, wireBytes } from './frame-sizes.js';
import type { NicKind, PacketSettings } from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import { settingsOf, type StatedSettings } from './stated-settings.js';
import { hostRatesOf, planeBdpOf, switchProfile, type HostRates } from './switch-profile.js';
import { sparseAcks } from './sparse-acks.js';
import { switchSettings } from './switch-settings.js';
import {
  hostSettings,
  INITIAL_BASE_RTT_PS,
  mrcSettings,
  nsccSettings,
  roceSettings,
  uetSettings,
} from './transport-settings.js';
import { trimmingFindings } from './trimming-findings.js';
import { unusedSettings } from './unused-settings.js';

/** What somebody says of a packet network. */
export interface PacketChoice {
  readonly nic: NicKind;
  /** */
  readonly seed: number;
  readonly stated: StatedSettings;
  /** Assert the invariants of section 9. Default `false`. */
  readonly check?: boolean;
  /** Take shortcuts that give the same times. Default `true`. */
  readonly fold?: boolean;
}

export interface CompletedSettings {
  readonly settings: PacketSettings;
  /** `SETTING_UNUSED`, `BUFFER_ENLARGED`, `HEADROOM_SHORT`, `ACKS_SPARSE`, `TRIMMING_UNCONTROLLED`. */
  readonly findings: readonly Finding[];
}

/**
 * Every setting of a packet network: what is stated, and for the rest the defaults of network-models, some of which follow
 * from the topology (PlaneBDP from the fastest link of a host, the buffer from the ports of the largest switch).
 * @throws PrepError `PACKET_SETTING` for settings that no network can run with
 */
export function packetSettings(topology: Topology, choice: PacketChoice): CompletedSettings {
  const { nic, seed, check = false, fold = true } = choice;
  const stated = settingsOf(nic, choice.stated);
  const rates = hostRatesOf(topology);
  const frames = frameSettings(nic, stated);
  const profile = switchProfile(nic, stated);
  const rtt = stated.InitialBaseRTT ?? INITIAL_BASE_RTT_PS;
  const planeBdpBytes = stated.PlaneBDP ?? planeBdpOf(rates?.fastestGbps ?? 0, rtt);
  const { switches, findings } = switchSettings({ topology, nic, profile, frames, planeBdpBytes }, stated);
  const settings: PacketSettings = {
    nic,
    seed,
    frames,
    routing: { mode: stated.EcmpMode ?? 'flow', hostsForward: stated.HostsForward ?? false },
    switches,
    hosts: hostSettings(stated),
    roce: roceSettings(nic, stated),
    uet: uetSettings(stated),
    nscc: nsccSettings(nic, profile.trimming, stated),
    mrc: mrcSettings(nic, topology, stated),
    check,
    fold,
  };
  demandRateOfDcqcn(settings, rates);
  if (nic === 'mrc' && stated.ProbeInterval !== undefined) demandTimeForProbes(settings, rates);
  const acks = nic === 'roce' ? [] : sparseAcks(topology, frames, settings.uet, settings.nscc);
  const ofTrimming = trimmingFindings(topology, settings);
  return { settings, findings: [...unusedSettings(settings, choice.stated), ...findings, ...acks, ...ofTrimming] };
}

/** The least rate of DCQCN is one that every host can send at. */
function demandRateOfDcqcn({ roce }: PacketSettings, rates: HostRates | undefined): void {
  if (roce.congestionControl !== 'dcqcn' || rates === undefined) return;
  const { minimumGbps } = roce.dcqcn;
  if (minimumGbps <= rates.slowestGbps) return;
  throw settingRefused(
    `DcqcnRmin ${minimumGbps} Gbit/s is above the ${rates.slowestGbps} Gbit/s of a host's link`,
    'state a smaller DcqcnRmin',
  );
}

/** Where all values of a queue pair lose packets, a probe of each is sent at every ProbeInterval (MR-4); they must not pile up. */
function demandTimeForProbes({ mrc, frames }: PacketSettings, rates: HostRates | undefined): void {
  if (rates === undefined) return;
  const probes = 2 * mrc.evCount;
  const neededPs = Math.ceil((probes * wireBytes(frames, frames.probeBytes) * 8000) / rates.slowestGbps);
  if (mrc.probeIntervalPs >= neededPs) return;
  throw settingRefused(
    `ProbeInterval ${grouped(mrc.probeIntervalPs)} ps: a host needs ${grouped(neededPs)} ps for the probes of ${grouped(probes)} values; expected at least as much`,
    'make ProbeInterval longer, or EvCount smaller',
  );
}
