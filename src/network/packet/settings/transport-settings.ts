import { grouped } from '../../../base/counts.js';
import type { Topology } from '../../topology/topology.js';
import type {
  DcqcnSettings,
  HostSettings,
  MrcSettings,
  NicKind,
  NsccSettings,
  RoceSettings,
  UetSettings,
} from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import type { StatedSettings } from './stated-settings.js';
import { linkCounts } from './switch-profile.js';

const US = 1_000_000; // ps
const MS = 1_000_000_000; // ps

/** InitialBaseRTT by default, ps. */
export const INITIAL_BASE_RTT_PS = 6 * US;

const ENTROPY_VALUES = 65_536;

/** NIC-3, NIC-4. */
export function hostSettings(stated: StatedSettings): HostSettings {
  return {
    txStartLatencyPs: stated.TxStartLatency ?? 0,
    rxLatencyPs: stated.RxLatency ?? 0,
    ackTurnaroundPs: stated.AckTurnaround ?? 0,
    ...(stated.HostLink === true
      ? {
          hostLink: {
            // 15 digits: a product of two short decimals prints as the decimal that is meant.
            gbps: Number(((stated.LaneBps ?? 31.52) * (stated.LaneCount ?? 16)).toPrecision(15)),
            overheadBytes: 34,
            pieceBytes: 512,
            ingressPoolBytes: 3_600_000,
          },
        }
      : {}),
  };
}

/** RC-1 to RC-7. @throws PrepError `PACKET_SETTING` for congestion control of another transport */
export function roceSettings(nic: NicKind, stated: StatedSettings): RoceSettings {
  demandOwnCongestionControl(nic, stated);
  return {
    qpsPerPair: stated.QpsPerPair ?? 1,
    qpMode: stated.QpMode ?? 'pair',
    qpMessagesInFlight: stated.QpMessagesInFlight ?? 1,
    ackThreshold: stated.AckThreshold ?? 16,
    ackDelayPs: stated.AckDelay ?? MS,
    retransmitTimeoutPs: stated.RetransmitTimeout ?? 64 * MS,
    cnpIntervalPs: stated.CnpInterval ?? 50 * US,
    congestionControl: nic === 'roce' && stated.CongestionControl !== 'none' ? 'dcqcn' : 'none',
    dcqcn: dcqcnSettings(stated),
  };
}

function demandOwnCongestionControl(nic: NicKind, { CongestionControl }: StatedSettings): void {
  const foreign = nic === 'roce' ? 'nscc' : 'dcqcn';
  if (CongestionControl !== foreign) return;
  const own = nic === 'roce' ? 'dcqcn' : 'nscc';
  throw settingRefused(
    `CongestionControl ${foreign} is not of the NIC ${nic}; expected ${own} or none`,
    `leave it out for ${own}`,
  );
}

const DCQCN_PROFILES: Readonly<Record<DcqcnSettings['profile'], DcqcnSettings>> = {
  paper: {
    profile: 'paper',
    g: 1 / 256,
    alphaPeriodPs: 55 * US,
    ratePeriodPs: 55 * US,
    decreasePeriodPs: 0,
    byteCounterBytes: 10_000_000,
    fastRecoverySteps: 5,
    additiveGbps: 0.04,
    hyperGbps: 0.2,
    scaledFromGbps: 40,
    minimumGbps: 0.1,
    clampTarget: false,
  },
  ns3: {
    profile: 'ns3',
    g: 1 / 256,
    alphaPeriodPs: US,
    ratePeriodPs: 900 * US,
    decreasePeriodPs: 4 * US,
    byteCounterBytes: Infinity,
    fastRecoverySteps: 1,
    additiveGbps: 0.05,
    hyperGbps: 0.1,
    scaledFromGbps: undefined,
    minimumGbps: 0.1,
    clampTarget: true,
  },
};

