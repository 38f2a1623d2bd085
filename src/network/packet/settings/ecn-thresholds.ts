import { grouped } from '../../../base/counts.js';
import type { EcnSettings, EcnThresholds, NicKind, PacketSettings } from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import type { EcnProfile, StatedSettings } from './stated-settings.js';

/** ASTRA-sim's ns-3 defaults: kmin and kmax in KB of 1,000 bytes. */
const NS3_ROWS: readonly (readonly [gbps: number, kminKb: number, kmaxKb: number])[] = [
  [25, 100, 400],
  [40, 200, 800],
  [50, 200, 800],
  [100, 400, 1600],
  [200, 600, 2400],
  [400, 800, 3200],
];

type ThresholdTable = Pick<EcnSettings, 'thresholds' | 'scaleFromGbps'>;

function profileTable(profile: EcnProfile, planeBdpBytes: number): ThresholdTable {
  switch (profile) {
    case 'ns3':
      return {
        thresholds: NS3_ROWS.map(([gbps, kmin, kmax]) => ({
          gbps,
          kminBytes: kmin * 1000,
          kmaxBytes: kmax * 1000,
          pmax: 0.2,
        })),
        scaleFromGbps: 100,
      };
    case 'paper':
      return { thresholds: [{ gbps: 40, kminBytes: 5000, kmaxBytes: 200_000, pmax: 0.01 }], scaleFromGbps: 40 };
    case 'bdp':
      return {
        thresholds: [{ kminBytes: planeBdpBytes / 5, kmaxBytes: (planeBdpBytes * 4) / 5, pmax: 1 }],
        scaleFromGbps: 100,
      };
  }
}

/**
 * When switches mark (SW-7). EcnKmin and EcnKmax hold for every rate; EcnPmax alone replaces the probability of each row.
 * @throws PrepError `PACKET_SETTING` for one threshold without the other, for kmin above kmax, and for a probability or weight
 *   that is none
 */
export function ecnSettings(nic: NicKind, stated: StatedSettings, planeBdpBytes: number): EcnSettings {
  const table = profileTable(stated.EcnProfile ?? (nic === 'roce' ? 'ns3' : 'bdp'), planeBdpBytes);
  const pmax = stated.EcnPmax;
  if (pmax !== undefined && !(pmax >= 0 && pmax <= 1)) {
    throw settingRefused(`EcnPmax ${pmax}; expected a probability from 0 to 1`, 'such as 0.2');
  }
  if (stated.EcnEwma !== undefined && !(stated.EcnEwma > 0 && stated.EcnEwma <= 1)) {
    throw settingRefused(
      `EcnEwma ${stated.EcnEwma}; expected a weight above 0, at most 1`,
      '1 counts the queue itself',
    );
  }
  const own = ownThresholds(stated);
  return {
    enabled: stated.Ecn ?? true,
    thresholds:
      own === undefined
        ? table.thresholds.map((row) => ({ ...row, pmax: pmax ?? row.pmax }))
        : [{ ...own, pmax: pmax ?? table.thresholds[0].pmax }],
    scaleFromGbps: table.scaleFromGbps,
    ewma: stated.EcnEwma ?? 1,
    markAt: stated.EcnMarkAt ?? 'dequeue',
    onHostPorts: stated.EcnOnHostPorts ?? nic !== 'mrc',
  };
}

function ownThresholds({ EcnKmin, EcnKmax }: StatedSettings): Omit<EcnThresholds, 'gbps' | 'pmax'> | undefined {
  if (EcnKmin === undefined && EcnKmax === undefined) return undefined;
  if (EcnKmin === undefined || EcnKmax === undefined) {
    const [one, other] = EcnKmin === undefined ? ['EcnKmax', 'EcnKmin'] : ['EcnKmin', 'EcnKmax'];
    throw settingRefused(`${one} is stated without ${other}; expected both or none`, `state ${other} too`);
  }
  if (EcnKmin > EcnKmax) {
    const values = `EcnKmin ${grouped(EcnKmin)} B is above EcnKmax ${grouped(EcnKmax)} B`;
    throw settingRefused(`${values}; expected at most as much`, 'make EcnKmin smaller or EcnKmax larger');
  }
  return { kminBytes: EcnKmin, kmaxBytes: EcnKmax };
}

/**
 * The thresholds of an egress, bytes.
 * @param gbps rate of the egress; one that no row has takes those of the row of `scaleFromGbps`, in proportion
 * @param isHostPort whether it leads to a host
 * @returns undefined where it does not mark
 */
export function ecnThresholdsOf(
  { switches: { ecn } }: Pick<PacketSettings, 'switches'>,
  gbps: number,
  isHostPort: boolean,
): EcnThresholds | undefined {
  if (!ecn.enabled || (isHostPort && !ecn.onHostPorts)) return undefined;
  const row = ecn.thresholds.find((thresholds) => thresholds.gbps === undefined || thresholds.gbps === gbps);
  if (row !== undefined) return row;
  const { kminBytes, kmaxBytes, pmax } = ecn.thresholds.find((thresholds) => thresholds.gbps === ecn.scaleFromGbps)!;
  const scaled = (bytes: number): number => (bytes * gbps) / ecn.scaleFromGbps;
  return { gbps, kminBytes: scaled(kminBytes), kmaxBytes: scaled(kmaxBytes), pmax };
}

/** The probability that a packet is marked that finds these bytes in its queue, itself included (SW-7). */
export function markingProbability({ kminBytes, kmaxBytes, pmax }: EcnThresholds, queueBytes: number): number {
  if (queueBytes < kminBytes) return 0;
  if (queueBytes >= kmaxBytes) return 1;
  return (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
}
