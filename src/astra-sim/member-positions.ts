/**
 * Positions of the members of a group by rank, as plain data. The places span the members in steps of what all their distances have in
 * common, so that groups of neighbours and of every n-th rank take one place a member, however many ranks there are.
 */
export interface MemberPositions {
  readonly lowest: number;
  readonly step: number;
  readonly positions: Int32Array; // [places] −1 for no member
}

/** @param ranks members by position, one or more, each once */
export function memberPositions(ranks: Iterable<number>): MemberPositions {
  let lowest = Infinity;
  let highest = 0;
  for (const rank of ranks) {
    lowest = Math.min(lowest, rank);
    highest = Math.max(highest, rank);
  }
  let common = 0;
  for (const rank of ranks) common = commonDivisor(common, rank - lowest);
  const step = Math.max(common, 1);
  const positions = new Int32Array((highest - lowest) / step + 1).fill(-1);
  let position = 0;
  for (const rank of ranks) positions[(rank - lowest) / step] = position++;
  return { lowest, step, positions };
}

/** Position of a rank, −1 for no member. */
export function positionAmong({ lowest, step, positions }: MemberPositions, rank: number): number {
  const place = (rank - lowest) / step;
  return place >= 0 && place < positions.length && Number.isInteger(place) ? positions[place] : -1;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
