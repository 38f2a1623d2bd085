/**
 * The collectives of a traceset in an order in which each rank begins its own in the order it has them in. Where ranks have two
 * collectives in different orders, that of their numbers counts.
 * @param ranks [ranks] numbers of the collectives of each, in its order
 * @param count collectives, from 0
 */
export function beginOrder(ranks: readonly (readonly number[])[], count: number): number[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (const [rank, own] of ranks.entries()) for (const collective of own) members[collective].push(rank);
  const next = new Int32Array(ranks.length); // [ranks] place of the one that it begins next
  const waiting = new Int32Array(count); // [collectives] members that begin it next
  const begun = new Uint8Array(count);
  const ready: number[] = [];
  const comeTo = (rank: number): void => {
    const own = ranks[rank];
    while (next[rank] < own.length && begun[own[next[rank]]] === 1) next[rank]++;
    if (next[rank] === own.length) return;
    const collective = own[next[rank]];
    if (++waiting[collective] === members[collective].length) ready.push(collective);
  };
  for (const rank of ranks.keys()) comeTo(rank);
  const order: number[] = [];
  let smallest = 0;
  while (order.length < count) {
    let collective = ready.shift();
    if (collective === undefined) {
      while (begun[smallest] === 1) smallest++;
      collective = smallest;
    }
    begun[collective] = 1;
    order.push(collective);
    for (const rank of members[collective]) if (ranks[rank][next[rank]] === collective) comeTo(rank);
  }
  return order;
}
