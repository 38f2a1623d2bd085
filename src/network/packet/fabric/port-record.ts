/**
 * Places in the record of a port, one end of a link: 192 bytes, integers and doubles. A port is numbered by its node, ascending,
 * then by its link; the packets that leave by it arrive at the port at the other end.
 */
export const PORT_INTEGERS = 48;
export const PORT_DOUBLES = 24;

export const NODE = 0;
/** Port at the other end of the link. */
export const PEER = 1;
/** First and last of the frames that are being sent or on the link, −1 for none. */
export const FLIGHT_HEAD = 2;
export const FLIGHT_TAIL = 3;
/** First and last of the waiting packets: of data at 4 and 5, of control at 6 and 7, of link control at 8 and 9. */
export const HEAD = 4;
export const TAIL = 5;
/** Classes of waiting packets: HEAD + 2 × class. */
export const DATA = 0;
export const CONTROL = 1;
export const LINK_CONTROL = 2;
/** Of the frame that is being sent; where ends of serialisation are events, −1 for the class says that none is. */
export const SERVICE_BYTES = 10;
export const SERVICE_CLASS = 11;
/** Index of its rate. */
export const RATE = 12;
/** Bits of the classes that are paused. */
export const PAUSED = 13;
/** One of {@link PortMode}. */
export const MODE = 14;
/** 1 where the port leads to a host. */
export const TO_HOST = 15;

/** When the frame that was started last has been sent, ps; a double, as all that follow. */
export const FREE = 8;
/** From the end of serialisation until the packet is looked at by the next node, ps. */
export const DELAY = 9;
/** Bytes that wait: of data at 10, of control at 11, of link control at 12. */
export const WAITING = 10;
/** Limits of the queues of data and control, bytes, or {@link BY_FREE_BYTES}. */
export const LIMIT = 13;
/** The limit is a multiple of what is free (`LossyAlpha`). */
export const BY_FREE_BYTES = -1;
/** ECN thresholds, bytes, and the probability at the upper one; kmin is Infinity where nothing is marked. */
export const KMIN = 15;
export const KMAX = 16;
export const PMAX = 17;
/** Mean queue length, where one is kept. */
export const MEAN_QUEUE = 18;
/** Probability that a frame that arrives here is lost. */
export const LOSS = 19;
/** Frames and bytes whose serialisation has begun. */
export const PACKETS_SENT = 20;
export const BYTES_SENT = 21;
/** The most bytes in the queues of data and of control, the frame in service among them. */
export const PEAK = 22;

export const PortMode = {
  /** Frames are started in arrears, when somebody looks: nobody can tell, and each hop is one event. */
  lazy: 0,
  /** Each end of serialisation is an event. */
  explicit: 1,
  /** Of a host: as explicit, and the NIC says what is next. */
  host: 2,
} as const;
