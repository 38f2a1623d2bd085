import type { RandomStream } from '../../../kernel/random.js';
import type { NsccWindow } from '../congestion/nscc.js';
import type { Spraying } from '../spraying/spraying.js';

/** No entropy value, no port, no message. */
export const NONE = -1;

/**
 * The open delivery contexts from one host to another: they share a window, spraying and a turn at the NIC (UE-1).
 */
export class Group {
  /** Messages of it that are open: posted, not acknowledged. */
  open = 0;
  /** Packets of it that are lost and not yet sent again. */
  lostPackets = 0;
  /** Its last message that has packets never sent, {@link NONE} where no message has; the ring's first is the next of it. */
  lastMessage = NONE;
  /** Value drawn for the next packet, where the port depends on it. */
  entropy = NONE;
  /** Posts before this wait for it, ps (NIC-3). */
  readyPs = 0;
  /** Window when it was last looked at, bytes. */
  seenWindowBytes = NONE;
  /** What credit there is for it, where receivers hand it out. */
  credit: GroupCredit | undefined;

  /**
   * @param context number of the group's turn at the NIC
   * @param port of the source that all its packets take, {@link NONE} where there are several
   * @param lost list of its lost packets
   * @param random of its source
   */
  constructor(
    readonly context: number,
    readonly source: number,
    readonly destination: number,
    readonly port: number,
    readonly lost: number,
    readonly window: NsccWindow,
    readonly spraying: Spraying,
    readonly random: RandomStream,
  ) {}
}

/** Credit of a group (RCCC), in bytes as they count in flight. */
export interface GroupCredit {
  /** Number that no other group has that could be mistaken for it. */
  readonly serial: number;
  /** Sender: what it may still send; it sends while this is more than none. */
  leftBytes: number;
  /** Receiver: what it has granted, the initial credit included. */
  grantedBytes: number;
  /** Receiver: size of the messages of which a packet has come. */
  knownBytes: number;
  /** Receiver: trimmed packets that have come, and transmissions before the one of each packet that has come. */
  trimmed: number;
  repeated: number;
  /** Receiver: where its last packet came in, and the value it had. */
  port: number;
  entropy: number;
  /** Receiver: whether it waits for its turn, and who comes next. */
  isWaiting: boolean;
  next: Group | undefined;
}
