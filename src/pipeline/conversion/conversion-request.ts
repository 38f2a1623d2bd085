import type { Finding } from '../../base/finding.js';
import type { ConversionOptions } from '../../formats/conversion.js';
import type { WarningRule } from '../demand-no-errors.js';
import type { Reading } from '../open-traceset.js';
import type { SimulationRequest } from '../simulation-request.js';
import type { RankTally } from './rank-tally.js';

/** What is to be converted into what. */
export interface ConversionRequest extends Reading, WarningRule {
  /** One of {@link OUTPUT_FORMS}. */
  readonly to: string;
  /** Folder to write; absent gives the bytes of the one file back. */
  readonly folder?: string;
  /** Ranks to write; all when left out. */
  readonly only?: readonly number[];
  readonly options: Omit<ConversionOptions, 'startNs'>;
  /** The replay that says when transfers start, for a form with times; absent where no network was named. */
  readonly timedBy?: Omit<SimulationRequest, keyof Reading>;
}

/** What a conversion gives. */
export interface ConversionReport {
  /** What the input was: `traceset`, or the name of its format. */
  readonly from: string;
  readonly ranks: number;
  /** Nodes that were converted, by kind, over the ranks that were written. */
  readonly kinds: RankTally;
  readonly findings: readonly Finding[];
  /** Names of the files written, in the order of ranks. */
  readonly files: readonly string[];
  /** The bytes of the one file, where no folder was named. */
  readonly output?: Uint8Array;
}
