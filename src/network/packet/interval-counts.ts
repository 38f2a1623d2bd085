import { PACKET_KINDS } from './packet-record.js';

/** Places in the entry of a port: counts since the start. */
export const PortCount = {
  packetsSent: 0,
  packetsReceived: 1,
  bytesSent: 2,
  bytesReceived: 3,
  /** Packets that found no room at the egress. */
  sendDrops: 4,
  /** Packets that were lost on the link, or found no room in the buffer that they came into. */
  receiveDrops: 5,
} as const;
export const PORT_COUNTS = 6;

/** Places in the entry of one class of a switch port, whose device is 2 × port + class: counts since the start. */
export const ClassCount = {
  xoffsSent: 0,
  xonsSent: 1,
  xoffsReceived: 2,
  xonsReceived: 3,
  /** Time for which the egress was stopped, ps, without the pause that lasts. */
  pausedPs: 4,
  /** When the pause that lasts began, ps; 0 for none. It goes on while nothing else happens, so its length is worked out later. */
  pausedSincePs: 5,
  marks: 6,
} as const;
export const CLASS_COUNTS = 7;

/** Places in the entry of a host, whose device is its node id: counts since the start, then what was seen in the interval. */
export const HostCount = {
  /** By kind. */
  packetsSent: 0,
  packetsReceived: PACKET_KINDS,
  retransmissions: 2 * PACKET_KINDS,
  timeouts: 2 * PACKET_KINDS + 1,
  outOfOrder: 2 * PACKET_KINDS + 2,
  duplicates: 2 * PACKET_KINDS + 3,
  poolDrops: 2 * PACKET_KINDS + 4,
  messagesPosted: 2 * PACKET_KINDS + 5,
  messagesCompleted: 2 * PACKET_KINDS + 6,
  /** Number, sum, least and greatest of the round-trip times, ps. */
  rtt: 2 * PACKET_KINDS + 7,
  /** The same of windows, bytes, or rates, Gbit/s. */
  pace: 2 * PACKET_KINDS + 11,
} as const;
export const HOST_COUNTS = HostCount.pace + 4;
