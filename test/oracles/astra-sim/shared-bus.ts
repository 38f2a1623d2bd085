import type { SharedBusConfiguration } from '../../../src/astra-sim/system-configuration.js';
import type { Action, Events, Timer } from './events.js';

/** One passage over the bus (section 15). The marks are cleared as they are worked off. */
interface Passage {
  readonly bytes: number;
  process: boolean;
  returning: boolean;
  readonly done: Action;
}

type State = 'free' | 'sending' | 'receiving';

/** Passages in a row after which an end lets its partner go first. */
const TURN = 8;
/** G of the second level, ns a byte. */
const SECOND_LEVEL_GAP_PER_BYTE = 0.0038;

interface End {
  partner: End;
  state: State;
  run: number;
  readonly toSend: Passage[];
  request(bytes: number, process: boolean, returning: boolean, done: Action): void;
  /** Becomes the receiving side of a passage that its partner starts with this offset. */
  receive(passage: Passage, offset: number): void;
  tryToSend(): void;
}

/** The two ends of a rank's bus. */
export interface SharedBus {
  readonly npuSide: Pick<End, 'request'>;
  readonly adapterSide: Pick<End, 'request'>;
}

export function sharedBus(events: Events, timer: Timer, configuration: SharedBusConfiguration): SharedBus {
  const second = bus(events, timer, { ...configuration, gapPerByteNs: SECOND_LEVEL_GAP_PER_BYTE });
  return bus(events, timer, configuration, second);
}

function bus(events: Events, timer: Timer, configuration: SharedBusConfiguration, second?: SharedBus): SharedBus {
  const npuSide = busEnd(events, timer, configuration, second);
  const adapterSide = busEnd(events, timer, configuration);
  npuSide.partner = adapterSide;
  adapterSide.partner = npuSide;
  return { npuSide, adapterSide };
}

/** @param second the bus that the NPU side goes over before each of its own steps */
function busEnd(events: Events, timer: Timer, configuration: SharedBusConfiguration, second?: SharedBus): End {
  const { latencyNs: L, overheadNs: o, gapNs: g, gapPerByteNs: G, reductionDelayNs } = configuration;
  let previous: State = 'free';
  let last = 0;
  const receiving: Passage[] = [];
  const toProcess: Passage[] = [];
  let processing = false;

  const toSecondLevel = (passage: Passage, returning: boolean, then: Action): void => {
    if (second === undefined) then();
    else second.npuSide.request(passage.bytes, false, returning, then);
  };
  const queueToSend = (passage: Passage): void => {
    passage.returning = false;
    toSecondLevel(passage, true, () => {
      end.toSend.push(passage);
      if (second !== undefined) end.tryToSend();
    });
  };
  const retire = (passage: Passage): void => toSecondLevel(passage, false, passage.done);
  const processNext = (): void => {
    if (processing || toProcess.length === 0) return;
    processing = true;
    timer(Math.floor(toProcess[0].bytes / 100) * reductionDelayNs + 50, () => {
      processing = false;
      const passage = toProcess.shift()!;
      if (passage.returning) queueToSend(passage);
      else retire(passage);
      processNext();
      end.tryToSend();
    });
  };
  const startPassage = (): void => {
    const since = events.now - last;
    const offset = previous === 'sending' && o + since <= g ? g - since : o;
    const passage = end.toSend.shift()!;
    end.partner.receive(passage, offset);
    end.state = 'sending';
    timer(Math.floor(offset + G * (passage.bytes - 1)), () => {
      last = events.now;
      previous = end.state;
      end.state = 'free';
      end.run++;
      end.tryToSend();
    });
  };
  const end: End = {
    partner: undefined as unknown as End,
    state: 'free',
    run: 0,
    toSend: [],
    request(bytes, process, returning, done) {
      const passage = { bytes, process, returning, done };
      const queue = (): void => {
        end.toSend.push(passage);
        end.tryToSend();
      };
      if (second === undefined) queue();
      else second.adapterSide.request(bytes, false, false, queue);
    },
    receive(passage, offset) {
      receiving.push(passage);
      previous = end.state;
      end.state = 'receiving';
      timer(Math.floor(offset + (passage.bytes - 1) * G + L + o), () => {
        last = events.now;
        previous = end.state;
        if (receiving.length < 2) end.state = 'free';
        const oldest = receiving.shift()!;
        if (oldest.process) {
          oldest.process = false;
          toSecondLevel(oldest, true, () => {
            toProcess.push(oldest);
            processNext();
            if (second !== undefined) end.tryToSend();
          });
        } else if (oldest.returning) queueToSend(oldest);
        else retire(oldest);
        end.tryToSend();
      });
      end.run = 0;
    },
    tryToSend() {
      if (end.state !== 'free' || end.toSend.length === 0) return;
      const { partner } = end;
      if (end.run > TURN && partner.toSend.length > 0 && partner.run <= TURN) {
        partner.tryToSend();
        return;
      }
      startPassage();
    },
  };
  return end;
}
