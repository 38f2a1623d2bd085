/** An event that begins in one place of the list and ends in another; −1 for the row of one that is not read. */
export interface OpenEvent {
  readonly table: number;
  readonly row: number;
  readonly offset: number;
}

/** Pairs beginnings (phase B) with ends (E), which nest in their thread. */
export class OpenEvents {
  /** Offsets of ends without a beginning. */
  readonly endings: number[] = [];
  readonly #threads = new Map<string, OpenEvent[]>();

  begin(thread: string, event: OpenEvent): void {
    const open = this.#threads.get(thread);
    if (open === undefined) this.#threads.set(thread, [event]);
    else open.push(event);
  }

  /** The event that ends, `undefined` where none is open. */
  end(thread: string, offset: number): OpenEvent | undefined {
    const event = this.#threads.get(thread)?.pop();
    if (event === undefined) this.endings.push(offset);
    return event;
  }

  /** Events that are read and did not end. */
  left(): OpenEvent[] {
    return [...this.#threads.values()].flat().filter(({ row }) => row >= 0);
  }
}
