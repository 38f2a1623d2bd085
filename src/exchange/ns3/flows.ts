import { finding } from '../../base/catalogue.js';
import { traceError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import type { Losses } from '../../base/losses.js';
import { LONGEST_TIME_PS, roundHalfUp } from '../../base/units.js';
import type { ConversionOptions, JobTarget } from '../../formats/conversion.js';
import { earliestRun } from '../earliest-run.js';
import { jobGraph, placeOf, Work, type JobGraph } from '../job-graph.js';
import { NodeLosses } from '../node-losses.js';
import { secondsText } from '../seconds-text.js';
import { TextOut } from '../text-out.js';

/** Customary for data (exchange-formats 7.3). */
const PRIORITY_GROUP = 3;
/** Customary destination port; source ports are assigned by the reader. */
const DESTINATION_PORT = 100;
const PICOSECONDS_PER_NANO = 1000;

/** The flow list of the ns-3 RDMA family (exchange-formats 7.3): `<prefix>.flows.txt`, a line for each send. */
export const NS3_FLOWS: JobTarget = {
  name: 'ns3-flows',
  title: 'a flow list',
  options: ['startNs'],
  write: (job, files, options, losses) => {
    const graph = jobGraph(job, 'a flow list', losses);
    const startPs = startTimes(graph, options);
    const flows = flowsOf(graph, losses).sort((one, other) => startPs[one] - startPs[other] || one - other);
    files.file(`${job.prefix}.flows.txt`, (write) => {
      const out = new TextOut(write);
      out.text(`${flows.length}\n`);
      for (const node of flows) {
        out.text(
          `${graph.rank[node]} ${graph.peer[node]} ${PRIORITY_GROUP} ${DESTINATION_PORT} ${graph.amount[node]} `,
        );
        out.text(`${secondsText(startPs[node])}\n`);
      }
      out.flush();
    });
    return [...graph.sizes.findings(), ...saidOfTimes(options, flows.length)];
  },
};

/** [node] when sends start, ps: in the replay that was asked for, else as early as the job allows. */
function startTimes(graph: JobGraph, { startNs }: ConversionOptions): Float64Array {
  const { length, work, rank, index } = graph;
  const run = startNs === undefined ? earliestRun(graph) : undefined;
  const times = new Float64Array(length);
  for (let node = 0; node < length; node++) {
    if (work[node] !== Work.send) continue;
    const nanoseconds = run === undefined ? startNs!(rank[node], index[node]) : run.startNs[node];
    const picoseconds = roundHalfUp(nanoseconds * PICOSECONDS_PER_NANO);
    if (!(picoseconds <= LONGEST_TIME_PS)) {
      const why = Number.isNaN(picoseconds) ? 'never starts in the replay' : 'starts later than 2^53 ps (9007 s)';
      throw traceError(
        'JOB_STALLS',
        `${placeOf(graph, node)} is a send that ${why}`,
        [],
        'simulate tells what it waits for',
      );
    }
    times[node] = picoseconds;
  }
  return times;
}

/** Sends that become flows; counts everything else as lost. */
function flowsOf(graph: JobGraph, losses: Losses): number[] {
  const { length, work, rank, peer, amount, awaitedStart } = graph;
  const lost = new NodeLosses(losses, (node) => placeOf(graph, node));
  const flows: number[] = [];
  for (let node = 0; node < length; node++) {
    const waits = awaitedStart[node + 1] - awaitedStart[node];
    if (waits > 0)
      lost.add('dependencies', node, 'a flow starts at its time, whatever the network has done until then', waits);
    if (work[node] === Work.compute) lost.add('computations', node, 'they count in the start times only');
    else if (work[node] === Work.receive) lost.add('receives', node, 'every flow is received');
    else if (work[node] !== Work.send) continue;
    else if (amount[node] === 0) lost.add('sends of no bytes', node, 'a flow of no bytes never ends');
    else if (peer[node] === rank[node]) lost.add('sends of a rank to itself', node, 'they use no network');
    else flows.push(node);
  }
  lost.finish();
  return flows;
}

function saidOfTimes({ startNs }: ConversionOptions, flows: number): Finding[] {
  if (flows === 0) return [];
  const message =
    startNs === undefined
      ? 'flows start as early as the traces allow: after the recorded durations before them, with transfers that take no time'
      : 'flows start when they start in a replay of the traces on the network named';
  return [finding('FLOW_START_TIMES', message)];
}
