import { ANY, GoalKind, type GoalRank, type GoalSchedule } from './schedule.js';

/** What a receive of any source or any tag can only take; ANY where several fit, or none. */
export interface Partner {
  readonly peer: number;
  readonly tag: number;
}

/**
 * The partners of receives from any source or of any tag (exchange-formats 1.1), by rank and by what the receive asks for. A receive
 * that names source and tag can only take a message of these, so what such receives leave over is for the others. Where
 * that is of one source, or of one tag, it is what they take whenever they are posted, if the schedule runs to its end.
 */
export class AnySource {
  /** [rank] what receives of it ask for, by source and tag, and what they get. */
  readonly #partners = new Map<number, Map<string, Partner>>();

  constructor(schedule: GoalSchedule, asking: ReadonlySet<number>) {
    if (asking.size === 0) return;
    const left = new Map<number, Messages>([...asking].map((rank) => [rank, new Messages()]));
    for (let rank = 0; rank < schedule.rankCount; rank++) countMessages(schedule.rank(rank), rank, left);
    for (const rank of asking) this.#partners.set(rank, partnersOf(schedule.rank(rank), left.get(rank)!));
  }

  /** What a receive of a rank that asks for this source and tag takes. */
  partner(rank: number, peer: number, tag: number): Partner {
    return this.#partners.get(rank)?.get(`${peer} ${tag}`) ?? { peer, tag };
  }
}

/** Whether an operation is a receive that leaves its source or its tag open. */
export function isOpen({ kind, peer, tag }: GoalRank, operation: number): boolean {
  return kind[operation] === GoalKind.receive && (peer[operation] === ANY || tag[operation] === ANY);
}

/** Messages to one rank by source and tag, less the receives that name both. */
class Messages {
  readonly #counts = new Map<number, Map<number, number>>();

  add(source: number, tag: number, count: number): void {
    let tags = this.#counts.get(source);
    if (tags === undefined) this.#counts.set(source, (tags = new Map<number, number>()));
    tags.set(tag, (tags.get(tag) ?? 0) + count);
  }

  /** The one source and the one tag of the messages left that fit. */
  partner(peer: number, tag: number): Partner {
    const sources = new Set<number>();
    const tags = new Set<number>();
    for (const [source, counts] of this.#counts) {
      if (peer !== ANY && peer !== source) continue;
      for (const [fitting, count] of counts) {
        if (count <= 0 || (tag !== ANY && tag !== fitting)) continue;
        sources.add(source);
        tags.add(fitting);
      }
    }
    return { peer: only(sources, peer), tag: only(tags, tag) };
  }
}

function only(values: ReadonlySet<number>, asked: number): number {
  if (asked !== ANY) return asked;
  const [value = ANY] = values.size === 1 ? values : [];
  return value;
}

function countMessages(rank: GoalRank, number: number, left: ReadonlyMap<number, Messages>): void {
  const own = left.get(number);
  for (let operation = 0; operation < rank.length; operation++) {
    const peer = rank.peer[operation];
    const tag = rank.tag[operation];
    if (rank.kind[operation] === GoalKind.send) left.get(peer)?.add(number, tag, 1);
    else if (rank.kind[operation] === GoalKind.receive && !isOpen(rank, operation)) own?.add(peer, tag, -1);
  }
}

function partnersOf(rank: GoalRank, left: Messages): Map<string, Partner> {
  const partners = new Map<string, Partner>();
  for (let operation = 0; operation < rank.length; operation++) {
    if (!isOpen(rank, operation)) continue;
    const key = `${rank.peer[operation]} ${rank.tag[operation]}`;
    if (!partners.has(key)) partners.set(key, left.partner(rank.peer[operation], rank.tag[operation]));
  }
  return partners;
}
