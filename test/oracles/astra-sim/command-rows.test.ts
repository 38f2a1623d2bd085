import type { SystemResultDocument } from '../../../src/records/system-result-document.js';
import { runHere } from '../../support/in-process.js';
import { describeShared, shared } from '../../support/shared.js';
import { DIFFERING_ROWS } from './differing-rows.js';
import { printedColumns, type PrintedOutcome } from './printed-columns.js';
import { referenceRows, type ReferenceRow } from './reference-rows.js';

/** Every row of the reference table through the command line. */

const INPUTS = 'reference/astra-sim-inputs';

const OPTIONS: Readonly<Record<string, (value: string) => string[]>> = {
  'num-queues-per-dim': (value) => ['--num-queues-per-dim', value],
  'injection-scale': (value) => ['--injection-scale', value],
  'rendezvous-protocol': (value) => (value === 'true' ? ['--rendezvous'] : []),
  // Accepted without effect.
  'comm-scale': () => [],
  'compute-scale': () => [],
};

/** The command line for a row, as docs/astra-sim.md translates that of the program. */
function wordsOf(row: ReferenceRow): string[] {
  const path = (name: string): string => shared(INPUTS, name);
  const options = [...row.extra_cli.matchAll(/--([a-z-]+)=(\S+)/g)].flatMap(([, key, value]) => OPTIONS[key](value));
  return [
    ...['simulate', path(row.workload), '--json'],
    ...[
      '--system',
      path(row.system_json),
      '--network',
      path(row.network_yml),
      '--memory',
      path(row.remote_memory_json),
    ],
    ...['--backend', row.backend.startsWith('aware') ? 'analytical-aware' : 'analytical-unaware'],
    ...(row.comm_group_json === '' ? [] : ['--groups', path(row.comm_group_json)]),
    ...options,
  ];
}

/** What the columns of the table are taken from; of ranks that did not finish the program prints nothing. */
function outcomeOf({ ranks, transfers }: SystemResultDocument): PrintedOutcome {
  const isFinished = ({ state }: { state: string }): boolean => state === 'finished';
  return {
    finishNs: ranks.map((rank) => (isFinished(rank) ? rank.endNs : undefined)),
    exposedNs: ranks.map((rank) => (isFinished(rank) ? rank.exposedCommunicationNs : undefined)),
    statistics: ranks.map(({ statistics }) => ({
      wallNs: statistics.wallNs,
      times: {
        cpu: statistics.cpuNs,
        gpu: statistics.gpuNs,
        communication: statistics.communicationNs,
        remoteMemory: statistics.remoteMemoryNs,
      },
      overlapNs: statistics.overlapNs,
      roofline: statistics.roofline,
    })),
    messages: transfers,
  };
}

const table = referenceRows();
const differing = new Map(DIFFERING_ROWS.flatMap((entry) => entry.rows.map((id) => [id, entry] as const)));
/** Of these the table has times, though of a stall for some ranks only. */
const TIMED = new Set(['ok', 'ok-no-stats', 'incomplete']);

describeShared('a row of the reference table through the command line', () => {
  test.each(table.map((row) => [`${row.id} ${row.backend} ${row.workload} ${row.system_json}`, row] as const))(
    '%s',
    async (_, row) => {
      const { status, stdout, stderr } = await runHere(wordsOf(row));
      const { status: expected, code } = differing.get(row.id) ?? { status: 0, code: '' };
      expect([status, stderr]).toEqual([expected, expect.stringContaining(expected === 4 ? '' : code)]);
      if (expected !== 0 && expected !== 4) {
        expect(JSON.parse(stdout)).toMatchObject({ schema: 'chakra-prep/error/1', exitStatus: expected });
        return;
      }
      const document = JSON.parse(stdout) as SystemResultDocument;
      if (expected === 4) expect(document.stall?.reasons.map((reason) => reason.code)).toContain(code);
      // Where the program stalls and this one does not, there is nothing to compare.
      if (!TIMED.has(row.status) || (row.status === 'incomplete' && expected === 0)) return;
      const columns = printedColumns(outcomeOf(document), row);
      expect(columns).toEqual(Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])));
    },
  );

  test('each row that the program does not run to the end has its place among those that differ', () => {
    const others = table.filter(({ status }) => status !== 'ok' && status !== 'ok-no-stats');
    expect(others.filter(({ id }) => !differing.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...differing.keys()].filter((id) => !table.some((row) => row.id === id))).toEqual([]);
  });
});
