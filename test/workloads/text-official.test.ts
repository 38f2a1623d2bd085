import type { ConversionOptions } from '../../src/formats/conversion.js';
import { jsonLines, type NodeLine } from '../support/made-jobs.js';
import { describeShared } from '../support/shared.js';
import { nodesOfRank, workloadJob } from '../support/text-workloads.js';
import { sharedBytes } from '../support/trace-facts.js';

/** What the official node has too: attributes that we add are left out. */
function comparable(node: NodeLine): unknown {
  const attr = node.attr?.filter(({ name }) => name === 'comm_type' || name === 'comm_size');
  const rest = { ...node };
  delete rest.attr;
  return attr === undefined || attr.length === 0 ? rest : { ...rest, attr };
}

/** The official nodes with ids from 0 on every rank: theirs go on from rank to rank. */
function renumbered(nodes: readonly NodeLine[]): NodeLine[] {
  const first = nodes[0].id;
  return nodes.map((node) => ({
    ...node,
    id: node.id - first,
    ...(node.dataDeps && { dataDeps: node.dataDeps.map((id) => id - first) }),
  }));
}

const JOBS: [output: string, input: string, options: ConversionOptions][] = [
  ['microAllReduce', 'microAllReduce', { ranks: 4, passes: 1 }],
  ['microAllReduce_2pass', 'microAllReduce', { ranks: 2, passes: 2 }],
  ['Resnet50_DataParallel', 'Resnet50_DataParallel', { ranks: 4, passes: 1 }],
  ['Resnet50_DataParallel_2pass', 'Resnet50_DataParallel', { ranks: 2, passes: 2 }],
  ['MLP_ModelParallel', 'MLP_ModelParallel', { ranks: 4, passes: 1 }],
  ['MLP_HybridParallel_Data_Model', 'MLP_HybridParallel_Data_Model', { ranks: 4, passes: 1, modelParallel: 2 }],
  ['DLRM_HybridParallel', 'DLRM_HybridParallel', { ranks: 4, passes: 1 }],
  ['DLRM_HybridParallel_2pass', 'DLRM_HybridParallel', { ranks: 2, passes: 2 }],
];

describeShared('chakra_converter Text', () => {
  test.each(JOBS)('%s: the same nodes, dependencies and sizes', (output, input, options) => {
    const job = workloadJob(sharedBytes('traces', 'astra-sim-text', `${input}.txt`), options);
    expect(job.rankCount).toBe(options.ranks);
    for (let rank = 0; rank < job.rankCount; rank++) {
      const theirs = jsonLines(sharedBytes('reference', 'chakra-tools', 'text', `${output}.${rank}.et`)).nodes;
      expect(nodesOfRank(job, rank).map(comparable)).toEqual(renumbered(theirs).map(comparable));
    }
  });
});
