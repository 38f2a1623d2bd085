import { simulateSystem } from '../../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../../src/astra-sim/outcome.js';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import { groupsDeclaredIn } from '../../../src/formats/process-group-init.js';
import type { ProcessGroup } from '../../../src/trace/process-group.js';
import { describeShared } from '../../support/shared.js';
import { printedColumns, type Compared } from './printed-columns.js';
import { referenceRows, runOfRow } from './reference-rows.js';

function compared({ ranks, messages }: SystemOutcome): Compared {
  return {
    finishNs: ranks.map(({ endNs }) => endNs),
    exposedNs: ranks.map(({ exposedCommunicationNs }) => exposedCommunicationNs),
    statistics: ranks.map(({ statistics }) => ({
      wallNs: statistics.wallNs,
      times: {
        ...(statistics.cpuNs !== undefined && { cpu: statistics.cpuNs }),
        ...(statistics.gpuNs !== undefined && { gpu: statistics.gpuNs }),
        ...(statistics.communicationNs !== undefined && { communication: statistics.communicationNs }),
        ...(statistics.remoteMemoryNs !== undefined && { remoteMemory: statistics.remoteMemoryNs }),
      },
      overlapNs: statistics.overlapNs,
      ...(statistics.roofline && { roofline: statistics.roofline }),
    })),
    messages,
  };
}

/** Groups that nodes of the traces declare, as the pipeline gives them to the engine. */
function declaredGroups({ rankCount, withTrace }: SystemRun): Map<string, ProcessGroup> {
  const groups = new Map<string, ProcessGroup>();
  for (let rank = 0; rank < rankCount; rank++) {
    const { declarations } = withTrace(rank, groupsDeclaredIn);
    for (const { name, ranks, origin } of declarations) groups.set(name, { name, ranks, origin });
  }
  return groups;
}

const ENDED = new Set(['ok', 'ok-no-stats']);
const rows = referenceRows().filter(({ status }) => ENDED.has(status));

describeShared('the engine gives what the reference programs printed, wherever all ranks finished', () => {
  test.each(rows.map((row) => [`${row.id} ${row.backend} ${row.workload} ${row.system_json}`, row] as const))(
    '%s',
    (_, row) => {
      const run = runOfRow(row);
      const outcome = simulateSystem({ ...run, groups: new Map([...run.groups, ...declaredGroups(run)]) });
      expect(outcome.status).toBe('finished');
      const columns = printedColumns(compared(outcome), row);
      expect(columns).toEqual(Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])));
    },
  );
});
