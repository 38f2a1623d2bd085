import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import { NodeType } from '../../../src/trace/node-type.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { describeShared } from '../../support/shared.js';
import { expandWith } from '../../support/system-expansions.js';
import { referenceRows, runOfRow, type ReferenceRow } from './reference-rows.js';

/** The traces of a run, in memory. */
function tracesOf({ rankCount, withTrace }: SystemRun): RankTrace[] {
  return Array.from({ length: rankCount }, (_, rank) => withTrace(rank, (trace) => trace));
}

/** Messages of the expanded traces that ASTRA-sim sends as well: not those of collectives that it does not run. */
function messages(traces: readonly RankTrace[]): number {
  let count = 0;
  for (const { length, type, collective, collectives } of traces) {
    for (let node = 0; node < length; node++) {
      if (type[node] !== NodeType.send) continue;
      const { algorithm = '' } = collective[node] < 0 ? {} : collectives[collective[node]];
      if (collective[node] < 0 || algorithm.startsWith('astra-sim:')) count++;
    }
  }
  return count;
}

/** Rows of one input differ in back end and delays alone. */
function inputOf(row: ReferenceRow): string {
  const queues = /--num-queues-per-dim=\d+/.exec(row.extra_cli)?.[0] ?? '';
  return [row.workload, row.network_yml, row.system_json, row.comm_group_json, queues].join(' ');
}

/** Rows that ASTRA-sim ran to their ends and in which each message is one of a collective or of a node. */
function comparable({ status, extra_cli: cli, other_system_json: keys, id }: ReferenceRow): boolean {
  // The count of r549 leaves out the collectives of groups that METADATA nodes declare.
  return status.startsWith('ok') && !cli.includes('rendezvous') && !keys.includes('replay-only') && id !== 'r549';
}

describeShared('an expansion has the messages of the reference programs', () => {
  const byInput = new Map(
    referenceRows()
      .filter(comparable)
      .map((row) => [inputOf(row), row]),
  );

  test('there are inputs', () => {
    expect(byInput.size).toBeGreaterThan(200);
  });

  test.each([...byInput.values()].map((row): [string, ReferenceRow] => [`${row.id} ${row.tag}`, row]))(
    '%s',
    (_name, row) => {
      const run = runOfRow(row);
      const all = Array.from({ length: run.rankCount }, (_, rank) => rank);
      const { traces } = expandWith(tracesOf(run), {
        network: run.network,
        system: run.system,
        queuesPerDimension: run.options.queuesPerDimension,
        groups: { '0': all, ...Object.fromEntries([...run.groups].map(([name, { ranks }]) => [name, [...ranks]])) },
        withCustomTrace: (prefix, position, use) => run.withCustomTrace(prefix, position, use),
      });
      expect(messages(traces)).toBe(Number(row.messages_derived));
    },
  );
});
