import { readFileSync } from 'node:fs';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { analyticalAware } from '../../src/network/analytical-aware.js';
import { parseNetwork } from '../../src/network/parse-network.js';
import { replay } from '../../src/replay/replay.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/**
 * Transfers over links against the congestion-aware program itself. It truncates each link's time to whole ns where we round up to
 * whole ps, so ours is later by less than 1 ns for each link and each message waited for.
 */

const INPUTS = 'reference/astra-sim-inputs';
/** No rank sends more than once, so that the one slot for communication that a rank has there makes no difference. */
const PATTERN = /p2p_(0_to_1|0_to_3|ring_shift|half_shift|incast_to_0)_/;

interface Row {
  readonly name: string;
  readonly workload: string;
  readonly network: string;
  /** ns, by rank. */
  readonly finish: readonly number[];
}

function rowsOf(): Row[] {
  const [header, ...lines] = readFileSync(shared('reference/astra-sim-analytical.csv'), 'utf8').trim().split('\n');
  const names = header.split(',');
  const rows = lines
    .filter((line) => PATTERN.test(line) && !line.includes('"'))
    .map((line) => line.split(','))
    .map((fields) => Object.fromEntries(names.map((name, at) => [name, fields[at]])));
  return rows
    .filter((row) => row.backend.startsWith('aware') && row.extra_cli === '' && row.status === 'ok')
    .map(({ id, workload, network_yml: network, npus, finish_per_rank_ns: perRank, finish_max_ns: all }) => ({
      name: `${id}, ${workload.slice(workload.lastIndexOf('/') + 1)}, ${network}`,
      workload,
      network,
      // Empty where all are equal.
      finish: perRank === '' ? new Array<number>(Number(npus)).fill(Number(all)) : perRank.split(';').map(Number),
    }));
}

describeShared('transfers on the congestion-aware network (astra-sim-semantics section 13)', () => {
  const rows = hasShared ? rowsOf() : [];

  test('the table has them on every topology, and on several dimensions', () => {
    expect(rows).toHaveLength(12);
  });

  test.each(rows.map((row) => [row.name, row] as const))('%s', (_name, { workload, network, finish }) => {
    const spec = parseNetwork(readFileSync(shared(INPUTS, network), 'utf8'), network);
    const traces = finish.map((_, rank) => {
      const file = shared(INPUTS, `${workload}.${rank}.et`);
      return readTrace(openTraceSource(file), { rank, file }).trace;
    });
    const { transferLog } = replay(traces, { network: analyticalAware(spec), recordTransfers: true });
    const { sender, receiver, received, length } = transferLog!;
    expect(length).toBeGreaterThan(0);
    // There a send ends at the arrival as well, so a rank finishes with the latest transfer it has to do with.
    const latestPs = new Map<number, number>();
    for (let at = 0; at < length; at++) {
      for (const rank of [sender[at], receiver[at]]) {
        latestPs.set(rank, Math.max(latestPs.get(rank) ?? 0, received[at]));
      }
    }
    for (const [rank, timePs] of latestPs) {
      const later = timePs / 1000 - finish[rank];
      expect(later).toBeGreaterThanOrEqual(0);
      expect(later).toBeLessThan(10);
    }
  });
});
