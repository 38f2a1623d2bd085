import type { Stopwatch } from '../base/stopwatch.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import type { PacketOptions } from '../config/packet-options.js';
import type { RunOptions } from '../config/run-options.js';
import type { Backend } from '../config/system-options.js';
import type { ChainOrder } from '../passes/serialize.js';
import type { TimelineOptions } from '../records/timeline/timeline.js';
import type { GatheringOptions, TraceFamily } from '../replay/replay-options.js';
import type { Reading } from './open-traceset.js';

/** How a traceset is simulated. */
export interface SimulationRequest extends Reading, RunOptions {
  /** A short form, or the path of a network file. */
  readonly network: string;
  /** Default: `packet` on a topology of hosts and switches, else `analytical-unaware`, where no message waits for a link. */
  readonly backend?: Backend;
  /** File of a logical topology beside the network, as ASTRA-sim's ns-3 users have one: checked, and of no effect. */
  readonly logical?: string;
  /** What is said of a packet network. Default: nothing. */
  readonly packet?: PacketOptions;
  readonly family: TraceFamily;
  readonly algorithms: AlgorithmChoices;
  readonly order: ChainOrder;
  /** Apply the pass; where it is left out, unless the traces say that it ran. */
  readonly serialize?: boolean;
  readonly sync?: boolean;
  /** Factor from 0 to 1. */
  readonly scale?: number;
  readonly useMaxStart: boolean;
  /** Stop at warnings too. */
  readonly abortOnWarning: boolean;
  /** Folder for the records. */
  readonly recordsFolder?: string;
  /** File for the timeline of the run, in the trace event format of Chrome. */
  readonly timeline?: TimelineOptions & { readonly file: string };
  /** Keep every transfer in the outcome, as the timing report needs; so do records. Default `false`. */
  readonly keepTransfers?: boolean;
  /** Told of the transfers that are acknowledged, and how many there are, some hundred times in a run. Default: nobody is. */
  readonly onTransfers?: (done: number, total: number) => void;
  /** Told what takes how long. Default: nobody is. */
  readonly stopwatch?: Stopwatch;
}

/** How a replay that is stopped before it begins ends. */
export const NOT_REPLAYED = 'not replayed';

export function gatheringOptions(request: SimulationRequest): GatheringOptions {
  const { deps, family, dropMissingDependencies, scale } = request;
  return { deps, family, dropMissingDependencies, ...(scale === undefined ? {} : { scale }) };
}
