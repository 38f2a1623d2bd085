import { isCommunication, NodeType } from '../../trace/node-type.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { PASS_NAMES } from '../pass-names.js';

/** What a rank is like, for the comparison with the others. */
export interface RankTraits {
  readonly nodes: number;
  /** Whether it has sends, receives or collectives. */
  readonly communicates: boolean;
  /** Whether some compute node has a duration; `undefined` where there is no compute node. */
  readonly timed: boolean | undefined;
  /** Passes that ran, as its metadata lists them; assumptions that were applied are none. */
  readonly passes: readonly string[];
}

export function rankTraits({ length, type, durationMicros, metadata }: RankTrace): RankTraits {
  let communicates = false;
  let computes = false;
  let timed = false;
  for (let node = 0; node < length && !(communicates && timed); node++) {
    if (isCommunication(type[node])) communicates = true;
    else if (type[node] === NodeType.compute) {
      computes = true;
      if (durationMicros[node] > 0) timed = true;
    }
  }
  const passes = metadata.passes.filter((pass) => (PASS_NAMES as readonly string[]).includes(pass));
  return { nodes: length, communicates, timed: computes ? timed : undefined, passes };
}
