import { MemorySource } from '../../src/base/byte-source.js';
import type { ConversionOptions } from '../../src/formats/conversion.js';
import type { MadeJob } from '../../src/formats/made-job.js';
import { TEXT_WORKLOAD_FORM } from '../../src/workloads/text/text-workload-form.js';
import { jsonLines, rankBytes, type NodeLine } from './made-jobs.js';

/** The job that a text workload of these lines makes. */
export function workloadJob(lines: readonly string[] | Uint8Array, options: ConversionOptions = {}): MadeJob {
  const bytes = lines instanceof Uint8Array ? lines : Buffer.from(`${lines.join('\n')}\n`);
  return TEXT_WORKLOAD_FORM.open(new MemorySource(bytes, 'job.txt'), options);
}

/** The nodes of a rank. */
export function nodesOfRank(job: MadeJob, rank: number): NodeLine[] {
  return jsonLines(rankBytes(job, rank)).nodes;
}

/**
 * A node in one line: id, name without its kind, parents, µs of a compute, and of communication what it moves and where:
 * `3 a_FWD < 1,2 5us`, `4 a_ALLREDUCE < 3 64B @2 #0`, `5 ACTIVATION_0 > 4 < 3 8B tag 1`.
 */
export function shownNode({ id, name, dataDeps = [], durationMicros, attr = [] }: NodeLine): string {
  const value = (key: string): unknown => {
    const found = attr.find((one) => one.name === key);
    return found && Object.entries(found).find(([arm]) => arm !== 'name')?.[1];
  };
  const parts = [`${id} ${name.replace(/^(COMP_NODE|COMM_COLL_NODE|COMM_SEND_NODE|COMM_RECV_NODE)_/, '')}`];
  if (value('comm_dst') !== undefined) parts.push(`to ${String(value('comm_dst'))}`);
  if (value('comm_src') !== undefined) parts.push(`from ${String(value('comm_src'))}`);
  if (dataDeps.length > 0) parts.push(`< ${dataDeps.join(',')}`);
  if (name.startsWith('COMP_')) parts.push(`${durationMicros ?? 0}us`);
  else parts.push(`${String(value('comm_size'))}B`);
  if (value('pg_name') !== undefined) parts.push(`@${String(value('pg_name'))}`);
  if (value('issue_order') !== undefined) parts.push(`#${String(value('issue_order'))}`);
  if (value('comm_tag') !== undefined) parts.push(`tag ${String(value('comm_tag'))}`);
  return parts.join(' ');
}

/** The nodes of a rank, a line each. */
export function shownNodes(job: MadeJob, rank: number): string[] {
  return nodesOfRank(job, rank).map(shownNode);
}
