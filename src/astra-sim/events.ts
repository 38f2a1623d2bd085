/** Kinds of events in the queue of a run. */
export const Event = {
  /** Timers of a rank end: `a` rank, `b` instant. */
  timers: 0,
  /** A message of a collective arrives without congestion: `a` destination, `b` source, `c` tag, `amount` number of its size. */
  arrival: 1,
  /** A message of the pool arrives: `a` message. */
  message: 2,
  /** A message of the pool is at the end of a link: `a` message. */
  hop: 3,
  /** A link is free: `a` link. */
  linkFree: 4,
  /** A receive completes whose message had arrived before: `a` rank, `b` completion, `c` reference. */
  lateReceive: 5,
} as const;

/** What completes when a message arrives or is received; a reference says which. */
export const Completion = {
  nothing: 0,
  /** A node of the workload. */
  node: 1,
  /** A node of a custom collective. */
  customNode: 2,
  /** A receive of a chunk's record in `Streams`. */
  record: 3,
  /** Rendezvous: the receiver is ready, the message parked under the reference is sent. */
  parkedSend: 4,
  /** Rendezvous: the sender has heard, the receive parked under the reference is posted. */
  parkedReceive: 5,
} as const;

/** What a system-layer timer is for; a reference says which. */
export const Timer = {
  /** A bundle has passed: the record. */
  bundle: 0,
  /** A bundle has passed that is to be reduced: the record. */
  reducingBundle: 1,
  /** A reduction is done: the record. */
  reduction: 2,
  /** A node of the workload. */
  node: 3,
  /** An access to remote memory: the node. */
  memory: 4,
  /** A node of a custom collective. */
  customNode: 5,
  /** A collective of no dimension: its node. */
  emptyCollective: 6,
  /** The shared bus: its code is added. */
  bus: 8,
} as const;
