import { Arm } from '../formats/et/attribute-arms.js';
import { newMetadata } from '../formats/et/metadata.js';
import { MessageWriter } from '../formats/et/wire-write.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import type { TraceMetadata } from '../trace/rank-trace.js';

/** Place of a rank in its job. */
export interface RankPlace {
  readonly rank: number;
  readonly worldSize: number;
  /** Groups that the rank is in: name → ranks in order. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

const ATTRIBUTE = 2;

/**
 * Metadata of a linked rank: what the official converter writes of the host trace (`schema`, `pid`, `time`, `start_ts`, `finish_ts`;
 * chakra-format section 4), and beside it the schema version, rank, ranks and groups.
 */
export function rankMetadata(host: HostTrace, { rank, worldSize, groups }: RankPlace): TraceMetadata {
  const kept = new MessageWriter();
  const text = (name: string, value: string): void => {
    if (value !== '') kept.delimited(ATTRIBUTE, new MessageWriter().delimited(1, name).delimited(Arm.string, value));
  };
  const number = (name: string, value: number): void => {
    if (Number.isSafeInteger(value) && value >= 0) {
      kept.delimited(ATTRIBUTE, new MessageWriter().delimited(1, name).integer(Arm.uint64, value));
    }
  };
  text('schema', host.schema);
  number('pid', host.pid);
  text('time', host.time);
  number('start_ts', host.startMillis);
  number('finish_ts', host.finishMillis);
  const declared = Object.fromEntries([...groups].map(([name, ranks]) => [name, [...ranks]]));
  return {
    ...newMetadata({ rank, worldSize, ...(groups.size === 0 ? {} : { groups: declared }) }),
    kept: kept.finish().slice(),
  };
}
