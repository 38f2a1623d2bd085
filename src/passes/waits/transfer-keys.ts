import { forEachKey, type KeyMatch, type TransferEnds } from '../transfer-survey.js';
import type { WaitSurvey } from './wait-survey.js';

/** Which of the two bounds a receive's turn among those of its key is. */
export type Turns = 'earliest' | 'latest';

/**
 * The sends and receives by key (tag, sender, receiver). A receive finishes once it has started and as many sends of its
 * key have as its turn says; with its latest turn that is so in every run, with its earliest in the luckiest.
 */
export class TransferKeys {
  /** [vertices] key of a send or receive, −1 for other nodes and where the partner has no trace. */
  readonly of: Int32Array;
  readonly #sent: Int32Array; // [keys] sends started
  readonly #reached: Int32Array; // [keys] receives, in the order of their turns, whose turn has come
  readonly #sendStart: Uint32Array; // [keys + 1]
  readonly #send: Int32Array; // vertices, ascending
  readonly #receiveStart: Uint32Array; // [keys + 1]
  readonly #receive: Int32Array; // vertices in the order of their turns
  readonly #turn: Int32Array; // [vertices] of receives

  constructor(surveys: readonly WaitSurvey[], offset: Int32Array, turns: Turns) {
    this.of = new Int32Array(offset[surveys.length]).fill(-1);
    const at = new Map(surveys.map(({ skeleton }, place) => [skeleton.rank, place]));
    const transfers = surveys.map((survey) => survey.transfers);
    let keys = 0;
    forEachKey(transfers, () => keys++);
    this.#sendStart = new Uint32Array(keys + 1);
    this.#receiveStart = new Uint32Array(keys + 1);
    this.#sent = new Int32Array(keys);
    this.#reached = new Int32Array(keys);
    const count = (ends: (survey: WaitSurvey) => TransferEnds): number =>
      surveys.reduce((sum, survey) => sum + ends(survey).place.length, 0);
    this.#send = new Int32Array(count(({ transfers }) => transfers.sends));
    this.#receive = new Int32Array(count(({ transfers }) => transfers.receives));
    this.#turn = new Int32Array(this.of.length);
    const turnOf = surveys.map((survey) => turnsByPlace(survey, turns));
    let key = 0;
    let sends = 0;
    let receives = 0;
    forEachKey(transfers, (match) => {
      const sender = at.get(match.sender)!;
      const receiver = at.get(match.receiver)!;
      sends = this.#addSends(match, key, offset[sender], sends);
      this.#addReceives(match, key, offset[receiver], turnOf[receiver], receives);
      receives += match.receiveTo - match.receiveFrom;
      key++;
      this.#sendStart[key] = sends;
      this.#receiveStart[key] = receives;
    });
  }

  /** A send starts: tells of the receives whose turn has come by it. */
  startSend(send: number, turnHasCome: (receive: number) => void): void {
    const key = this.of[send];
    if (key < 0) return;
    const sent = ++this.#sent[key];
    const first = this.#receiveStart[key];
    const count = this.#receiveStart[key + 1] - first;
    while (this.#reached[key] < count && this.#turn[this.#receive[first + this.#reached[key]]] <= sent) {
      turnHasCome(this.#receive[first + this.#reached[key]++]);
    }
  }

  /** Whether enough sends have started for a receive. */
  turnHasCome(receive: number): boolean {
    const key = this.of[receive];
    return key >= 0 && this.#turn[receive] <= this.#sent[key];
  }

  /** Whether the key has as many sends as a receive needs; otherwise it can never finish. */
  canFinish(receive: number): boolean {
    const key = this.of[receive];
    return key >= 0 && this.#turn[receive] <= this.#sendStart[key + 1] - this.#sendStart[key];
  }

  /** The sends of the key, ascending. */
  sends(key: number): Int32Array {
    return this.#send.subarray(this.#sendStart[key], this.#sendStart[key + 1]);
  }

  /** The receives of the key, in the order of their turns. */
  receives(key: number): Int32Array {
    return this.#receive.subarray(this.#receiveStart[key], this.#receiveStart[key + 1]);
  }

  /** Whether a vertex is a receive of some key. */
  isReceive(vertex: number): boolean {
    return vertex < this.of.length && this.of[vertex] >= 0 && this.#turn[vertex] > 0;
  }

  /** How many sends of its key have to start before a receive can finish. */
  turnOf(receive: number): number {
    return this.#turn[receive];
  }

  #addSends({ sends, sendFrom, sendTo }: KeyMatch, key: number, offset: number, entry: number): number {
    for (let at = sendFrom; at < sendTo; at++) {
      const vertex = offset + sends.place[at];
      this.of[vertex] = key;
      this.#send[entry + at - sendFrom] = vertex;
    }
    const end = entry + sendTo - sendFrom;
    if (sendTo - sendFrom > 1) this.#send.subarray(entry, end).sort();
    return end;
  }

  #addReceives(
    { receives, receiveFrom, receiveTo }: KeyMatch,
    key: number,
    offset: number,
    turnOf: ReadonlyMap<number, number> | undefined,
    entry: number,
  ): void {
    if (receiveTo - receiveFrom === 1) {
      const vertex = offset + receives.place[receiveFrom];
      this.#receive[entry] = vertex;
      this.#turn[vertex] = 1;
      this.of[vertex] = key;
      return;
    }
    const places = placesOf(receives, receiveFrom, receiveTo);
    places.forEach((place, index) => (this.#turn[offset + place] = turnOf?.get(place) ?? index + 1));
    if (turnOf !== undefined) {
      places.sort((left, right) => this.#turn[offset + left] - this.#turn[offset + right] || left - right);
    }
    for (const place of places) {
      this.#receive[entry++] = offset + place;
      this.of[offset + place] = key;
    }
  }
}

/** Ascending. */
function placesOf({ place }: TransferEnds, from: number, to: number): Uint32Array {
  return place.slice(from, to).sort();
}

function turnsByPlace({ turns }: WaitSurvey, which: Turns): Map<number, number> | undefined {
  if (turns.place.length === 0) return undefined;
  return new Map(Array.from(turns.place, (place, entry) => [place, turns[which][entry]]));
}
