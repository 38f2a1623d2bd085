import type { EcmpMode, NicKind, PfcMode, UetSettings } from './packet-settings.js';

/** Where the thresholds of ECN come from (SW-7). */
export const ECN_PROFILES = ['ns3', 'paper', 'bdp'] as const;
export type EcnProfile = (typeof ECN_PROFILES)[number];

export const CONGESTION_CONTROLS = ['dcqcn', 'none', 'nscc'] as const;
export type CongestionControl = (typeof CONGESTION_CONTROLS)[number];

/**
 * Settings of a packet network that somebody stated, under their names in network-models: sizes bytes, times ps, rates
 * Gbit/s. What is left out has the default that `packetSettings` gives it.
 */
export interface StatedSettings {
  // Sizes on the wire (1.1).
  readonly MSS?: number;
  readonly Mtu?: number;
  readonly MinFrameBytes?: number;
  readonly PhyOverheadBytes?: number;
  readonly DataHeaderBytes?: number;
  readonly AckBytes?: number;
  readonly NackBytes?: number;
  readonly CnpBytes?: number;
  readonly ProbeBytes?: number;
  readonly TrimmedBytes?: number;
  readonly PfcFrameBytes?: number;
  readonly MrcEncap?: 'none' | 'srv6';

  // Routing (RT).
  readonly EcmpMode?: EcmpMode;
  readonly HostsForward?: boolean;

  // Switches (SW).
  readonly SwitchLatency?: number;
  readonly PlaneBDP?: number;
  readonly Trimming?: boolean;
  readonly PfcMode?: PfcMode;
  readonly PfcClasses?: 'both' | 'data';
  readonly Xoff?: number;
  readonly Xon?: number;
  readonly Headroom?: number;
  readonly BufferBytes?: number;
  /** Infinity for none. */
  readonly EgressLimit?: number;
  readonly ControlLimit?: number;
  readonly RetransmissionFactor?: number;
  readonly LossyAlpha?: number;
  readonly Ecn?: boolean;
  readonly EcnProfile?: EcnProfile;
  readonly EcnKmin?: number;
  readonly EcnKmax?: number;
  readonly EcnPmax?: number;
  readonly EcnEwma?: number;
  readonly EcnMarkAt?: 'dequeue' | 'enqueue';
  readonly EcnOnHostPorts?: boolean;

  // NIC (NIC-3, NIC-4).
  readonly TxStartLatency?: number;
  readonly RxLatency?: number;
  readonly AckTurnaround?: number;
  readonly HostLink?: boolean;
  /** Of one lane. */
  readonly LaneBps?: number;
  readonly LaneCount?: number;
  readonly CongestionControl?: CongestionControl;

  // RoCEv2 (RC).
  readonly QpsPerPair?: number;
  readonly QpMode?: 'pair' | 'per-transfer';
  readonly QpMessagesInFlight?: number;
  readonly AckThreshold?: number;
  readonly AckDelay?: number;
  readonly RetransmitTimeout?: number;
  readonly CnpInterval?: number;
  readonly DcqcnProfile?: 'paper' | 'ns3';
  readonly DcqcnG?: number;
  readonly DcqcnAlphaPeriod?: number;
  readonly DcqcnRatePeriod?: number;
  readonly DcqcnDecreasePeriod?: number;
  /** Infinity for none. */
  readonly DcqcnByteCounter?: number;
  readonly DcqcnF?: number;
  readonly DcqcnRai?: number;
  readonly DcqcnRhai?: number;
  readonly DcqcnRmin?: number;

  // UET (UE) and what MRC shares with it.
  readonly AckEvery?: number;
  readonly UetTimeout?: number;
  readonly FixedRto?: boolean;
  readonly UetGapDetect?: boolean;
  readonly UetProbe?: boolean;
  readonly UetSpraying?: UetSettings['spraying'];
  readonly UetPaths?: number;
  readonly UetRccc?: boolean;
  readonly InitialBaseRTT?: number;
  readonly ReferenceLinkSpeed?: number;
  readonly ReferenceRTT?: number;
  readonly NsccDelayWeight?: number;
  readonly BaseRttHysteresis?: boolean;

