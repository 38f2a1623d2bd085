/** The sizes of a run's messages, numbered: few differ, and a number is smaller than a size. */
export class MessageSizes {
  readonly #bytes: number[] = [];
  readonly #numbers = new Map<number, number>();

  /** Number of a size, from 0. */
  numberOf(bytes: number): number {
    let number = this.#numbers.get(bytes);
    if (number === undefined) {
      number = this.#bytes.push(bytes) - 1;
      this.#numbers.set(bytes, number);
    }
    return number;
  }

  bytes(number: number): number {
    return this.#bytes[number];
  }
}
