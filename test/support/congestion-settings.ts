import type { DcqcnSettings, MrcSettings, NsccSettings } from '../../src/network/packet/settings/packet-settings.js';

/** Defaults of sections 6 to 8 of the network models. */

const MICROSECOND = 1e6;

export function paperDcqcn(changes: Partial<DcqcnSettings> = {}): DcqcnSettings {
  return {
    profile: 'paper',
    g: 1 / 256,
    alphaPeriodPs: 55 * MICROSECOND,
    ratePeriodPs: 55 * MICROSECOND,
    decreasePeriodPs: 0,
    byteCounterBytes: 10e6,
    fastRecoverySteps: 5,
    additiveGbps: 0.04,
    hyperGbps: 0.2,
    scaledFromGbps: 40,
    minimumGbps: 0.1,
    clampTarget: false,
    ...changes,
  };
}

export function ns3Dcqcn(changes: Partial<DcqcnSettings> = {}): DcqcnSettings {
  return {
    profile: 'ns3',
    g: 1 / 256,
    alphaPeriodPs: MICROSECOND,
    ratePeriodPs: 900 * MICROSECOND,
    decreasePeriodPs: 4 * MICROSECOND,
    byteCounterBytes: Infinity,
    fastRecoverySteps: 1,
    additiveGbps: 0.05,
    hyperGbps: 0.1,
    minimumGbps: 0.1,
    clampTarget: true,
    ...changes,
  };
}

export function nscc(changes: Partial<NsccSettings> = {}): NsccSettings {
  return {
    enabled: true,
    initialBaseRttPs: 6 * MICROSECOND,
    referenceLinkGbps: 400,
    referenceRttPs: 6 * MICROSECOND,
    delayWeight: 0.25,
    targetFactor: 1,
    gamma: 0.8,
    maximumDecrease: 0.5,
    fairFactor: 5,
    proportionalFactor: 4,
    etaFactor: 0.15,
    fastFactor: 0.25,
    maximumWindowFactor: 1.5,
    baseRttHysteresis: false,
    trimming: false,
    ...changes,
  };
}

export function trimmingNscc(changes: Partial<NsccSettings> = {}): NsccSettings {
  return nscc({ targetFactor: 0.75, trimming: true, ...changes });
}

export function mrc(changes: Partial<MrcSettings> = {}): MrcSettings {
  return {
    evCount: 128,
    probeIntervalPs: 100 * MICROSECOND,
    gapDetect: true,
    evMode: 'ecmp',
    deniedEvs: [],
    ...changes,
  };
}
