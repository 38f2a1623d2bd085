import type { RankTrace } from '../trace/rank-trace.js';

/** A whole number that a node says without a column for it; of equal names the first counts. */
export function wholeNumber(trace: RankTrace, index: number, wanted: string): number | undefined {
  let value: number | undefined;
  forEachAttribute(trace, index, (name, integer) => {
    if (name === wanted) value ??= integer;
  });
  return value;
}

/** Whether the node has the attribute, be its value what it may. */
export function hasAttribute(trace: RankTrace, index: number, wanted: string): boolean {
  let found = false;
  forEachAttribute(trace, index, (name) => {
    if (name === wanted) found = true;
  });
  return found;
}

function forEachAttribute(
  { kept, frameOffset, frameLength }: RankTrace,
  index: number,
  visit: (name: string, integer: number | undefined) => void,
): void {
  if (frameOffset[index] < 0) return;
  kept?.forEachAttribute(frameOffset[index], frameLength[index], (name, _arm, integer) => visit(name, integer));
}
