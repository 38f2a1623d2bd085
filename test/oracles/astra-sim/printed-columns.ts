import type { RooflineStatistics } from '../../../src/astra-sim/outcome.js';
import type { ReferenceRow } from './reference-rows.js';

/** What the program prints of a run, by rank; times are ns, undefined where it prints none. */
export interface PrintedOutcome {
  readonly finishNs: readonly (number | undefined)[];
  readonly exposedNs: readonly (number | undefined)[];
  readonly statistics: readonly {
    readonly wallNs: number;
    readonly times: {
      readonly cpu?: number | undefined;
      readonly gpu?: number | undefined;
      readonly communication?: number | undefined;
      readonly remoteMemory?: number | undefined;
    };
    readonly overlapNs: number;
    readonly roofline?: RooflineStatistics | undefined;
  }[];
  readonly messages: number;
}

/** Columns that a row and an outcome can be compared by, as text; '' where nothing was printed. */
export function printedColumns(
  { finishNs, exposedNs, statistics, messages }: PrintedOutcome,
  row: ReferenceRow,
): Record<string, string> {
  const spread = (values: readonly (number | undefined)[]): [string, string] => {
    const given = values.filter((value) => value !== undefined).map((value) => BigInt.asUintN(64, BigInt(value)));
    if (given.length === 0) return ['', ''];
    const ascending = given.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return [String(ascending[0]), String(ascending[ascending.length - 1])];
  };
  const columns: Record<string, string> = {};
  const add = (name: string, values: readonly (number | undefined)[]): void => {
    [columns[`${name}_min_ns`], columns[`${name}_max_ns`]] = spread(values);
  };
  const differ = new Set(finishNs.filter((time) => time !== undefined)).size > 1;
  columns.ranks_finished = String(finishNs.filter((time) => time !== undefined).length);
  columns.finish_per_rank_ns = differ ? finishNs.map((time) => time ?? '').join(';') : '';
  add('finish', finishNs);
  add('exposed_comm', exposedNs);
  if (row.status !== 'ok') return columns;
  // The count of this row leaves out the collectives of groups that METADATA nodes declare.
  if (row.id !== 'r549') columns.messages_derived = String(messages);
  add(
    'wall',
    statistics.map(({ wallNs }) => wallNs),
  );
  add(
    'comm',
    statistics.map(({ times }) => times.communication),
  );
  add(
    'gpu',
    statistics.map(({ times }) => times.gpu),
  );
  add(
    'remote_mem',
    statistics.map(({ times }) => times.remoteMemory),
  );
  add(
    'cpu',
    statistics.map(({ times }) => times.cpu),
  );
  // The table is empty where a rank idled and the difference is negative.
  add(
    'overlap',
    statistics.map(({ overlapNs }) => (overlapNs > 0 ? overlapNs : undefined)),
  );
  const [{ roofline }] = statistics;
  columns.compute_bound_pct = decimals(roofline && 100 * roofline.computeBound);
  columns.avg_compute_util_pct = decimals(roofline && 100 * roofline.computeUtilization);
  columns.avg_memory_util_pct = decimals(roofline && 100 * roofline.memoryUtilization);
  columns.avg_op_intensity = decimals(roofline?.operationIntensity);
  return columns;
}

/** Three decimals as the program prints them, then as the table writes a number. */
function decimals(value: number | undefined): string {
  if (value === undefined) return '';
  const rounded = Number(value.toFixed(3));
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}
