/** Places in the record of a message, 96 bytes: what its two ends know of it. The first 16 are those that every packet needs. */
export const MESSAGE_INTEGERS = 24;

export const PACKETS = 0;
/** Number of the transmission that was the next of all when it was posted: those before are not of this message. */
export const OPENED = 1;
export const CONTEXT = 2;
/** Payload of the last packet, bytes. */
export const LAST_PAYLOAD = 3;
/** Sender: the next packet that was never sent, and how many are not acknowledged. */
export const UNSENT = 4;
export const UNACKNOWLEDGED = 5;
/** Sender: packets whose first serialisation has ended. */
export const DEPARTED = 6;
/** Sender: bitmap of acknowledged packets, three integers. */
export const ACKNOWLEDGED = 7;
/** Sender: block with the state of each packet from the first that is not acknowledged on, and its length − 1. */
export const STATES = 10;
export const STATES_MASK = 11;
/** Receiver: bitmap of arrived packets, three integers; how many are missing. */
export const ARRIVED = 12;
export const MISSING = 15;
export const TRANSFER = 16;
/** Next of the messages of its group that have packets never sent; of a free record the next free one. */
export const NEXT_MESSAGE = 17;
/** Bits of {@link MessageFlag}. */
export const MESSAGE_FLAGS = 18;
/** 0 of a free record. */
export const IS_OPEN = 19;

export const MessageFlag = {
  /** Its probe was sent (UE-7). */
  probed: 1,
  /** The receiver knows of it and hands out credit for it. */
  credited: 2,
} as const;

/** When the serialisation of its probe ended, ps; a double, as the one that follows. */
export const PROBE = 10;
export const MESSAGE_DOUBLES = 12;

/** Places in a bitmap: the first packet that is missing; block of its words, −1 while none lies behind; their number − 1. */
export const MISSING_FROM = 0;
export const BLOCK = 1;
export const MASK = 2;
