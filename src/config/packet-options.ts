import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { NicKind } from '../network/packet/settings/packet-settings.js';
import { PACKET_ATTRIBUTE_NAMES, type StatedSettings } from '../network/packet/settings/stated-settings.js';
import { FLAG_OF_ATTRIBUTE } from './attributes.js';
import { settingText, type Flags } from './system-settings.js';

/** The packet network of a run, as far as flags and configuration say it. */
export interface PacketOptions {
  /** Default `roce`. */
  readonly nic: NicKind;
  /** Assert the invariants of the network. Default `false`. */
  readonly check: boolean;
  /** What is left out has the default that the NIC and the topology give it. */
  readonly stated: StatedSettings;
  /** Notes on these settings for a run whose network is no packet network: there they count for nothing. */
  readonly findings: readonly Finding[];
}

/** @param flags values by flag name, of the command line over those of the configuration, each checked when it was read */
export function packetOptions(flags: Flags): PacketOptions {
  const stated = Object.fromEntries(
    PACKET_ATTRIBUTE_NAMES.map((name) => [name, flags[FLAG_OF_ATTRIBUTE[name]]]).filter(
      ([, value]) => value !== undefined,
    ),
  ) as StatedSettings;
  return {
    nic: (flags.nic as NicKind | undefined) ?? 'roce',
    check: flags.check === true,
    stated,
    findings: [...notesOnFlags(flags), ...Object.keys(stated).map((name) => unused(nameOf(name)))],
  };
}

function notesOnFlags({ nic, check }: Flags): Finding[] {
  const said = [...(nic === undefined ? [] : [settingText('nic', nic)]), ...(check === true ? ['--check'] : [])];
  return said.map(unused);
}

/** `--pfc (PfcMode)`, or `EgressLimit` where no flag says it. */
function nameOf(attribute: string): string {
  const flag = FLAG_OF_ATTRIBUTE[attribute];
  return flag === attribute ? attribute : `--${flag} (${attribute})`;
}

function unused(setting: string): Finding {
  return finding('SETTING_UNUSED', `${setting} is not used: it is of the packet network, and the run has another`);
}
