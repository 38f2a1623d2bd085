import { MemorySource } from '../base/byte-source.js';
import { readChakraEt } from '../formats/et/decode.js';
import { EtWriter } from '../formats/et/et-writer.js';
import type { MadeJob } from '../formats/made-job.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { NodeType } from '../trace/node-type.js';
import type { TrafficRow, WorkloadSummary } from './generated-job.js';

/** What is in an official case: that of rank 0, as all ranks have the same. */
export function officialSummary(job: MadeJob): WorkloadSummary {
  const parts: Uint8Array[] = [];
  const out = new EtWriter((bytes) => parts.push(bytes.slice()));
  job.writeRank(0, out);
  out.finish();
  const { trace } = readChakraEt(new MemorySource(Buffer.concat(parts), job.prefix), { rank: 0, file: job.prefix });
  const { rankCount: ranks } = job;
  const traffic: TrafficRow[] = [];
  const compute = { ranks, nodes: 0, operations: 0, bytes: 0, durationNs: 0 };
  for (let node = 0; node < trace.length; node++) {
    const type = trace.type[node];
    const bytes = ranks * Math.max(0, trace.commSize[node]);
    if (type === NodeType.compute) {
      compute.nodes++;
      compute.durationNs += 1000 * trace.durationMicros[node];
    } else if (type === NodeType.collective) {
      traffic.push({ group: 'world', kind: COLLECTIVE_NAMES[trace.commType[node]].record, nodes: ranks, bytes });
    } else if (type === NodeType.send) traffic.push({ group: 'pair', kind: 'send', nodes: ranks, bytes });
  }
  return { ranks, nodes: ranks * trace.length, traffic, compute: compute.nodes === 0 ? [] : [compute] };
}
