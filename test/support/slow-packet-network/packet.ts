import type { FrameSettings } from '../../../src/network/packet/settings/packet-settings.js';
import type { GroupCredit } from './receiver-credit.js';

export const PACKET_KINDS = ['data', 'trimmed', 'ack', 'nak', 'nack', 'cnp', 'probe', 'answer', 'credit'] as const;
export type PacketKind = (typeof PACKET_KINDS)[number];

/** A packet between hosts. A reply answers one: addresses swapped, ports kept. */
export interface Packet {
  kind: PacketKind;
  /** On the wire; less once it is trimmed. */
  bytes: number;
  readonly source: number;
  readonly destination: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly transfer: number;
  /** Number of the queue pair at the sender of data; 0 where there are none. */
  readonly queuePair: number;
  /** Of data; of a reply the one that drew it. */
  readonly psn: number;
  readonly payload: number;
  readonly isLast: boolean;
  /** 0 for the first time it is sent. */
  readonly attempt: number;
  readonly isRetransmission: boolean;
  /** CE of data, its echo in an ACK. */
  marked: boolean;
  /** The first PSN that is not received: of ACK and NAK. */
  readonly cumulative: number;
  /** Received ones of the 64 from cumulative on. */
  readonly selective: readonly number[];
  /** Trimmed at the port that faces the destination. */
  lastHop: boolean;
  /** What is left of a value that names the members (MR-8). */
  pathDigits: number;
  /** Of an ACK, 0 … 127 (NIC-4). */
  readonly penalty: number;
  /** What a credit packet is for. */
  readonly credit?: GroupCredit;
}

/** A pause or its end, between the two ends of a link (SW-6). */
export interface PauseFrame {
  readonly kind: 'pfc';
  readonly bytes: number;
  readonly trafficClass: number;
  readonly pause: boolean;
}

export type Frame = Packet | PauseFrame;

/** 1 control, 0 data. */
export function classOf(packet: Packet): 0 | 1 {
  return packet.kind === 'data' ? 0 : 1;
}

/** Bytes of a frame on the wire. */
export function wireBytes({ minFrameBytes, phyOverheadBytes }: FrameSettings, bytes: number): number {
  return Math.max(minFrameBytes, bytes) + phyOverheadBytes;
}

export function dataBytes(frames: FrameSettings, payload: number): number {
  return wireBytes(frames, frames.dataHeaderBytes + payload);
}

const REPLY_BYTES = {
  ack: 'ackBytes',
  nak: 'ackBytes',
  answer: 'ackBytes',
  nack: 'nackBytes',
  cnp: 'cnpBytes',
} as const;

export function replyTo(
  packet: Packet,
  kind: keyof typeof REPLY_BYTES,
  frames: FrameSettings,
  said: Partial<Packet> = {},
): Packet {
  return {
    ...packet,
    kind,
    bytes: wireBytes(frames, frames[REPLY_BYTES[kind]]),
    source: packet.destination,
    destination: packet.source,
    payload: 0,
    isRetransmission: false,
    pathDigits: packet.sourcePort,
    ...said,
  };
}

/** Payload of every packet of a message: at least one packet, all full but the last. */
export function payloadsOf(bytes: number, mssBytes: number): number[] {
  const payloads = [];
  let left = bytes;
  do {
    payloads.push(Math.min(left, mssBytes));
    left -= mssBytes;
  } while (left > 0);
  return payloads;
}
