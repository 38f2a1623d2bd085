import type { EcnSettings, EcnThresholds } from './packet-settings.js';

/** Thresholds of an egress (SW-7); undefined where it marks nothing. */
export function ecnThresholdsOf(ecn: EcnSettings, gbps: number, isHostPort: boolean): EcnThresholds | undefined {
  if (!ecn.enabled || (isHostPort && !ecn.onHostPorts)) return undefined;
  const exact = ecn.thresholds.find((entry) => entry.gbps === undefined || entry.gbps === gbps);
  if (exact !== undefined) return exact;
  const base = ecn.thresholds.find((entry) => entry.gbps === ecn.scaleFromGbps);
  if (base === undefined) return undefined;
  const factor = gbps / ecn.scaleFromGbps;
  return { gbps, kminBytes: base.kminBytes * factor, kmaxBytes: base.kmaxBytes * factor, pmax: base.pmax };
}
