/** A stretch of layers that a stage runs without another stage: one micro-batch forward or backward. */
export interface Leg {
  readonly backward: boolean;
  /** Layers [from, to). */
  readonly from: number;
  readonly to: number;
  readonly microBatch: number;
  /** Whether it takes from the stage before what it starts from, and hands its result to the next. */
  readonly transfers: boolean;
  /** Whether weight-gradient collectives run in it. */
  readonly weightCollectives: boolean;
}

/** Micro-batches that the lines of a file list one after the other. */
export interface ListedBlocks {
  /** First layer of the first block. */
  readonly first: number;
  /** Layers of a block. */
  readonly length: number;
  readonly count: number;
}

/**
 * One pass with `microBatches` over all layers, in the order "one forward, one backward": a stage runs so many forward legs ahead as there
 * are stages behind it, then one backward and one forward leg in turn. With one stage that is forward and backward of each micro-batch.
 * Weight-gradient collectives run in the last backward leg.
 */
export function oneForwardOneBackward(layers: number, microBatches: number, stage: number, stages: number): Leg[] {
  const legs: Leg[] = [];
  const leg = (backward: boolean, microBatch: number): void => {
    const weightCollectives = backward && microBatch === microBatches - 1;
    legs.push({ backward, from: 0, to: layers, microBatch, transfers: true, weightCollectives });
  };
  const ahead = Math.min(stages - 1 - stage, microBatches);
  for (let microBatch = 0; microBatch < ahead; microBatch++) leg(false, microBatch);
  for (let microBatch = 0; microBatch < microBatches; microBatch++) {
    if (microBatch + ahead < microBatches) leg(false, microBatch + ahead);
    leg(true, microBatch);
  }
  return legs;
}

/**
 * One pass over lines that list the micro-batches themselves: all lines forward, then all lines backward in reverse order, as the file
 * has them. Lines outside of the blocks belong to no micro-batch, so that nothing is sent behind them.
 */
export function asListed(layers: number, { first, length, count }: ListedBlocks): Leg[] {
  const outside = { microBatch: 0, transfers: false };
  const end = first + length * count;
  const forward: Omit<Leg, 'backward' | 'weightCollectives'>[] = [
    { ...outside, from: 0, to: first },
    ...Array.from({ length: count }, (_, microBatch) => {
      const from = first + microBatch * length;
      return { from, to: from + length, microBatch, transfers: true };
    }),
    { ...outside, from: end, to: layers },
  ].filter(({ from, to }) => from < to);
  return [
    ...forward.map((leg) => ({ ...leg, backward: false, weightCollectives: false })),
    ...forward.reverse().map((leg) => ({ ...leg, backward: true, weightCollectives: true })),
  ];
}

/**
 * Blocks of lines that repeat `count` times: AICB writes each micro-batch of `ga` out, with lines before the first and behind the last that
 * belong to none. They are found by a name that stands `count` times at equal distances, the names between them being the same each time.
 * @returns `undefined` where the names show no such blocks
 */
export function listedBlocks(names: readonly string[], count: number): ListedBlocks | undefined {
  if (count < 2 || names.length < count) return undefined;
  const places = new Map<string, number[]>();
  names.forEach((name, place) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  });
  for (const [, of] of places) {
    if (of.length !== count) continue;
    const first = of[0];
    const length = of[1] - first;
    if (first + length * count > names.length) continue;
    if (of.every((place, block) => place === first + block * length) && repeats(names, first, length, count)) {
      return { first, length, count };
    }
  }
  return undefined;
}

function repeats(names: readonly string[], first: number, length: number, count: number): boolean {
  for (let place = first + length; place < first + length * count; place++) {
    if (names[place] !== names[place - length]) return false;
  }
  return true;
}
