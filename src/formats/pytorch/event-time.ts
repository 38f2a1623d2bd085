const ZERO = 0x30;
const MINUS = 0x2d;
const DOT = 0x2e;
/** A number whose exponent moves the decimal point. */
const SCIENTIFIC = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,3})$/;

/**
 * A time of a device trace, in µs with a fraction, as whole µs and whole ns: a double of µs since 1970 has no room for the
 * three decimals. Parts of a ns are rounded, halves up.
 */
export class EventTime {
  /** Whole µs, rounded down. */
  micros = NaN;
  /** ns behind them, 0 to 999. */
  nanos = 0;

  /** Takes the decimal number of the bytes [from, to). `false` for what is none or beyond 2^53 µs. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    let micros = 0;
    const start = at;
    while (at < to && bytes[at] >= ZERO && bytes[at] <= ZERO + 9) micros = 10 * micros + (bytes[at++] - ZERO);
    if (at === start) return this.#refuse();
    let nanos = 0;
    if (at < to && bytes[at] === DOT) {
      at++;
      let weight = 100;
      while (at < to && bytes[at] >= ZERO && bytes[at] <= ZERO + 9) {
        if (weight >= 1) nanos += weight * (bytes[at] - ZERO);
        else if (weight > 0.05 && bytes[at] >= ZERO + 5) nanos++;
        // 100, 10, 1, then 0.1 for the digit that rounds.
        weight = weight > 1 ? weight / 10 : weight === 1 ? 0.1 : 0;
        at++;
      }
    }
    if (at < to) return this.#readScientific(Buffer.from(bytes.subarray(from, to)).toString('latin1'));
    return this.#set(negative, micros, nanos);
  }

  #readScientific(text: string): boolean {
    const parts = SCIENTIFIC.exec(text);
    if (parts === null) return this.#refuse();
    const [, sign, whole, fraction = '', exponent] = parts;
    const point = whole.length + Number(exponent);
    if (point > 17 || point < -400) return point > 17 ? this.#refuse() : this.#set(false, 0, 0);
    const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0');
    const place = Math.max(0, point);
    const plain = Buffer.from(`${sign}${digits.slice(0, place) || '0'}.${digits.slice(place)}0`, 'latin1');
    return this.read(plain, 0, plain.length);
  }

  #set(negative: boolean, micros: number, nanos: number): boolean {
    if (nanos === 1000) {
      micros++;
      nanos = 0;
    }
    if (micros > Number.MAX_SAFE_INTEGER) return this.#refuse();
    if (negative && nanos > 0) {
      this.micros = -micros - 1;
      this.nanos = 1000 - nanos;
    } else {
      this.micros = negative && micros > 0 ? -micros : micros;
      this.nanos = nanos;
    }
    return true;
  }

  #refuse(): boolean {
    this.micros = NaN;
    this.nanos = 0;
    return false;
  }
}
