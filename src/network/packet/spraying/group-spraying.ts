import { nsccGains } from '../congestion/nscc.js';
import type { PacketSettings } from '../settings/packet-settings.js';
import { explorationWindow, RepsSpraying } from './reps.js';
import { RotatingSpraying, SinglePath, type Spraying } from './spraying.js';

/** Spraying of a new UET group whose sender's link has this rate. */
export function groupSpraying({ uet, nscc, frames }: PacketSettings, linkGbps: number): Spraying {
  if (uet.spraying === 'none') return new SinglePath();
  if (uet.spraying === 'default') return new RotatingSpraying(uet.paths);
  const { initialBdpBytes, nominalBytes } = nsccGains(nscc, frames.mssBytes, linkGbps);
  return new RepsSpraying(explorationWindow(initialBdpBytes, nominalBytes));
}
