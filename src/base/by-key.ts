/** Items by a key of each; keys come in the order of their first item. */
export function byKey<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const lists = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const same = lists.get(key);
    if (same === undefined) lists.set(key, [item]);
    else same.push(item);
  }
  return lists;
}
