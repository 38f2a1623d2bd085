import { grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import type { Topology } from '../../topology/topology.js';
import { ecnSettings } from './ecn-thresholds.js';
import { dataWireBytes, largestControlWireBytes } from './frame-sizes.js';
import type { FrameSettings, NicKind, SwitchSettings } from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import type { StatedSettings } from './stated-settings.js';
import { headroomFindings, switchBuffer } from './switch-buffer.js';
import type { SwitchProfile } from './switch-profile.js';

/** Shares of class 0 and class 1 in the pooled part of the buffer (SW-4). */
const POOL_SHARES = [0.9, 0.1] as const;

export interface CompletedSwitches {
  readonly switches: SwitchSettings;
  readonly findings: readonly Finding[];
}

export interface SwitchSurroundings {
  readonly topology: Topology;
  readonly nic: NicKind;
  readonly profile: SwitchProfile;
  readonly frames: FrameSettings;
  readonly planeBdpBytes: number;
}

/**
 * What every switch of a network does (SW-0 to SW-8).
 * @throws PrepError `PACKET_SETTING` for thresholds in the wrong order, and for a buffer or a limit into which a frame of the
 *   largest size never fits
 */
export function switchSettings(surroundings: SwitchSurroundings, stated: StatedSettings): CompletedSwitches {
  const { topology, nic, profile, frames, planeBdpBytes } = surroundings;
  const { pfc, trimming } = profile;
  const xoffBytes = stated.Xoff ?? 700_000;
  const xonBytes = stated.Xon ?? 300_000;
  const headroomBytes = stated.Headroom ?? 256_000;
  if (pfc === 'static' && xonBytes > xoffBytes) {
    throw settingRefused(
      `Xon ${grouped(xonBytes)} B is above Xoff ${grouped(xoffBytes)} B; expected at most as much`,
      'make Xon smaller or Xoff larger',
    );
  }
  const egressLimitBytes = stated.EgressLimit ?? (trimming ? 1 : 5) * planeBdpBytes;
  const buffer = switchBuffer(topology, { pfc, xoffBytes, headroomBytes }, stated.BufferBytes);
  const switches: SwitchSettings = {
    latencyPs: stated.SwitchLatency ?? 0,
    trimming,
    pfc,
    lossless: [pfc !== 'off', pfc !== 'off' && stated.PfcClasses !== 'data'],
    xoffBytes,
    xonBytes,
    headroomBytes,
    bufferBytes: buffer.bytes,
    egressLimitBytes,
    controlLimitBytes: stated.ControlLimit ?? (trimming ? planeBdpBytes : egressLimitBytes),
    retransmissionFactor: stated.RetransmissionFactor ?? 1.5,
    ...(stated.LossyAlpha === undefined ? {} : { lossyAlpha: lossyAlpha(stated.LossyAlpha) }),
    ecn: ecnSettings(nic, stated, planeBdpBytes),
  };
  if (topology.nodes.some(({ kind }) => kind !== 'host')) demandRoom(surroundings, switches, buffer.pooledBytes);
  return {
    switches,
    findings: [...buffer.findings, ...headroomFindings(topology, switches, frames, stated.RxLatency ?? 0)],
  };
}

function lossyAlpha(alpha: number): number {
  if (alpha > 0) return alpha;
  throw settingRefused(`LossyAlpha ${alpha}; expected more than 0`, 'leave it out for a limit in bytes');
}

/** A frame that exceeds a limit by itself would be dropped each time it is sent. */
function demandRoom(surroundings: SwitchSurroundings, switches: SwitchSettings, pooledBytes: number): void {
  const { topology, frames, planeBdpBytes } = surroundings;
  const { lossless, lossyAlpha: alpha, egressLimitBytes, controlLimitBytes } = switches;
  const pools = POOL_SHARES.map((share) => share * pooledBytes);
  const full = dataWireBytes(frames, frames.mssBytes);
  const control = largestControlWireBytes(frames);
  const defaults = `PlaneBDP is ${grouped(planeBdpBytes)} B`;
  if (!lossless[0]) {
    if (alpha === undefined) demand('EgressLimit', egressLimitBytes, full, defaults);
    else demand(`LossyAlpha ${alpha} of the pool,`, Math.floor(alpha * pools[0]), full);
    demand('pool of data, 0.9 of BufferBytes,', Math.floor(pools[0]), full);
    for (const { a, b, queueBytes } of topology.links) {
      const link = `queue of the link ${topology.nodes[a].name} – ${topology.nodes[b].name},`;
      if (queueBytes !== undefined) demand(link, queueBytes, full);
    }
  }
  if (!lossless[1]) {
    demand('ControlLimit', controlLimitBytes, control, defaults);
    demand('pool of control, 0.1 of BufferBytes,', Math.floor(pools[1]), control);
  }
}

function demand(limit: string, bytes: number, frameBytes: number, more?: string): void {
  if (bytes >= frameBytes) return;
  const because = more === undefined ? '' : ` (${more})`;
  throw settingRefused(
    `${limit} ${grouped(bytes)} B: a frame of ${grouped(frameBytes)} B never fits; expected at least as much${because}`,
    'make it larger, or MSS smaller',
  );
}
