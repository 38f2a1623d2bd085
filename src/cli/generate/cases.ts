import { WORKLOAD_CASES } from '../../workloads/generated-workload.js';

/** What a case is, one line each. */
const WHAT: Readonly<Record<string, string>> = {
  one_metadata_node_all_types: 'a metadata node with an attribute of every type',
  one_remote_mem_load_node: 'a load from remote memory',
  one_remote_mem_store_node: 'a store to remote memory',
  one_comp_node: 'a compute',
  two_comp_nodes_independent: 'two computes side by side',
  two_comp_nodes_dependent: 'two computes, one behind the other',
  ALL_REDUCE: 'an all-reduce of all ranks',
  ALL_TO_ALL: 'an all-to-all of all ranks',
  ALL_GATHER: 'an all-gather of all ranks',
  REDUCE_SCATTER: 'a reduce-scatter of all ranks',
  BROADCAST: 'a broadcast from rank 0',
  BARRIER: 'a barrier of all ranks',
  one_comm_send_node: 'a send to the next rank, and its receive',
  one_comm_recv_node: 'a receive from the rank before, and its send',
  transformer: 'training steps of a decoder-only transformer, or its forward pass',
};

/** The list of cases, and what stands for several. */
export function caseLines(): string[] {
  const rows = [
    ...WORKLOAD_CASES.map((name) => [name, WHAT[name]]),
    ['official', 'all but transformer, a folder each'],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, what]) => `${name.padEnd(width)}  ${what}`);
}
