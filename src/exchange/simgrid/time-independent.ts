import { finding } from '../../base/catalogue.js';
import type { JobTarget } from '../../formats/conversion.js';
import { byGroup } from '../by-group.js';
import { earliestRun } from '../earliest-run.js';
import { jobGraph, placeOf } from '../job-graph.js';
import { NodeLosses } from '../node-losses.js';
import { TagNumbers } from '../tag-numbers.js';
import { TextOut } from '../text-out.js';
import { awaitedTransfers, writeRankActions } from './rank-actions.js';

/** Speed of a host that computes for as long as the traces say, where none is named. */
const USUAL_FLOPS_PER_SECOND = 1e9;
/** MPI tags are not negative, and an int. */
const MOST_TAG = 2 ** 31 - 1;

/**
 * Time-independent traces of SimGrid (exchange-formats section 11): `<prefix>.<rank>.ti` for each rank, `<prefix>.txt`, which lists
 * them, and `<prefix>.hosts`, a host a rank.
 */
export const SIMGRID_TI: JobTarget = {
  name: 'simgrid-ti',
  title: 'a time-independent trace',
  options: ['flopsPerSecond'],
  write: (job, files, options, losses) => {
    const graph = jobGraph(job, 'a time-independent trace', losses, true);
    const run = earliestRun(graph);
    const tags = new TagNumbers(MOST_TAG);
    for (let node = 0; node < graph.length; node++) if (graph.peer[node] >= 0) tags.note(graph.tag[node]);
    const { flopsPerSecond = USUAL_FLOPS_PER_SECOND } = options;
    const lost = new NodeLosses(losses, (node) => placeOf(graph, node));
    const linearised = { graph, run, sets: awaitedTransfers(graph), tags, flopsPerSecond, losses: lost };
    const rankOf = Uint32Array.from(run.order, (node) => graph.rank[node]);
    const [start, nodes] = byGroup(rankOf, run.order, graph.length, graph.rankCount);
    const names: string[] = [];
    for (let rank = 0; rank < graph.rankCount; rank++) {
      names.push(`${job.prefix}.${rank}.ti`);
      files.file(names[rank], (write) => {
        const out = new TextOut(write);
        writeRankActions(linearised, rank, nodes.subarray(start[rank], start[rank + 1]), out);
        out.flush();
      });
    }
    lost.finish();
    const list = (name: string, lines: readonly string[]): void =>
      files.file(name, (write) => write(Buffer.from(lines.map((line) => `${line}\n`).join(''))));
    list(`${job.prefix}.txt`, names);
    list(
      `${job.prefix}.hosts`,
      names.map((_, rank) => `node-${rank}`),
    );
    const findings = [...graph.sizes.findings(), ...tags.findings('a time-independent trace')];
    if (options.flopsPerSecond === undefined) {
      const message =
        'computations are written in flops of hosts with 1e9 flops a second (1 flop for each ns), as --flops-per-second names none';
      findings.push(finding('FLOPS_ASSUMED', message));
    }
    return findings;
  },
};
