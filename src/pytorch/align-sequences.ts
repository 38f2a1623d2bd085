import { EditPath } from './edit-path.js';
import { GramIndex } from './gram-index.js';

/** One way to lay a sequence of names along another. */
export interface Alignment {
  readonly partner: Int32Array; // [first sequence] ascending places in the second, −1 where there is none
  /** Places that have a partner. */
  readonly matched: number;
  /** Partner of the first place that has one. */
  readonly start: number;
}

/** Names in a row that are taken for the same place; fewer where a sequence is shorter. */
const RUN = 8;
/** Rarest runs from which alignments are grown. */
const ANCHORS = 16;
/** Alignments that are tried at most, fewer of long sequences: about as many matches in all. */
const MOST_TRIED = 512;
const LEAST_TRIED = 16;
const MOST_MATCHES = 1 << 25;
/** Part of the matches of the best that makes another alignment worth keeping. */
const WORTH_KEEPING = 0.9;
/** Places at which a rare run is looked for in each part of a sequence. */
const MOST_LOOKED_AT = 4096;
/** Cells of a table for a gap between runs: 256 names by 256. */
const MOST_CELLS = 1 << 16;

/** Names at the end that are matched by a table. */
const FEW_LEFT = 64;

const path = new EditPath();

/** A sequence that others are laid along, with its places in both directions. */
export class AlignmentTarget {
  readonly #sequence: Int32Array;
  readonly #reversed: Int32Array;
  readonly #indices = new Map<number, { forward: GramIndex; backward: GramIndex }>();

  constructor(sequence: Int32Array) {
    this.#sequence = sequence;
    this.#reversed = sequence.slice().reverse();
  }

  /** Part of some evenly spaced runs of a sequence that occur here, 0 to 1. */
  resemblance(sequence: Int32Array, samples = 256): number {
    const run = this.#runFor(sequence);
    if (run === 0) return 0;
    const places = sequence.length - run + 1;
    const taken = Math.min(samples, places);
    const { forward } = this.#index(run);
    let found = 0;
    for (let i = 0; i < taken; i++) {
      if (forward.nextPlace(sequence, Math.floor((i * places) / taken), 0) >= 0) found++;
    }
    return found / taken;
  }

  /**
   * Ways to lay a sequence along this one, best first: most places matched, then the earliest. Each is grown to both sides
   * from one of the sequence's rarest runs, at every place at which that run occurs; where names part, it goes on along
   * the fewest names left out of either or, where they part for long, at the nearest place at which a run agrees again.
   * O((n + m) log m) for one way; the number of ways is the number of occurrences of those runs, at most 512. Ways that match
   * less than nine tenths of what the best does are left out.
   */
  alignments(sequence: Int32Array): Alignment[] {
    const run = this.#runFor(sequence);
    if (run === 0) return [];
    const { forward, backward } = this.#index(run);
    const reversed = sequence.slice().reverse();
    const anchors = this.#anchors(sequence, run, forward);
    const covered = anchors.map(() => new Set<number>()); // places of each anchor that some way has
    const most = Math.max(LEAST_TRIED, Math.min(MOST_TRIED, Math.floor(MOST_MATCHES / sequence.length)));
    const last = sequence.length - 1;
    const lastHere = this.#sequence.length - 1;
    let ways: Alignment[] = [];
    let best = 0;
    let tried = 0;
    anchors.forEach((anchor, which) => {
      for (
        let place = forward.nextPlace(sequence, anchor, 0);
        place >= 0 && tried < most;
        place = forward.nextPlace(sequence, anchor, place + 1)
      ) {
        if (covered[which].has(place)) continue;
        tried++;
        const partner = new Int32Array(sequence.length).fill(-1);
        grow(sequence, anchor, this.#sequence, place, run, forward, (i, j) => {
          partner[i] = j;
        });
        grow(reversed, last - anchor + 1, this.#reversed, lastHere - place + 1, run, backward, (i, j) => {
          partner[last - i] = lastHere - j;
        });
        anchors.forEach((at, i) => covered[i].add(partner[at]));
        const way = wayOf(partner);
        if (way.matched < WORTH_KEEPING * best) continue;
        if (way.matched > best) {
          best = way.matched;
          ways = ways.filter(({ matched }) => matched >= WORTH_KEEPING * best);
        }
        ways.push(way);
      }
    });
    return ways.sort((a, b) => b.matched - a.matched || a.start - b.start);
  }

  #runFor(sequence: Int32Array): number {
    let run = RUN;
    while (run > Math.min(sequence.length, this.#sequence.length)) run >>= 1;
    return run;
  }

  #index(run: number): { forward: GramIndex; backward: GramIndex } {
    let index = this.#indices.get(run);
    if (index === undefined) {
      index = { forward: new GramIndex(this.#sequence, run), backward: new GramIndex(this.#reversed, run) };
      this.#indices.set(run, index);
    }
    return index;
  }

  /** Places of the runs that occur here least often, but do; far from each other, so that one odd run does not decide. */
  #anchors(sequence: Int32Array, run: number, index: GramIndex): number[] {
    const places = sequence.length - run + 1;
    const rarest: { at: number; count: number }[] = [];
    const parts = Math.min(ANCHORS, places);
    for (let part = 0; part < parts; part++) {
      let best = { at: -1, count: MOST_TRIED };
      const start = Math.floor((part * places) / parts);
      const end = Math.floor(((part + 1) * places) / parts);
      const step = Math.ceil((end - start) / MOST_LOOKED_AT);
      for (let at = start; at < end && best.count > 1; at += step) {
        const count = index.occurrences(sequence, at, best.count);
        if (count > 0 && count < best.count) best = { at, count };
      }
      if (best.at >= 0) rarest.push(best);
    }
    return rarest.sort((a, b) => a.count - b.count).map(({ at }) => at);
  }
}

