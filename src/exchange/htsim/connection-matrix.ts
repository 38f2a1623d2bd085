import { traceError } from '../../base/errors.js';
import type { Losses } from '../../base/losses.js';
import { LONGEST_TIME_PS, roundHalfUp } from '../../base/units.js';
import type { JobTarget } from '../../formats/conversion.js';
import type { AwaitedSets } from '../awaited-sets.js';
import { earliestRun } from '../earliest-run.js';
import { jobGraph, placeOf, Work, type JobGraph } from '../job-graph.js';
import { NodeLosses } from '../node-losses.js';
import { TextOut } from '../text-out.js';
import { awaitedConnections, isConnection, triggersOf, type Triggers } from './triggers.js';

const PICOSECONDS_PER_NANO = 1000;

/** The connection matrix of htsim (exchange-formats 8.2): `<prefix>.cm`, a connection for each send. */
export const HTSIM_MATRIX: JobTarget = {
  name: 'htsim-cm',
  title: 'a connection matrix',
  options: [],
  write: (job, files, _options, losses) => {
    const graph = jobGraph(job, 'a connection matrix', losses);
    const run = earliestRun(graph);
    const { sets, cut } = awaitedConnections(graph, run);
    const triggers = triggersOf(graph, run, sets);
    const connections = run.order.filter((node) => isConnection(graph, node));
    const number = new Uint32Array(graph.length); // of a connection, from 1
    connections.forEach((node, place) => (number[node] = place + 1));
    countLosses(graph, sets, cut, triggers, losses);
    files.file(`${job.prefix}.cm`, (write) => {
      const out = new TextOut(write);
      out.text(`Nodes ${graph.rankCount}\nConnections ${connections.length}\n`);
      out.text(`Triggers ${triggers.triggers.length}\nFailures 0\n`);
      for (const node of connections) {
        out.text(`${graph.rank[node]}->${graph.peer[node]} id ${number[node]} `);
        const trigger = triggers.startedBy[node];
        if (trigger >= 0) out.text(`trigger ${trigger + 1}`);
        else out.text(`start ${startPs(graph, node, run.startNs[node])}`);
        out.text(` size ${graph.amount[node]}`);
        if (triggers.firing[node] >= 0) out.text(` send_done_trigger ${triggers.firing[node] + 1}`);
        out.text('\n');
      }
      triggers.triggers.forEach(({ fired }, place) => {
        out.text(`trigger id ${place + 1} ${fired.length === 1 ? 'oneshot' : `barrier count ${fired.length}`}\n`);
      });
      out.flush();
    });
    return graph.sizes.findings();
  },
};

function startPs(graph: JobGraph, node: number, startNs: number): number {
  const picoseconds = roundHalfUp(startNs * PICOSECONDS_PER_NANO);
  if (picoseconds <= LONGEST_TIME_PS) return picoseconds;
  throw traceError('NUMBER_TOO_LARGE', `${placeOf(graph, node)} starts later than 2^53 ps (9007 s)`);
}

function countLosses(
  graph: JobGraph,
  sets: AwaitedSets,
  cut: Uint32Array,
  { missing }: Triggers,
  losses: Losses,
): void {
  const { length, work, amount, rank, peer } = graph;
  const lost = new NodeLosses(losses, (node) => placeOf(graph, node));
  const counts = countsInStart(graph, sets);
  for (let node = 0; node < length; node++) {
    if (cut[node] > 0) {
      lost.add(
        'connections before a receive is posted, beside the latest',
        node,
        'a connection may start before them',
        cut[node],
      );
    }
    if (missing[node] > 0) {
      lost.add('dependencies that its triggers cannot have', node, 'a connection may start before them', missing[node]);
    }
    if (work[node] === Work.compute && amount[node] > 0) {
      if (sets.size(node) > 0)
        lost.add('computations behind a transfer', node, 'what waits for them starts without delay');
      else if (counts[node] === 0) lost.add('computations that no connection waits for', node);
    } else if (work[node] === Work.send && !isConnection(graph, node)) {
      if (amount[node] === 0) lost.add('sends of no bytes', node, 'what waits for one waits for what it waited for');
      else if (peer[node] === rank[node]) lost.add('sends of a rank to itself', node, 'they use no network');
    }
  }
  lost.finish();
}

/** [node] 1 for what comes before a connection with a start time, and so counts in that time. */
function countsInStart(graph: JobGraph, sets: AwaitedSets): Uint8Array {
  const { length, awaited, awaitedStart } = graph;
  const counts = new Uint8Array(length);
  // A node comes behind what it waits for, on its rank.
  for (let node = length - 1; node >= 0; node--) {
    if (sets.size(node) > 0 || (counts[node] === 0 && !isConnection(graph, node))) continue;
    for (let at = awaitedStart[node]; at < awaitedStart[node + 1]; at++) counts[awaited[at]] = 1;
  }
  return counts;
}