/** Section 6: a profile with what is stated in place of its values. Stated increases are scaled as the profile's are. */
function dcqcnSettings(stated: StatedSettings): DcqcnSettings {
  const profile = DCQCN_PROFILES[stated.DcqcnProfile ?? 'paper'];
  return {
    ...profile,
    g: stated.DcqcnG ?? profile.g,
    alphaPeriodPs: stated.DcqcnAlphaPeriod ?? profile.alphaPeriodPs,
    ratePeriodPs: stated.DcqcnRatePeriod ?? profile.ratePeriodPs,
    decreasePeriodPs: stated.DcqcnDecreasePeriod ?? profile.decreasePeriodPs,
    byteCounterBytes: stated.DcqcnByteCounter ?? profile.byteCounterBytes,
    fastRecoverySteps: stated.DcqcnF ?? profile.fastRecoverySteps,
    additiveGbps: stated.DcqcnRai ?? profile.additiveGbps,
    hyperGbps: stated.DcqcnRhai ?? profile.hyperGbps,
    minimumGbps: stated.DcqcnRmin ?? profile.minimumGbps,
  };
}

/** UE-1 to UE-7. AckEvery, UetTimeout and FixedRto are MRC's too. */
export function uetSettings(stated: StatedSettings): UetSettings {
  return {
    ackEvery: stated.AckEvery ?? 1,
    gapDetect: stated.UetGapDetect ?? false,
    timeoutPs: stated.UetTimeout ?? 150 * US,
    fixedTimeout: stated.FixedRto ?? false,
    probe: stated.UetProbe ?? false,
    spraying: stated.UetSpraying ?? 'default',
    paths: stated.UetPaths ?? 128,
    receiverCredit: stated.UetRccc ?? false,
  };
}

/** The window of UET and MRC (section 7). */
export function nsccSettings(nic: NicKind, trimming: boolean, stated: StatedSettings): NsccSettings {
  return {
    enabled: nic !== 'roce' && stated.CongestionControl !== 'none',
    initialBaseRttPs: stated.InitialBaseRTT ?? INITIAL_BASE_RTT_PS,
    referenceLinkGbps: stated.ReferenceLinkSpeed ?? 400,
    referenceRttPs: stated.ReferenceRTT ?? 6 * US,
    delayWeight: stated.NsccDelayWeight ?? 0.25,
    targetFactor: trimming ? 0.75 : 1,
    gamma: 0.8,
    maximumDecrease: 0.5,
    fairFactor: 5,
    proportionalFactor: 4,
    etaFactor: 0.15,
    fastFactor: 0.25,
    maximumWindowFactor: 1.5,
    baseRttHysteresis: stated.BaseRttHysteresis ?? false,
    trimming,
  };
}

/**
 * MR-3 to MR-8.
 * @throws PrepError `PACKET_SETTING` where the values cannot be spread over the ports of a host in equal numbers
 */
export function mrcSettings(nic: NicKind, topology: Topology, stated: StatedSettings): MrcSettings {
  const evCount = stated.EvCount ?? 128;
  const deniedEvs = [...new Set(stated.DeniedEvs ?? [])].sort((a, b) => a - b);
  if (nic === 'mrc') {
    const counts = linkCounts(topology);
    const ports = new Set(
      topology.nodes.flatMap(({ kind }, id) => (kind === 'host' && counts[id] > 0 ? [counts[id]] : [])),
    );
    for (const planes of [...ports].sort((a, b) => a - b)) demandEvenSplit(evCount, planes, deniedEvs);
  }
  return {
    evCount,
    probeIntervalPs: stated.ProbeInterval ?? 100 * US,
    gapDetect: stated.GapDetect ?? true,
    evMode: stated.EvMode ?? 'ecmp',
    deniedEvs,
  };
}

/** MR-3: as many active values and as many backups on each plane, of those that are not denied. */
function demandEvenSplit(evCount: number, planes: number, deniedEvs: readonly number[]): void {
  if (evCount % planes !== 0) {
    throw settingRefused(
      `EvCount ${grouped(evCount)} cannot be spread evenly over the ${planes} ports of a host (MR-3)`,
      `state a multiple of ${planes}`,
    );
  }
  const needed = (2 * evCount) / planes;
  for (let plane = 0; plane < planes; plane++) {
    const denied = deniedEvs.filter((value) => value % planes === plane).length;
    const there = Math.ceil((ENTROPY_VALUES - plane) / planes) - denied;
    if (there >= needed) continue;
    throw settingRefused(
      `EvCount ${grouped(evCount)}: port ${plane} of ${planes} needs ${grouped(needed)} values with the backups, and has ${grouped(there)} (MR-3)`,
      'make EvCount smaller, or deny fewer values',
    );
  }
}
