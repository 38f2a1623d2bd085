import { describeShared } from '../../support/shared.js';
import { printedColumns } from './printed-columns.js';
import { referenceRows, runOfRow } from './reference-rows.js';
import { astraSimTwin } from './twin.js';

const RUN = new Set(['ok', 'ok-no-stats', 'incomplete']);
const rows = referenceRows().filter(({ status }) => RUN.has(status));

describeShared('the twin gives what the reference programs printed', () => {
  test.each(rows.map((row) => [`${row.id} ${row.backend} ${row.workload} ${row.system_json}`, row] as const))(
    '%s',
    (_, row) => {
      const outcome = astraSimTwin(runOfRow(row));
      const columns = printedColumns(outcome, row);
      expect(columns).toEqual(Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])));
    },
  );
});