  // MRC (MR).
  readonly EvCount?: number;
  readonly ProbeInterval?: number;
  readonly GapDetect?: boolean;
  readonly EvMode?: 'ecmp' | 'structured';
  readonly DeniedEvs?: readonly number[];
}

export type PacketAttribute = keyof StatedSettings;

const ALL: readonly NicKind[] = ['roce', 'uet', 'mrc'];
const ROCE: readonly NicKind[] = ['roce'];
const UET: readonly NicKind[] = ['uet'];
const MRC: readonly NicKind[] = ['mrc'];
/** Transports with selective acknowledgment. */
const SELECTIVE: readonly NicKind[] = ['uet', 'mrc'];

/** Every setting and the NICs that look at it. */
export const PACKET_ATTRIBUTES: Readonly<Record<PacketAttribute, readonly NicKind[]>> = {
  MSS: ALL,
  Mtu: ALL,
  MinFrameBytes: ALL,
  PhyOverheadBytes: ALL,
  DataHeaderBytes: ALL,
  AckBytes: ALL,
  NackBytes: SELECTIVE,
  CnpBytes: ROCE,
  ProbeBytes: SELECTIVE,
  TrimmedBytes: SELECTIVE,
  PfcFrameBytes: ALL,
  MrcEncap: MRC,
  EcmpMode: ALL,
  HostsForward: ALL,
  SwitchLatency: ALL,
  PlaneBDP: ALL,
  Trimming: ALL,
  PfcMode: ALL,
  PfcClasses: ALL,
  Xoff: ALL,
  Xon: ALL,
  Headroom: ALL,
  BufferBytes: ALL,
  EgressLimit: ALL,
  ControlLimit: ALL,
  RetransmissionFactor: SELECTIVE,
  LossyAlpha: ALL,
  Ecn: ALL,
  EcnProfile: ALL,
  EcnKmin: ALL,
  EcnKmax: ALL,
  EcnPmax: ALL,
  EcnEwma: ALL,
  EcnMarkAt: ALL,
  EcnOnHostPorts: ALL,
  TxStartLatency: ALL,
  RxLatency: ALL,
  AckTurnaround: ALL,
  HostLink: ALL,
  LaneBps: ALL,
  LaneCount: ALL,
  CongestionControl: ALL,
  QpsPerPair: ROCE,
  QpMode: ROCE,
  QpMessagesInFlight: ROCE,
  AckThreshold: ROCE,
  AckDelay: ROCE,
  RetransmitTimeout: ROCE,
  CnpInterval: ROCE,
  DcqcnProfile: ROCE,
  DcqcnG: ROCE,
  DcqcnAlphaPeriod: ROCE,
  DcqcnRatePeriod: ROCE,
  DcqcnDecreasePeriod: ROCE,
  DcqcnByteCounter: ROCE,
  DcqcnF: ROCE,
  DcqcnRai: ROCE,
  DcqcnRhai: ROCE,
  DcqcnRmin: ROCE,
  AckEvery: SELECTIVE,
  UetTimeout: SELECTIVE,
  FixedRto: SELECTIVE,
  UetGapDetect: UET,
  UetProbe: UET,
  UetSpraying: UET,
  UetPaths: UET,
  UetRccc: UET,
  InitialBaseRTT: ALL,
  ReferenceLinkSpeed: SELECTIVE,
  ReferenceRTT: SELECTIVE,
  NsccDelayWeight: SELECTIVE,
  BaseRttHysteresis: SELECTIVE,
  EvCount: MRC,
  ProbeInterval: MRC,
  GapDetect: MRC,
  EvMode: MRC,
  DeniedEvs: MRC,
};

export const PACKET_ATTRIBUTE_NAMES = Object.keys(PACKET_ATTRIBUTES) as readonly PacketAttribute[];

/** The settings that a NIC looks at. */
export function settingsOf(nic: NicKind, stated: StatedSettings): StatedSettings {
  const own = Object.entries(stated).filter(([name]) => PACKET_ATTRIBUTES[name as PacketAttribute].includes(nic));
  return Object.fromEntries(own);
}
