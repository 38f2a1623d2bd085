import { grouped } from '../../../base/counts.js';
import type { FrameSettings, NicKind } from './packet-settings.js';
import { settingRefused } from './setting-refused.js';
import type { StatedSettings } from './stated-settings.js';

type FrameTable = Omit<FrameSettings, 'mssBytes' | 'mtuBytes' | 'minFrameBytes' | 'phyOverheadBytes'>;

/** Section 1.1. A transport never sends what has 0 bytes here. */
const FRAMES: Readonly<Record<NicKind, FrameTable>> = {
  // BTH 12, UDP 8, IPv4 20, Ethernet 14 + FCS 4.
  roce: {
    dataHeaderBytes: 58,
    ackBytes: 126,
    nackBytes: 0,
    cnpBytes: 122,
    probeBytes: 0,
    trimmedBytes: 0,
    pfcBytes: 84,
  },
  // Semantic header 44, PDS 16, UDP 8, IPv4 20, Ethernet 18.
  uet: {
    dataHeaderBytes: 106,
    ackBytes: 78,
    nackBytes: 62,
    cnpBytes: 0,
    probeBytes: 62,
    trimmedBytes: 62,
    pfcBytes: 64,
  },
  // As RoCEv2, and RETH 16 in every packet.
  mrc: {
    dataHeaderBytes: 74,
    ackBytes: 78,
    nackBytes: 62,
    cnpBytes: 0,
    probeBytes: 62,
    trimmedBytes: 62,
    pfcBytes: 64,
  },
};

const SRV6_BYTES = 40;
/** Of an IP packet. */
const LARGEST_MTU_BYTES = 65_535;
/** Frames whose size is stated. */
const STATED_FRAMES = [
  ...(['MinFrameBytes', 'PhyOverheadBytes', 'AckBytes', 'NackBytes'] as const),
  ...(['CnpBytes', 'ProbeBytes', 'TrimmedBytes', 'PfcFrameBytes'] as const),
];

/**
 * Sizes on the wire of a transport's frames (section 1.1).
 * @throws PrepError `PACKET_SETTING` for a frame that exceeds the MTU, and for an MTU that exceeds what IP has
 */
export function frameSettings(nic: NicKind, stated: StatedSettings): FrameSettings {
  const table = FRAMES[nic];
  const encapsulation = nic === 'mrc' && stated.MrcEncap === 'srv6' ? SRV6_BYTES : 0;
  const frames: FrameSettings = {
    mssBytes: stated.MSS ?? 4096,
    mtuBytes: stated.Mtu ?? 9216,
    minFrameBytes: stated.MinFrameBytes ?? 0,
    phyOverheadBytes: stated.PhyOverheadBytes ?? 0,
    dataHeaderBytes: (stated.DataHeaderBytes ?? table.dataHeaderBytes) + encapsulation,
    ackBytes: stated.AckBytes ?? table.ackBytes,
    nackBytes: stated.NackBytes ?? table.nackBytes,
    cnpBytes: stated.CnpBytes ?? table.cnpBytes,
    probeBytes: stated.ProbeBytes ?? table.probeBytes,
    trimmedBytes: stated.TrimmedBytes ?? table.trimmedBytes,
    pfcBytes: stated.PfcFrameBytes ?? table.pfcBytes,
  };
  const { mssBytes, dataHeaderBytes, mtuBytes } = frames;
  if (mssBytes + dataHeaderBytes > mtuBytes) {
    const full = `MSS ${grouped(mssBytes)} and ${dataHeaderBytes} bytes of headers are ${grouped(mssBytes + dataHeaderBytes)} bytes`;
    throw settingRefused(`${full}, more than Mtu ${grouped(mtuBytes)}`, 'make MSS smaller or Mtu larger');
  }
  demandWithinMtu(stated, mtuBytes);
  return frames;
}

function demandWithinMtu(stated: StatedSettings, mtuBytes: number): void {
  if (mtuBytes > LARGEST_MTU_BYTES) {
    const message = `Mtu ${grouped(mtuBytes)} B: expected at most ${grouped(LARGEST_MTU_BYTES)} B, as an IP packet has no more`;
    throw settingRefused(message, 'make Mtu smaller');
  }
  for (const name of STATED_FRAMES) {
    const bytes = stated[name] ?? 0;
    if (bytes <= mtuBytes) continue;
    const message = `${name} ${grouped(bytes)} B is more than Mtu ${grouped(mtuBytes)} B; expected at most as much`;
    throw settingRefused(message, `make ${name} smaller or Mtu larger`);
  }
}

/** Bytes on the wire of a frame without payload, such as an ACK. */
export function wireBytes({ minFrameBytes, phyOverheadBytes }: FrameSettings, frameBytes: number): number {
  return Math.max(minFrameBytes, frameBytes) + phyOverheadBytes;
}

/** Bytes on the wire of a data packet with this payload. */
export function dataWireBytes(frames: FrameSettings, payloadBytes: number): number {
  return wireBytes(frames, frames.dataHeaderBytes + payloadBytes);
}

/** Bytes on the wire of the largest frame of class 1 (control). */
export function largestControlWireBytes(frames: FrameSettings): number {
  const { ackBytes, nackBytes, cnpBytes, probeBytes, trimmedBytes } = frames;
  return wireBytes(frames, Math.max(ackBytes, nackBytes, cnpBytes, probeBytes, trimmedBytes));
}

/** Packets of a message; one without payload for a message of 0 bytes. */
export function packetsOf({ mssBytes }: FrameSettings, messageBytes: number): number {
  return Math.max(1, Math.ceil(messageBytes / mssBytes));
}

/** Payload of packet `index` of a message: all are full but the last. */
export function payloadOf({ mssBytes }: FrameSettings, messageBytes: number, index: number): number {
  return Math.min(mssBytes, messageBytes - index * mssBytes);
}
