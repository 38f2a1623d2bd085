/** Text collected before it is handed on, characters. */
const TEXT_AT_ONCE = 1 << 16;

/** Simulated ps as µs with the digits it needs and no exponent: 1,500,000 is `1.5`. */
export function microsText(timePs: number): string {
  const whole = Math.round(timePs);
  const micros = Math.floor(whole / 1e6);
  const rest = whole - micros * 1e6;
  if (rest === 0) return String(micros);
  return `${micros}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}

/** A list of Chrome trace events as JSON text, written in pieces. */
export class EventText {
  /** Events so far. */
  count = 0;
  #text: string;
  readonly #write: (bytes: Uint8Array) => void;

  /** @param head text before the first event, up to the bracket of the list */
  constructor(write: (bytes: Uint8Array) => void, head: string) {
    this.#write = write;
    this.#text = head;
  }

  /** @param event JSON of one event */
  add(event: string): void {
    this.#text += this.count++ === 0 ? `\n${event}` : `,\n${event}`;
    if (this.#text.length >= TEXT_AT_ONCE) this.#flush();
  }

  /** @param tail text behind the last event, from the bracket of the list */
  finish(tail: string): void {
    this.#text += tail;
    this.#flush();
  }

  #flush(): void {
    this.#write(Buffer.from(this.#text));
    this.#text = '';
  }
}
