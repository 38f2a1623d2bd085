import type { TraceNode } from './nodes.js';

/** Tags of sends and receives that traces name, custom collectives included; those of streams are another space. */
export function traceTag({ id, commTag }: TraceNode): string {
  if (commTag === undefined) throw new Error(`node ${id} has no comm_tag`);
  return `trace ${commTag % 500_000_000}`;
}