function wayOf(partner: Int32Array): Alignment {
  let matched = 0;
  let start = -1;
  for (const place of partner) {
    if (place < 0) continue;
    matched++;
    if (start < 0) start = place;
  }
  return { partner, matched, start };
}

/** Matches `a` from `i` on with `b` from `j` on. */
function grow(
  a: Int32Array,
  i: number,
  b: Int32Array,
  j: number,
  run: number,
  index: GramIndex,
  match: (i: number, j: number) => void,
): void {
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      match(i++, j++);
      continue;
    }
    if (a.length - i > FEW_LEFT) {
      const matches = path.find(a, i, b, j);
      for (let m = 0; m < matches; m++) match(i + path.matchI(m), j + path.matchJ(m));
      if (matches > 0) {
        i += path.matchI(matches - 1) + 1;
        j += path.matchJ(matches - 1) + 1;
        continue;
      }
    }
    // Far apart: on at the nearest place at which a run agrees.
    let best = Infinity;
    let nextI = -1;
    let nextJ = -1;
    for (let at = i; at + run <= a.length && at - i < best; at++) {
      const place = index.nextPlace(a, at, j);
      if (place >= 0 && at - i + place - j < best) {
        best = at - i + place - j;
        nextI = at;
        nextJ = place;
      }
    }
    if (nextI < 0) {
      // No run agrees any more: what is left of one is looked for in as much of the other, and a run more.
      const left = Math.min(a.length - i, b.length - j) + run;
      fillGap(a, i, Math.min(a.length, i + left), b, j, Math.min(b.length, j + left), match);
      return;
    }
    fillGap(a, i, nextI, b, j, nextJ, match);
    i = nextI;
    j = nextJ;
  }
}

/** Matches the longest common subsequence of two stretches, where it is cheap to find. */
function fillGap(
  a: Int32Array,
  i: number,
  iEnd: number,
  b: Int32Array,
  j: number,
  jEnd: number,
  match: (i: number, j: number) => void,
): void {
  const rows = iEnd - i;
  const columns = jEnd - j;
  if (rows === 0 || columns === 0 || (rows + 1) * (columns + 1) > MOST_CELLS) return;
  const width = columns + 1;
  const longest = new Uint16Array((rows + 1) * width); // of what is left from (row, column) on
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      longest[row * width + column] =
        a[i + row] === b[j + column]
          ? longest[(row + 1) * width + column + 1] + 1
          : Math.max(longest[(row + 1) * width + column], longest[row * width + column + 1]);
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (a[i + row] === b[j + column]) match(i + row++, j + column++);
    else if (longest[(row + 1) * width + column] >= longest[row * width + column + 1]) row++;
    else column++;
  }
}
