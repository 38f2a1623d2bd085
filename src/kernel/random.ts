/**
 * Random numbers of one entity for one purpose: an sfc32 generator of its own for each, so that the draws of one
 * entity never depend on the order of events of another.
 */
export class RandomStream {
  // Words of sfc32: three of state and a counter.
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  /**
   * @param seed of the run
   * @param entity node id
   * @param purpose such as `ecn`
   */
  constructor(seed: number, entity: number, purpose: string) {
    let state = fnv1a(`${seed}/${entity}/${purpose}`);
    const nextWord = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let word = state ^ (state >>> 16);
      word = Math.imul(word, 0x21f0aaad);
      word ^= word >>> 15;
      word = Math.imul(word, 0x735a2d97);
      return word ^ (word >>> 15);
    };
    this.#a = nextWord();
    this.#b = nextWord();
    this.#c = nextWord();
    this.#counter = nextWord();
    for (let thrownAway = 0; thrownAway < 12; thrownAway++) this.uint32();
  }

  /** The next output, 0 … 2^32 − 1. */
  uint32(): number {
    const output = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + output) | 0;
    return output >>> 0;
  }

  /** The next number, uniform in [0, 1). */
  uniform(): number {
    return this.uint32() / 2 ** 32;
  }
}

/** FNV-1a of 32 bits over the UTF-8 bytes of a text. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
