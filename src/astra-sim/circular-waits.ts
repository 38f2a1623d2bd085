/**
 * What waits for itself through others: everything in a circle of waits, or between two circles.
 * @param waitsFor what each waits for directly; every one is a key
 */
export function circularWaits<Waiting>(waitsFor: ReadonlyMap<Waiting, ReadonlySet<Waiting>>): Set<Waiting> {
  const left = new Set(waitsFor.keys());
  for (let before = -1; before !== left.size;) {
    before = left.size;
    const awaited = new Set<Waiting>();
    for (const one of left) for (const other of waitsFor.get(one)!) awaited.add(other);
    for (const one of left) {
      if (!awaited.has(one) || ![...waitsFor.get(one)!].some((other) => left.has(other))) left.delete(one);
    }
  }
  return left;
}
