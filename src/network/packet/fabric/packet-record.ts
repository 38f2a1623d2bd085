/**
 * Places in the record of a packet: 64 bytes, one cache line, integers and one double. A packet is a slot of the pool; slot × 16
 * is where its integers begin, slot × 8 its doubles.
 */
export const PACKET_INTEGERS = 16;
export const PACKET_DOUBLES = 8;

/** One of {@link PacketKind}. */
export const KIND = 0;
/** Bits of {@link PacketFlag}. */
export const FLAGS = 1;
/** Size on the wire. */
export const BYTES = 2;
/** Node ids of the hosts. */
export const SOURCE = 3;
export const DESTINATION = 4;
/** UDP source port, 0 … 65,535. */
export const ENTROPY = 5;
/** CRC of the addresses and ports that ECMP hashes (RT-4). */
export const HASH = 6;
/** What the transport knows it by: a queue pair, a message, a context. */
export const FLOW = 7;
export const PSN = 8;
/** Number of the transmission, 0 for the first. */
export const ATTEMPT = 9;
/** Next of the queue or of the frames on a link, −1 at its end. */
export const NEXT = 10;
/** Port by which it came into the node that holds it. */
export const INGRESS = 11;
/** End of its serialisation, ps; a double. */
export const DEPARTURE = 6;
/** Of an acknowledgment: packets below this have arrived. Of data with structured entropy: what is left of the value. */
export const CUMULATIVE = 14;
/** For the transport. */
export const EXTRA = 15;

export const PacketKind = {
  data: 0,
  /** ACK of RoCEv2, SACK of UET and MRC. */
  ack: 1,
  /** NAK of RoCEv2, trim NACK of UET and MRC. */
  nack: 2,
  cnp: 3,
  probe: 4,
  probeAnswer: 5,
  /** Headers of a data packet whose payload a switch cut off. */
  trimmed: 6,
  /** PFC frame. Its flow is the class, its PSN 1 to stop and 0 to go on. */
  pfc: 7,
  credit: 8,
} as const;
export const PACKET_KINDS = 9;

export const PacketFlag = {
  /** Congestion experienced; in an acknowledgment its echo. */
  marked: 1,
  retransmission: 2,
  /** Last packet of its message. */
  last: 4,
  /** Trimmed at the port to its destination; in a NACK its echo. */
  lastHop: 8,
  /** Has the frame size of a full packet. */
  full: 16,
} as const;

/** Flags of an acknowledgment: above those of {@link PacketFlag} seven bits, the penalty of the receiver (NIC-4). */
const PENALTY_SHIFT = 8;
/** The greatest penalty. */
export const FULL_PENALTY = 127;

/** @param penalty 0 … 127 */
export function withPenalty(flags: number, penalty: number): number {
  return flags | (penalty << PENALTY_SHIFT);
}

/** Penalty in the flags of an acknowledgment. */
export function penaltyOf(flags: number): number {
  return (flags >> PENALTY_SHIFT) & FULL_PENALTY;
}
