/** When something was issued: by the id of its host node, by its time, or by both. */
export interface Issue {
  /** Id of a host node, NaN; ids are handed out when an op starts. */
  readonly id: number;
  /** ns, NaN. */
  readonly startNs: number;
}

/**
 * Order of issue, as places in `issues`. What has an id goes by it; what has a time alone goes behind the last of these that
 * started before. Equal ones keep their order.
 */
export function issueOrder(issues: readonly Issue[]): number[] {
  const places = issues.map((_, place) => place);
  const withId = places.filter((place) => !Number.isNaN(issues[place].id));
  const timed = places.filter((place) => Number.isNaN(issues[place].id));
  withId.sort((left, right) => issues[left].id - issues[right].id || left - right);
  timed.sort((left, right) => issues[left].startNs - issues[right].startNs || left - right);
  const order: number[] = [];
  let next = 0;
  for (const place of withId) {
    while (next < timed.length && issues[timed[next]].startNs < issues[place].startNs) order.push(timed[next++]);
    order.push(place);
  }
  return [...order, ...timed.slice(next)];
}
