import type { Topology } from '../../topology/topology.js';

/** Transport of every NIC of a network. */
export const NIC_KINDS = ['roce', 'uet', 'mrc'] as const;
export type NicKind = (typeof NIC_KINDS)[number];

/** What a packet network needs to be built; every setting has its value. Sizes are bytes, times ps, rates Gbit/s. */
export interface PacketNetworkSpec {
  readonly topology: Topology;
  readonly settings: PacketSettings;
}

export interface PacketSettings {
  readonly nic: NicKind;
  /** */
  readonly seed: number;
  readonly frames: FrameSettings;
  readonly routing: RoutingSettings;
  readonly switches: SwitchSettings;
  readonly hosts: HostSettings;
  readonly roce: RoceSettings;
  readonly uet: UetSettings;
  readonly nscc: NsccSettings;
  readonly mrc: MrcSettings;
  /** Assert the invariants of section 9. */
  readonly check: boolean;
  /** Take shortcuts that give the same times (section 11); `false` is for tests. */
  readonly fold: boolean;
}

/** Sizes on the wire (section 1.1). */
export interface FrameSettings {
  /** Payload of a full packet. */
  readonly mssBytes: number;
  readonly mtuBytes: number;
  readonly minFrameBytes: number;
  /** Preamble and interframe gap, added to every frame. */
  readonly phyOverheadBytes: number;
  /** Headers of a data packet. */
  readonly dataHeaderBytes: number;
  /** ACK, NAK, SACK. */
  readonly ackBytes: number;
  readonly nackBytes: number;
  readonly cnpBytes: number;
  readonly probeBytes: number;
  readonly trimmedBytes: number;
  readonly pfcBytes: number;
}

export const ECMP_MODES = ['flow', 'spray-rr', 'spray-random', 'adaptive'] as const;
export type EcmpMode = (typeof ECMP_MODES)[number];

/** RT-1, RT-3. */
export interface RoutingSettings {
  readonly mode: EcmpMode;
  readonly hostsForward: boolean;
}

export const PFC_MODES = ['off', 'static', 'dynamic'] as const;
export type PfcMode = (typeof PFC_MODES)[number];

/** SW-0 … SW-8. */
export interface SwitchSettings {
  readonly latencyPs: number;
  readonly trimming: boolean;
  readonly pfc: PfcMode;
  /** [2] whether PFC protects data (class 0) and control (class 1). */
  readonly lossless: readonly [boolean, boolean];
  readonly xoffBytes: number;
  readonly xonBytes: number;
  readonly headroomBytes: number;
  /** Of a whole switch. */
  readonly bufferBytes: number;
  /** Of data at one egress; Infinity for none. */
  readonly egressLimitBytes: number;
  /** Of control at one egress. */
  readonly controlLimitBytes: number;
  /** Factor of the limit for retransmissions, where packets are trimmed. */
  readonly retransmissionFactor: number;
  /** The limit is this times the free bytes of the pool, where it is given (SW-3). */
  readonly lossyAlpha?: number | undefined;
  readonly ecn: EcnSettings;
}

/** SW-7. */
export interface EcnSettings {
  readonly enabled: boolean;
  /** Thresholds by the rate of the egress; rates between are scaled from the entry that {@link scaleFromGbps} names. */
  readonly thresholds: readonly EcnThresholds[];
  readonly scaleFromGbps: number;
  /** Weight of the newest queue length, 1 for the queue length itself. */
  readonly ewma: number;
  readonly markAt: 'dequeue' | 'enqueue';
  readonly onHostPorts: boolean;
}

export interface EcnThresholds {
  /** Rate of the egress; undefined for every rate. */
  readonly gbps?: number | undefined;
  readonly kminBytes: number;
  readonly kmaxBytes: number;
  /** Probability at kmax, 0 to 1. */
  readonly pmax: number;
}

/** NIC-3, NIC-4. */
export interface HostSettings {
  readonly txStartLatencyPs: number;
  readonly rxLatencyPs: number;
  readonly ackTurnaroundPs: number;
  readonly hostLink?: HostLinkSettings | undefined;
}

export interface HostLinkSettings {
  readonly gbps: number;
  /** Added for each started piece of {@link pieceBytes}. */
  readonly overheadBytes: number;
  readonly pieceBytes: number;
  /** Receive pool of a host. */
  readonly ingressPoolBytes: number;
}

/** RC-1 … RC-7. */
export interface RoceSettings {
  readonly qpsPerPair: number;
  readonly qpMode: 'pair' | 'per-transfer';
  /** 0 for any number. */
  readonly qpMessagesInFlight: number;
  readonly ackThreshold: number;
  readonly ackDelayPs: number;
  readonly retransmitTimeoutPs: number;
  readonly cnpIntervalPs: number;
  readonly congestionControl: 'dcqcn' | 'none';
  readonly dcqcn: DcqcnSettings;
}

/** Rates in bit/s of a line of {@link PacketSettings}' hosts; scaled by line / 40 Gbit/s where the profile says so. */
export interface DcqcnSettings {
  readonly profile: 'paper' | 'ns3';
  readonly g: number;
  readonly alphaPeriodPs: number;
  readonly ratePeriodPs: number;
  /** Between two decreases at least; 0 where each CNP decreases. */
  readonly decreasePeriodPs: number;
  /** Infinity for no byte counter. */
  readonly byteCounterBytes: number;
  /** F. */
  readonly fastRecoverySteps: number;
  readonly additiveGbps: number;
  readonly hyperGbps: number;
  /** Rai and Rhai are for this line rate and scaled by the actual one; undefined where they are not scaled. */
  readonly scaledFromGbps?: number | undefined;
  readonly minimumGbps: number;
  /** Rt ← Rc at a decrease only if an increase came since the last one. */
  readonly clampTarget: boolean;
}

export const SPRAYINGS = ['default', 'none', 'reps'] as const;

/** UE-1 … UE-7. */
export interface UetSettings {
  readonly ackEvery: number;
  readonly gapDetect: boolean;
  /** UE-6. */
  readonly timeoutPs: number;
  /** No doubling of the timeout. */
  readonly fixedTimeout: boolean;
  readonly probe: boolean;
  readonly spraying: (typeof SPRAYINGS)[number];
  /** Values of `default` spraying. */
  readonly paths: number;
  /** RCCC: credits of the receiver. */
  readonly receiverCredit: boolean;
}

/** Of UET and MRC. */
export interface NsccSettings {
  readonly enabled: boolean;
  readonly initialBaseRttPs: number;
  readonly referenceLinkGbps: number;
  readonly referenceRttPs: number;
  /** w. */
  readonly delayWeight: number;
  /** Factor of InitialBaseRTT that gives τ: 0.75 where packets are trimmed, else 1. */
  readonly targetFactor: number;
  readonly gamma: number;
  readonly maximumDecrease: number;
  /** k_fair / (m·a), k_prop·τ / (m·a·b), η / (m·a), k_fast / a. */
  readonly fairFactor: number;
  readonly proportionalFactor: number;
  readonly etaFactor: number;
  readonly fastFactor: number;
  readonly maximumWindowFactor: number;
  readonly baseRttHysteresis: boolean;
  /** Whether a trim NACK is the trigger of Quick Adapt, instead of the delay. */
  readonly trimming: boolean;
}

/** MR-3 … MR-8. */
export interface MrcSettings {
  readonly evCount: number;
  readonly probeIntervalPs: number;
  readonly gapDetect: boolean;
  readonly evMode: 'ecmp' | 'structured';
  /** Values that are DENIED. */
  readonly deniedEvs: readonly number[];
}
