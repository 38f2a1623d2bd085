import type { EcnThresholds, NicKind, PacketSettings } from '../../../src/network/packet/settings/packet-settings.js';
import { hostsOf, type Topology } from '../../../src/network/topology/topology.js';

type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Overrides<T[K]> }
    : T;
export type SettingsOverrides = Overrides<Omit<PacketSettings, 'nic'>>;

/**
 * Settings as the tables of network-models have them. What depends on another setting follows its override: limits and
 * target on trimming, buffers on the kind of PFC, DCQCN on its profile.
 */
export function defaultSettings(nic: NicKind, topology: Topology, overrides: SettingsOverrides = {}): PacketSettings {
  const trimming = overrides.switches?.trimming ?? nic !== 'roce';
  const pfc = overrides.switches?.pfc ?? (nic === 'roce' ? 'static' : 'off');
  const profile = overrides.roce?.dcqcn?.profile ?? 'paper';
  const initialBaseRttPs = overrides.nscc?.initialBaseRttPs ?? 6e6;
  const planeBdp = planeBandwidthDelay(topology, initialBaseRttPs);
  const limit = trimming ? planeBdp : 5 * planeBdp;
  const defaults: PacketSettings = {
    nic,
    seed: 1,
    frames: {
      mssBytes: 4096,
      mtuBytes: 9216,
      minFrameBytes: 0,
      phyOverheadBytes: 0,
      dataHeaderBytes: { roce: 58, uet: 106, mrc: 74 }[nic],
      ackBytes: nic === 'roce' ? 126 : 78,
      nackBytes: 62,
      cnpBytes: 122,
      probeBytes: 62,
      trimmedBytes: 62,
      pfcBytes: nic === 'roce' ? 84 : 64,
    },
    routing: { mode: 'flow', hostsForward: false },
    switches: {
      latencyPs: 0,
      trimming,
      pfc,
      lossless: nic === 'roce' ? [true, true] : [false, false],
      xoffBytes: 700_000,
      xonBytes: 300_000,
      headroomBytes: 256_000,
      bufferBytes: bufferBytes(topology, pfc, overrides.switches),
      egressLimitBytes: limit,
      controlLimitBytes: limit,
      retransmissionFactor: 1.5,
      ecn: {
        enabled: true,
        thresholds: nic === 'roce' ? ROCE_THRESHOLDS : [thresholdsOf(planeBdp)],
        scaleFromGbps: 100,
        ewma: 1,
        markAt: 'dequeue',
        onHostPorts: nic !== 'mrc',
      },
    },
    hosts: { txStartLatencyPs: 0, rxLatencyPs: 0, ackTurnaroundPs: 0 },
    roce: {
      qpsPerPair: 1,
      qpMode: 'pair',
      qpMessagesInFlight: 1,
      ackThreshold: 16,
      ackDelayPs: 1e9,
      retransmitTimeoutPs: 64e9,
      cnpIntervalPs: 50e6,
      congestionControl: 'dcqcn',
      dcqcn: profile === 'paper' ? PAPER : NS3,
    },
    uet: {
      ackEvery: 1,
      gapDetect: false,
      timeoutPs: 150e6,
      fixedTimeout: false,
      probe: false,
      spraying: 'default',
      paths: 128,
      receiverCredit: false,
    },
    nscc: {
      enabled: true,
      initialBaseRttPs,
      referenceLinkGbps: 400,
      referenceRttPs: 6e6,
      delayWeight: 0.25,
      targetFactor: trimming ? 0.75 : 1,
      gamma: 0.8,
      maximumDecrease: 0.5,
      fairFactor: 5,
      proportionalFactor: 4,
      etaFactor: 0.15,
      fastFactor: 0.25,
      maximumWindowFactor: 1.5,
      baseRttHysteresis: false,
      trimming,
    },
    mrc: { evCount: 128, probeIntervalPs: 100e6, gapDetect: true, evMode: 'ecmp', deniedEvs: [] },
    check: true,
    fold: false,
  };
  return merged(defaults, overrides);
}

const ROCE_THRESHOLDS: readonly EcnThresholds[] = [
  { gbps: 25, kminBytes: 100_000, kmaxBytes: 400_000, pmax: 0.2 },
  { gbps: 40, kminBytes: 200_000, kmaxBytes: 800_000, pmax: 0.2 },
  { gbps: 50, kminBytes: 200_000, kmaxBytes: 800_000, pmax: 0.2 },
  { gbps: 100, kminBytes: 400_000, kmaxBytes: 1_600_000, pmax: 0.2 },
  { gbps: 200, kminBytes: 600_000, kmaxBytes: 2_400_000, pmax: 0.2 },
  { gbps: 400, kminBytes: 800_000, kmaxBytes: 3_200_000, pmax: 0.2 },
];

function thresholdsOf(planeBdp: number): EcnThresholds {
  return { kminBytes: 0.2 * planeBdp, kmaxBytes: 0.8 * planeBdp, pmax: 1 };
}

const PAPER: PacketSettings['roce']['dcqcn'] = {
  profile: 'paper',
  g: 1 / 256,
  alphaPeriodPs: 55e6,
  ratePeriodPs: 55e6,
  decreasePeriodPs: 0,
  byteCounterBytes: 10e6,
  fastRecoverySteps: 5,
  additiveGbps: 0.04,
  hyperGbps: 0.2,
  scaledFromGbps: 40,
  minimumGbps: 0.1,
  clampTarget: false,
};

const NS3: PacketSettings['roce']['dcqcn'] = {
  profile: 'ns3',
  g: 1 / 256,
  alphaPeriodPs: 1e6,
  ratePeriodPs: 900e6,
  decreasePeriodPs: 4e6,
  byteCounterBytes: Infinity,
  fastRecoverySteps: 1,
  additiveGbps: 0.05,
  hyperGbps: 0.1,
  minimumGbps: 0.1,
  clampTarget: true,
};

/** `PlaneBDP`: of the fastest port of a host. */
export function planeBandwidthDelay(topology: Topology, baseRttPs: number): number {
  const hosts = new Set(hostsOf(topology));
  const rates = topology.links.filter(({ a, b }) => hosts.has(a) || hosts.has(b)).map(({ gbps }) => gbps);
  return (Math.max(...rates) * baseRttPs) / 8000;
}

/** Of the switch with the most ports: room for all of them paused, if that is more than the usual buffer. */
function bufferBytes(
  { nodes, links }: Topology,
  pfc: 'off' | 'static' | 'dynamic',
  { xoffBytes = 700_000, headroomBytes = 256_000 }: { xoffBytes?: number; headroomBytes?: number } = {},
): number {
  if (pfc === 'dynamic') return 32 * 2 ** 20;
  if (pfc === 'off') return 256_000_000;
  const ports = nodes.map(({ kind }, id) =>
    kind === 'host' ? 0 : links.filter(({ a, b }) => a === id || b === id).length,
  );
  const most = Math.max(...ports);
  return Math.max(256_000_000, Math.ceil((most * (xoffBytes + headroomBytes)) / 0.9 + most * headroomBytes));
}

function merged<T>(defaults: T, overrides: unknown): T {
  if (typeof defaults !== 'object' || defaults === null || Array.isArray(defaults)) return (overrides ?? defaults) as T;
  const result = { ...defaults } as Record<string, unknown>;
  for (const [key, value] of Object.entries((overrides ?? {}) as object)) {
    const before = result[key];
    result[key] = value === undefined || before === undefined ? value : merged(before, value);
  }
  return result as T;
}
