import type { ReplayOutcome } from '../replay/outcome.js';
import { chakraApps } from './chakra-apps.js';
import { chakraCapableHosts } from './chakra-capable-hosts.js';
import { chakraCdf } from './chakra-cdf.js';
import { chakraCommCollectivePercentilesStats } from './chakra-comm-collective-percentiles-stats.js';
import { chakraCommCollectiveStats } from './chakra-comm-collective-stats.js';
import { chakraCompletionStats } from './chakra-completion-stats.js';
import { chakraMapping } from './chakra-mapping.js';
import { chakraPerf } from './chakra-perf.js';
import { writeCsv } from './csv.js';
import { ecnPfcStats } from './ecn-pfc-stats.js';
import { ndStats } from './nd-stats.js';
import { writeParquet } from './parquet.js';
import type { Table } from './record.js';
import type { RunFacts } from './run-facts.js';
import { topologyReport } from './topology-report.js';
import { transportStats } from './transport-stats.js';

/** Tables that a run can write. */
export const RECORDS: readonly Table[] = [
  chakraCapableHosts,
  chakraMapping,
  chakraApps,
  chakraPerf,
  chakraCompletionStats,
  chakraCdf,
  chakraCommCollectiveStats,
  chakraCommCollectivePercentilesStats,
  ndStats,
  topologyReport,
  transportStats,
  ecnPfcStats,
];

export const RECORD_FORMATS = ['csv', 'parquet'] as const;
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** `<run>-<record>-0.csv`, or `.parquet`. */
export function recordFileName(run: string, { name }: Table, format: RecordFormat): string {
  return `${run}-${name}-0.${format}`;
}

/**
 * Writes one table, in pieces.
 * @throws PrepError `TRANSFERS_NOT_RECORDED` when it needs the transfers and the run did not keep them
 */
export function writeRecord(
  table: Table,
  format: RecordFormat,
  outcome: ReplayOutcome,
  facts: RunFacts,
  write: (bytes: Uint8Array) => void,
): void {
  const writeTable = format === 'csv' ? writeCsv : writeParquet;
  writeTable(table.columns(facts), table.rows(outcome, facts), write);
}
