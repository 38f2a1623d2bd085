import { counted, grouped } from '../../base/counts.js';
import { countFindings, type Finding } from '../../base/finding.js';
import type { GeneratedTraceset } from '../../pipeline/generation/generate-traceset.js';
import type { ComputeRow, TrafficRow } from '../../workloads/generated-job.js';

/** What is in each workload: ranks and nodes, bytes of each kind of communication, compute of a rank. */
export function summaryLines(made: readonly GeneratedTraceset[]): string[] {
  return made.flatMap(({ name, summary: { ranks, nodes, traffic, compute } }) => [
    `${name}: ${counted(ranks, 'rank')}, ${counted(nodes, 'node')}`,
    ...traffic.map(trafficLine),
    ...computeLines(compute),
  ]);
}

function trafficLine({ group, kind, nodes, bytes }: TrafficRow): string {
  return `  ${group} ${kind}: ${counted(nodes, 'node')}, ${sum(bytes)} B`;
}

/** Ranks that have the same are one line. */
function computeLines(compute: readonly ComputeRow[]): string[] {
  const lines = new Map<string, { first: ComputeRow; last: ComputeRow; stages: number }>();
  for (const row of compute) {
    const text = computeText(row);
    const known = lines.get(text);
    if (known === undefined) lines.set(text, { first: row, last: row, stages: 1 });
    else {
      known.last = row;
      known.stages++;
    }
  }
  return [...lines].map(([text, { first, last, stages }]) => {
    const which =
      lines.size === 1
        ? ''
        : stages === 1
          ? ` of stage ${first.stage}`
          : ` of ${stages} stages, ${first.stage} to ${last.stage}`;
    return `  compute of each rank${which}: ${text}`;
  });
}

function computeText({ nodes, operations, bytes, durationNs }: ComputeRow): string {
  const work = operations === 0 ? '' : `, ${sum(operations)} operations, ${sum(bytes)} B of memory`;
  // Without durations there is nothing to add up.
  const time = operations > 0 && durationNs === 0 ? '' : `, ${sum(durationNs)} ns`;
  return `${counted(nodes, 'node')}${work}${time}`;
}

/** In full as long as every digit is right. */
function sum(value: number): string {
  return value <= Number.MAX_SAFE_INTEGER ? grouped(value) : value.toExponential(6);
}

export function generationDocument(
  made: readonly GeneratedTraceset[],
  findings: readonly Finding[],
  to: string,
): object {
  return {
    schema: 'chakra-prep/generation/1',
    ...countFindings(findings),
    to,
    workloads: made.map(({ name, summary, files }) => ({ name, ...summary, files })),
    findings,
  };
}
