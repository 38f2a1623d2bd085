/** A node that shares its rank's capacity, whole ps. */
export interface SharedNode {
  readonly startPs: number;
  readonly workPs: number;
}

/** A rational number of ps, in lowest terms. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export interface ExactSharing {
  /** By node. */
  readonly finishes: Fraction[];
  /** Whether a node started between the whole ps at which a finish is reported and the finish itself. */
  readonly startedAhead: boolean;
}

/**
 * The slow twin of compute sharing: the work left of every running node, reduced at 1/n from event to event, in exact
 * fractions.
 * @param order which comes first when the next finish lies behind the next start, but is reported at or before it: the
 *   `reported` finish, or what is earlier in `exact` time
 */
export function exactSharing(nodes: readonly SharedNode[], order: 'reported' | 'exact'): ExactSharing {
  const finishes: Fraction[] = nodes.map(() => whole(0));
  const left = new Map<number, Fraction>();
  const starts = nodes.map((_, at) => at).sort((a, b) => nodes[a].startPs - nodes[b].startPs);
  let now = whole(0);
  let startedAhead = false;
  /** Gives every running node 1/n of the capacity from now to then; then may lie before now. */
  const advance = (then: Fraction): void => {
    const share = times(minus(then, now), { top: 1n, bottom: BigInt(left.size || 1) });
    for (const [at, work] of left) left.set(at, minus(work, share));
    now = then;
  };
  while (starts.length > 0 || left.size > 0) {
    const start = starts.length > 0 ? whole(nodes[starts[0]].startPs) : undefined;
    const least = [...left.values()].reduce<Fraction | undefined>((a, b) => (a && !less(b, a) ? a : b), undefined);
    const finish = least && plus(now, times(least, whole(left.size)));
    const first = finish && (order === 'exact' ? finish : whole(roundedHalfUp(finish)));
    if (start && (!first || less(start, first))) {
      advance(start);
      left.set(starts[0], whole(nodes[starts.shift()!].workPs));
    } else {
      if (start && less(start, finish!)) startedAhead = true;
      advance(finish!);
      for (const [at, work] of left) {
        if (work.top > 0n) continue;
        finishes[at] = finish!;
        left.delete(at);
      }
    }
  }
  return { finishes, startedAhead };
}

/** The nearest whole number, halves up. */
export function roundedHalfUp({ top, bottom }: Fraction): number {
  const doubled = 2n * top + bottom;
  const floor = doubled / (2n * bottom) - (doubled < 0n && doubled % (2n * bottom) !== 0n ? 1n : 0n);
  return Number(floor);
}

/** How far a positive number lies from the next half, 0 to 1/2. */
export function distanceFromHalf({ top, bottom }: Fraction): number {
  const fromHalf = ((2n * top) % (2n * bottom)) - bottom;
  return Number(((fromHalf < 0n ? -fromHalf : fromHalf) * 2n ** 60n) / bottom) / 2 ** 61;
}

function whole(value: number): Fraction {
  return { top: BigInt(value), bottom: 1n };
}

function plus(a: Fraction, b: Fraction): Fraction {
  return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

function minus(a: Fraction, b: Fraction): Fraction {
  return reduced(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom);
}

function times(a: Fraction, b: Fraction): Fraction {
  return reduced(a.top * b.top, a.bottom * b.bottom);
}

function less(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom < b.top * a.bottom;
}

function reduced(top: bigint, bottom: bigint): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  return a > 1n ? { top: top / a, bottom: bottom / a } : { top, bottom };
}
