import type { Action, Events } from './events.js';
import type { Network } from './network.js';

const READY_BYTES = 8192;

/** Sends and receives of all ranks. A tag is a text, so that each kind of tag has a space of its own. */
export interface Messages {
  /** `sent` runs when the message has arrived. */
  send(from: number, to: number, bytes: number, tag: string, sent: Action): void;
  receive(from: number, to: number, bytes: number, tag: string, received: Action): void;
  /** Messages handed to the network so far. */
  readonly count: number;
}

interface Channel {
  sends: number;
  receives: number;
  /** Numbers of the messages that arrived before their receive was posted. */
  readonly arrived: Set<number>;
  /** Receives posted before their message arrived, by number. */
  readonly posted: Map<number, Action>;
}

/** Section 11: the i-th send of a tag, pair and size belongs to the i-th receive of the same. */
export function matchedMessages(events: Events, network: Network): Messages {
  const channels = new Map<string, Channel>();
  const channel = (from: number, to: number, bytes: number, tag: string): Channel => {
    const key = `${from} ${to} ${bytes} ${tag}`;
    let found = channels.get(key);
    if (found === undefined) {
      found = { sends: 0, receives: 0, arrived: new Set(), posted: new Map() };
      channels.set(key, found);
    }
    return found;
  };
  let count = 0;
  return {
    get count() {
      return count;
    },
    send(from, to, bytes, tag, sent) {
      if (!(bytes > 0)) throw new Error(`rank ${from} sends a message of ${bytes} B to ${to}`);
      if (from === to) throw new Error(`rank ${from} sends a message to itself`);
      count++;
      const own = channel(from, to, bytes, tag);
      const number = own.sends++;
      network(from, to, bytes, () => {
        // The send completes first, whether or not somebody waits for the message.
        sent();
        const received = own.posted.get(number);
        if (received === undefined) own.arrived.add(number);
        else {
          own.posted.delete(number);
          received();
        }
      });
    },
    receive(from, to, bytes, tag, received) {
      const own = channel(from, to, bytes, tag);
      const number = own.receives++;
      if (own.arrived.delete(number)) events.at(events.now, received);
      else own.posted.set(number, received);
    },
  };
}

/** Section 14: a transfer starts when its receiver has told its sender, with a message of its own, that it is ready. */
export function withRendezvous(messages: Messages): Messages {
  return {
    get count() {
      return messages.count;
    },
    send(from, to, bytes, tag, sent) {
      messages.receive(to, from, READY_BYTES, `ready ${tag}`, () => messages.send(from, to, bytes, tag, sent));
    },
    receive(from, to, bytes, tag, received) {
      messages.send(to, from, READY_BYTES, `ready ${tag}`, () => messages.receive(from, to, bytes, tag, received));
    },
  };
}
