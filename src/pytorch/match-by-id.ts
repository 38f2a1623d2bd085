/** Ids and comparable names of the two sides; ids that are NaN or 0 are none. */
export interface IdSides {
  readonly hostId: Float64Array; // [host nodes]
  readonly hostName: Int32Array; // [host nodes]
  readonly eventId: Float64Array; // [host events]
  readonly eventName: Int32Array; // [host events]
}

export interface IdMatch {
  readonly hostEvent: Int32Array; // [host nodes] event with the node's id, −1
  readonly pairs: number;
  /** Pairs whose names mean the same op. */
  readonly agreeing: number;
  /** Nodes and events whose id another had before; they have no partner. */
  readonly doubledNodes: number;
  readonly doubledEvents: number;
}

/** Pairs each host node with the host event of the same id. @param shift added to the ids of nodes */
export function matchById({ hostId, hostName, eventId, eventName }: IdSides, shift = 0): IdMatch {
  const hostEvent = new Int32Array(hostId.length).fill(-1);
  const eventOf = new Map<number, number>();
  let doubledEvents = 0;
  for (let event = 0; event < eventId.length; event++) {
    const id = eventId[event];
    if (!(id > 0)) continue;
    if (eventOf.has(id)) doubledEvents++;
    else eventOf.set(id, event);
  }
  const taken = new Uint8Array(eventId.length);
  let pairs = 0;
  let agreeing = 0;
  let doubledNodes = 0;
  for (let node = 0; node < hostId.length; node++) {
    if (!(hostId[node] > 0)) continue;
    const event = eventOf.get(hostId[node] + shift);
    if (event === undefined) continue;
    if (taken[event] === 1) {
      doubledNodes++;
      continue;
    }
    taken[event] = 1;
    hostEvent[node] = event;
    pairs++;
    if (hostName[node] === eventName[event]) agreeing++;
  }
  return { hostEvent, pairs, agreeing, doubledNodes, doubledEvents };
}

/** Names that occur this often at most vote for a shift: what is everywhere fits every shift. */
const RARE_NAME = 8;

/**
 * The constant that, added to the ids of host nodes, makes most rare names meet; 0 where no rare name is on both sides.
 * Each pair of a node and an event with the same rare name votes for the difference of their ids.
 */
export function likelyShift({ hostId, hostName, eventId, eventName }: IdSides): number {
  const eventsOf = new Map<number, number[]>();
  for (let event = 0; event < eventId.length; event++) {
    if (!(eventId[event] > 0)) continue;
    const known = eventsOf.get(eventName[event]);
    if (known === undefined) eventsOf.set(eventName[event], [event]);
    else if (known.length <= RARE_NAME) known.push(event);
  }
  const votes = new Map<number, number>();
  let best = 0;
  for (let node = 0; node < hostId.length; node++) {
    const events = eventsOf.get(hostName[node]);
    if (!(hostId[node] > 0) || events === undefined || events.length > RARE_NAME) continue;
    for (const event of events) {
      const shift = eventId[event] - hostId[node];
      const count = (votes.get(shift) ?? 0) + 1;
      votes.set(shift, count);
      if (count > (votes.get(best) ?? 0)) best = shift;
    }
  }
  return best;
}
