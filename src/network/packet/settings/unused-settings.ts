import { finding } from '../../../base/catalogue.js';
import type { Finding } from '../../../base/finding.js';
import type { PacketSettings } from './packet-settings.js';
import {
  PACKET_ATTRIBUTE_NAMES,
  PACKET_ATTRIBUTES,
  type PacketAttribute,
  type StatedSettings,
} from './stated-settings.js';

type Why = string | undefined;
type Rule = (settings: PacketSettings, stated: StatedSettings) => Why;

const onlyStaticPfc: Rule = ({ switches: { pfc } }) => (pfc === 'static' ? undefined : `PfcMode is ${pfc}`);
const onlyTrimming: Rule = ({ switches: { trimming } }) => (trimming ? undefined : 'Trimming is off');
const onlyEcn: Rule = ({ switches: { ecn } }) => (ecn.enabled ? undefined : 'Ecn is false');
const onlyDcqcn: Rule = ({ roce }) => (roce.congestionControl === 'dcqcn' ? undefined : 'CongestionControl is none');
const onlyNscc: Rule = ({ nscc }) => (nscc.enabled ? undefined : 'CongestionControl is none');
const onlyHostLink: Rule = ({ hosts }) => (hosts.hostLink === undefined ? 'HostLink is off' : undefined);
const onlyLossyData: Rule = ({ switches: { lossless } }) => (lossless[0] ? 'PFC protects data' : undefined);

/** What another setting makes of one: why it does not count, or undefined where it does. */
const RULES: Partial<Record<PacketAttribute, Rule>> = {
  NackBytes: onlyTrimming,
  TrimmedBytes: onlyTrimming,
  RetransmissionFactor: onlyTrimming,
  PfcFrameBytes: ({ switches: { pfc } }) => (pfc === 'off' ? 'PfcMode is off' : undefined),
  PfcClasses: ({ switches: { pfc } }) => (pfc === 'off' ? 'PfcMode is off' : undefined),
  Xoff: onlyStaticPfc,
  Xon: onlyStaticPfc,
  Headroom: onlyStaticPfc,
  LossyAlpha: onlyLossyData,
  EgressLimit: (settings, stated) => {
    const { lossless, trimming } = settings.switches;
    // Without trimming it is the limit of control too.
    if (!trimming && !lossless[1] && stated.ControlLimit === undefined) return undefined;
    return onlyLossyData(settings, stated) ?? (stated.LossyAlpha === undefined ? undefined : 'LossyAlpha is stated');
  },
  ControlLimit: ({ switches: { lossless } }) => (lossless[1] ? 'PFC protects control' : undefined),
  PlaneBDP: (settings, stated) => {
    const { lossless, ecn, trimming } = settings.switches;
    const marks =
      ecn.enabled && stated.EcnKmin === undefined && stated.EcnProfile !== 'ns3' && stated.EcnProfile !== 'paper';
    if (marks && (settings.nic !== 'roce' || stated.EcnProfile === 'bdp')) return undefined;
    const limitsControl =
      !lossless[1] && stated.ControlLimit === undefined && (trimming || stated.EgressLimit === undefined);
    const limitsData = !lossless[0] && stated.EgressLimit === undefined && stated.LossyAlpha === undefined;
    return limitsControl || limitsData ? undefined : 'no limit and no threshold follows from it';
  },
  EcnProfile: (settings, stated) =>
    onlyEcn(settings, stated) ??
    (stated.EcnKmin !== undefined && stated.EcnPmax !== undefined
      ? 'EcnKmin, EcnKmax and EcnPmax are stated'
      : undefined),
  EcnKmin: onlyEcn,
  EcnKmax: onlyEcn,
  EcnPmax: onlyEcn,
  EcnEwma: onlyEcn,
  EcnMarkAt: onlyEcn,
  EcnOnHostPorts: onlyEcn,
  LaneBps: onlyHostLink,
  LaneCount: onlyHostLink,
  QpsPerPair: ({ roce }) => (roce.qpMode === 'pair' ? undefined : 'QpMode is per-transfer'),
  QpMessagesInFlight: ({ roce }) => (roce.qpMode === 'pair' ? undefined : 'QpMode is per-transfer'),
  DcqcnProfile: onlyDcqcn,
  DcqcnG: onlyDcqcn,
  DcqcnAlphaPeriod: onlyDcqcn,
  DcqcnRatePeriod: onlyDcqcn,
  DcqcnDecreasePeriod: onlyDcqcn,
  DcqcnByteCounter: onlyDcqcn,
  DcqcnF: onlyDcqcn,
  DcqcnRai: onlyDcqcn,
  DcqcnRhai: onlyDcqcn,
  DcqcnRmin: onlyDcqcn,
  UetPaths: ({ uet }) => (uet.spraying === 'default' ? undefined : `UetSpraying is ${uet.spraying}`),
  ReferenceLinkSpeed: onlyNscc,
  ReferenceRTT: onlyNscc,
  NsccDelayWeight: onlyNscc,
  BaseRttHysteresis: onlyNscc,
};

/** Stated settings that count for nothing: of another NIC, or turned off by another setting. */
export function unusedSettings(settings: PacketSettings, stated: StatedSettings): Finding[] {
  return PACKET_ATTRIBUTE_NAMES.flatMap((name) => {
    const why = stated[name] === undefined ? undefined : whyUnused(name, settings, stated);
    return why === undefined ? [] : [finding('SETTING_UNUSED', `${name} is not used: ${why}`)];
  });
}

function whyUnused(name: PacketAttribute, settings: PacketSettings, stated: StatedSettings): Why {
  const nics = PACKET_ATTRIBUTES[name];
  if (!nics.includes(settings.nic)) return `it is of ${nics.join(' and ')}, and the NICs are ${settings.nic}`;
  return RULES[name]?.(settings, stated);
}
