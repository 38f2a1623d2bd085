import type { NetworkFactory } from '../../src/network/network.js';
import { writeCsv } from '../../src/records/csv.js';
import type { Table } from '../../src/records/record.js';
import type { RunFacts } from '../../src/records/run-facts.js';
import type { Placement, Server } from '../../src/replay/placement.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { receive, run, send, traces } from './jobs.js';

/** The transfer of R-063: 1 MiB is sent by 21.26848 µs, received at 22.35156 µs and acknowledged at 23.3566 µs. */
export const R063: NetworkFactory = (_ranks, kernel, listener) => ({
  name: 'R-063',
  post: (transfer, _source, _destination, _bytes, now) => {
    const at = (timePs: number, handler: (transfer: number, timePs: number) => void): void =>
      kernel.schedule(
        now + timePs,
        0,
        0,
        kernel.addHandler(() => handler(transfer, now + timePs)),
        transfer,
      );
    at(21_268_480, (...told) => listener.sent(...told));
    at(22_351_560, (...told) => listener.received(...told));
    at(23_356_600, (...told) => listener.acknowledged(...told));
  },
});

/** The traces of section 13's running example: one send of 1 MiB from rank 0 to rank 1. */
export function runningTraces(): RankTrace[] {
  return traces([send(1, 1, 1_048_576, 0)], [receive(1, 0, 1_048_576, 0)]);
}

export function runningExample(options: Partial<ReplayOptions> = {}): ReplayOutcome {
  return run(runningTraces(), { network: R063, recordTransfers: true, ...options });
}

/** A server that is one node of the topology. */
export function server(id: number): Server {
  return { id, name: `h${id}`, node: id, nicNode: id };
}

/** Rank r on server r, in no group. */
export function inOrder(rankCount: number): Placement {
  const servers = Array.from({ length: rankCount }, (_, id) => server(id));
  return {
    servers,
    serverOf: servers,
    groups: [],
    groupOf: new Int32Array(rankCount).fill(-1),
    subgroupOf: new Uint32Array(rankCount),
  };
}

/** The worked example of section 4.1: ranks 0–3 in group 0 (subgroups 0, 0, 1, 1), 4–5 in group 1, 6–7 in none. */
export function mappedExample(): Placement {
  return {
    ...inOrder(8),
    groups: [
      { id: 0, bandwidthGbps: 800, switchLatencyPs: 100_000, cableLatencyPs: 100_000 },
      { id: 1, bandwidthGbps: 800, switchLatencyPs: 50_000, cableLatencyPs: 50_000 },
    ],
    groupOf: Int32Array.of(0, 0, 0, 0, 1, 1, -1, -1),
    subgroupOf: Uint32Array.of(0, 0, 1, 1, 0, 0, 0, 0),
  };
}

export function factsOf(facts: Partial<RunFacts> = {}): RunFacts {
  return {
    prefix: 'job',
    placement: inOrder(2),
    linkBytesPerNs: undefined,
    beaconIntervalPs: 1_000_000_000,
    wallClock: undefined,
    ...facts,
  };
}

/** The lines of a table as CSV, the header first. */
export function linesOf(table: Table, outcome: ReplayOutcome, facts: RunFacts = factsOf()): string[] {
  let text = '';
  writeCsv(table.columns(facts), table.rows(outcome, facts), (bytes) => (text += Buffer.from(bytes).toString()));
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}
